import { setTimeout as delay } from 'node:timers/promises';
import type { ManifestJob } from '../domain/manifest.ts';
import type { RunRef } from '../domain/names.ts';
import { isOpen, type Run, type RunState } from '../domain/run.ts';
import { second } from '../domain/time.ts';
import type { Operator } from '../operator/ports.ts';
import { type ExitCode, exitCodes, type Io, writeJson } from './io.ts';
import { progressOn, silent } from './render/progress.ts';
import { counted } from './render/text.ts';

const lookEveryMs = 2 * second;

/** How long a backfill is followed, and how what of it waits is taken back. */
interface Wait {
  readonly isDetached: boolean;
  readonly signal: AbortSignal;
  readonly withdraw: () => Promise<number>;
}

/** Shows how far a backfill is, until all of it has ended or is parked, or until the person stops it. */
export async function followBackfill(
  { ledger }: Pick<Operator, 'ledger'>,
  written: readonly RunRef[],
  { job, wait, options, io }: { job: ManifestJob; wait: Wait; options: { readonly json?: true }; io: Io },
): Promise<ExitCode> {
  const runs = await watched(ledger, written, { wait, isSilent: options.json === true, io });
  const withdrawn = wait.signal.aborted ? await wait.withdraw() : 0;
  const states = countsOf(withdrawn > 0 ? await ledger.runs(written) : runs);
  if (options.json) await writeJson(io, { jobId: job.id, begun: written.length, withdrawn, states });
  else
    await io.write(`${endText(states, { begun: written.length, withdrawn, isDetached: wait.isDetached })}\n`);
  if (states.parked !== undefined) return exitCodes.needsPerson;
  return states.failed === undefined ? exitCodes.fine : exitCodes.foundWrong;
}

type States = Partial<Record<RunState, number>>;

async function watched(
  ledger: Operator['ledger'],
  written: readonly RunRef[],
  { wait, isSilent, io }: { wait: Wait; isSilent: boolean; io: Io },
): Promise<Run[]> {
  const screen = { write: io.warn, columns: io.columns, now: io.now };
  const progress = isSilent || wait.isDetached ? silent : progressOn(screen);
  const since = io.now();
  for (;;) {
    const runs = await ledger.runs(written);
    const done = runs.filter((run) => run.state === 'parked' || !isOpen(run.state)).length;
    if (wait.isDetached || done === written.length || wait.signal.aborted) {
      progress.clear();
      return runs;
    }
    progress.tell({ noun: 'fire', done, of: written.length, note: statesText(countsOf(runs)), since });
    await delay(lookEveryMs, undefined, { signal: wait.signal }).catch(() => {});
  }
}

function countsOf(runs: readonly Run[]): States {
  const counts: States = {};
  for (const { state } of runs) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

function statesText(states: States): string {
  return Object.entries(states)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ');
}

function endText(
  states: States,
  { begun, withdrawn, isDetached }: { begun: number; withdrawn: number; isDetached: boolean },
): string {
  if (isDetached) return `${counted(begun, 'fire')} will be made up; fl runs shows how far they are.`;
  const back = withdrawn > 0 ? ` ${withdrawn} that waited were taken back.` : '';
  return `${counted(begun, 'fire')}: ${statesText(states)}.${back}`;
}
