import { counted } from '../../cli/render/text.ts';
import { second } from '../../domain/time.ts';
import type { Simulated } from '../simulate.ts';
import type { Case } from './case.ts';
import { byInvariant, type Finding, findingText } from './findings.ts';
import { summaryJson } from './json.ts';
import type { Machine } from './machine.ts';
import type { SeedsRequest } from './options.ts';
import { deliveriesText, headline, reportText } from './report.ts';
import { type Shrunk, shrink } from './shrink.ts';
import { StoryTeller } from './story.ts';
import { type Found, type Summary, sameTwice, summaryOf } from './summary.ts';

/** Simulates seeds, and tells what came of them. Whether nothing was wrong. */
export async function simulateSeeds(request: SeedsRequest, machine: Machine): Promise<boolean> {
  const { days, faults, seeds, json, workers } = request;
  const { say, progress, look, invariants, now } = machine;
  if (!json) say(`${headline(seeds, request)}\n`);
  const startedAt = now();
  const { results, unlike } = await simulateAll(request, machine);
  const summary = withFound(summaryOf(results, { days, faults }), unlike);
  const tookMs = now() - startedAt;
  const findings = await findingsOf(summary.violations, { request, results, machine });
  progress.clear();
  if (json) say(JSON.stringify(summaryJson(summary, findings)));
  else {
    const texts = findings.map((finding) => findingText(finding, { look, invariants }));
    say(reportText(summary, texts, { look, invariants, tookMs, workers }));
  }
  return summary.violations.length === 0 && summary.dead.length === 0;
}

/** The first seed is simulated twice: what it gives must be the same. */
async function simulateAll(
  { seeds, days, faults }: SeedsRequest,
  { workers, progress, now }: Machine,
): Promise<{ results: Simulated[]; unlike: Found[] }> {
  const cases = seeds.map((seed) => ({ seed, days, faults }));
  const again = cases.slice(0, 1).map((first) => ({ ...first }));
  let [done, deliveries] = [0, 0];
  const since = now();
  const tell = () =>
    progress.tell({ noun: 'seed', done, of: cases.length, note: deliveriesText(deliveries), since });
  tell();
  const all = await workers.all([...cases, ...again], (simulated, one) => {
    if (again.includes(one)) return;
    done += 1;
    deliveries += simulated.deliveries;
    tell();
  });
  const results = all.slice(0, cases.length);
  const [first, second] = [all[0], all[cases.length]];
  return { results, unlike: first && second ? sameTwice(first, second) : [] };
}

function withFound(summary: Summary, found: readonly Found[]): Summary {
  return { ...summary, violations: [...found, ...summary.violations] };
}

/** Of so many invariants that broke a case is made small; who mends them will run it again. */
const mostFindings = 3;

async function findingsOf(
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
) {
  const teller = new StoryTeller((shrunk?.violation ?? found).run);
  if (found.at !== undefined) await machine.simulate({ ...one, trace: teller.listen });
  return teller.story;
}
