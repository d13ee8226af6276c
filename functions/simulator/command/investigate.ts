import { counted } from '../../cli/render/text.ts';
import { second } from '../../domain/time.ts';
import type { Simulated } from '../simulate.ts';
import type { Case } from './case.ts';
import { byInvariant, type Finding } from './findings.ts';
import type { Machine } from './machine.ts';
import type { SeedsRequest } from './options.ts';
import { type Shrunk, shrink } from './shrink.ts';
import { type Story, StoryTeller } from './story.ts';
import type { Found } from './summary.ts';

/** Of so many invariants that broke a case is made small; who mends them will run it again. */
const mostFindings = 3;

/** Makes the cases small in which promises were broken, and replays them to tell what happened. */
export async function investigate(
  violations: readonly Found[],
  { request, results, machine }: { request: SeedsRequest; results: readonly Simulated[]; machine: Machine },
): Promise<Finding[]> {
  const { days, faults } = request;
  const resultOf = (seed: number) => results.find((one) => one.seed === seed);
  const groups = byInvariant(violations, (seed) => resultOf(seed)?.totalStrikes ?? 0);
  const findings: Finding[] = [];
  for (const group of groups.slice(0, mostFindings)) {
    const { found } = group;
    const one = { seed: found.seed, days, faults };
    const startedAt = machine.now();
    const first = resultOf(found.seed);
    const shrunk =
      found.at === undefined || first === undefined ? null : await shrunkOf(one, { found, first, machine });
    findings.push({
      ...group,
      case: one,
      shrunk,
      tookMs: machine.now() - startedAt,
      story: await storyOf(found, { one: shrunk?.smallest ?? one, shrunk, machine }),
    });
  }
  return findings;
}

const mostReplays = 300;
const patienceMs = 60 * second;

function shrunkOf(
  one: Case,
  { found, first, machine }: { found: Found; first: Simulated; machine: Machine },
): Promise<Shrunk | null> {
  const { workers, progress, now } = machine;
  const startedAt = now();
  const { invariant } = found;
  return shrink(one, {
    invariant,
    first,
    shrinking: {
      workers,
      mayGoOn: (replays) => replays < mostReplays && now() - startedAt < patienceMs,
      tell: ({ strikes }, replays) => {
        const note = `shrinking ${invariant} to ${counted(strikes, 'strike')}`;
        progress.tell({ noun: 'replay', done: replays, of: mostReplays, note });
      },
    },
  });
}

async function storyOf(
  found: Found,
  { one, shrunk, machine }: { one: Case; shrunk: Shrunk | null; machine: Machine },
): Promise<Story> {
  const teller = new StoryTeller((shrunk?.violation ?? found).run);
  if (found.at !== undefined) await machine.simulate({ ...one, trace: teller.listen });
  return teller.story;
}
