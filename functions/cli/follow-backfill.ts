import type { ManifestJob } from '../domain/manifest.ts';
import { type RunRef, runId } from '../domain/names.ts';
import type { Run, RunState } from '../domain/run.ts';
import { second } from '../domain/time.ts';
import type { Operator } from '../operator/ports.ts';
import { type ExitCode, exitCodes, type Io, writeJson } from './io.ts';
import type { Progress } from './render/progress.ts';
import { counted } from './render/text.ts';
import { isOver } from './wait-for-run.ts';

const lookEveryMs = 2 * second;
/** They start in the order in which they were written, so the first that are left tell what there is to tell. */
const mostLooked = 100;

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
  {
    job,
    wait,
    progress,
    options,
    io,
  }: { job: ManifestJob; wait: Wait; progress: Progress; options: { readonly json?: true }; io: Io },
): Promise<ExitCode> {
  if (!wait.isDetached) await allOver(ledger, written, { signal: wait.signal, progress, io });
  progress.clear();
  const withdrawn = wait.signal.aborted ? await wait.withdraw() : 0;
  const states = countsOf(await ledger.runs(written));
  const begun = written.length;
  if (options.json) await writeJson(io, { jobId: job.id, begun, withdrawn, states });
  else if (wait.isDetached) await io.write(`${detachedText(job.id, begun)}\n`);
  else await io.write(`${endText(states, { begun, withdrawn })}\n`);
  return wait.isDetached ? exitCodes.fine : codeOf(states, begun);
}

/** 0: each succeeded. */
function codeOf(states: States, begun: number): ExitCode {
  if (states.parked !== undefined) return exitCodes.needsPerson;
  return states.succeeded === begun ? exitCodes.fine : exitCodes.foundWrong;
}

type States = Partial<Record<RunState, number>>;

async function allOver(
  ledger: Operator['ledger'],
  written: readonly RunRef[],
  { signal, progress, io }: { signal: AbortSignal; progress: Progress; io: Pick<Io, 'now' | 'sleep'> },
): Promise<void> {
  const since = io.now();
  const over: Run[] = [];
  let left = written;
  while (!signal.aborted) {
    const looked = await ledger.runs(left.slice(0, mostLooked));
    const open = looked.filter((run) => !isOver(run));
    over.push(...looked.filter(isOver));
    const isOpen = new Set(open.map(runId));
    left = [...left.slice(0, mostLooked).filter((ref) => isOpen.has(runId(ref))), ...left.slice(mostLooked)];
    if (left.length === 0) return;
    const waiting = left.length - open.length;
    const states = statesText(countsOf([...over, ...open], waiting > 0 ? { waiting } : {}));
    const done = written.length - left.length;
    progress.tell({ noun: 'fire', done, of: written.length, note: states, since });
    await io.sleep(lookEveryMs, signal);
  }
}

function countsOf(runs: readonly Run[], others: States = {}): States {
  const counts = { ...others };
  for (const { state } of runs) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

function statesText(states: States): string {
  return Object.entries(states)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ');
}

function detachedText(jobId: string, begun: number): string {
  const [are, they] = begun === 1 ? ['is', 'it is'] : ['are', 'they are'];
  return `${counted(begun, 'fire')} ${are} made up from now on; fl runs --job ${jobId} shows how far ${they}.`;
}

function endText(states: States, { begun, withdrawn }: { begun: number; withdrawn: number }): string {
  const back =
    withdrawn === 0
      ? ''
      : ` ${withdrawn === 1 ? '1 that waited was' : `${withdrawn} that waited were`} taken back.`;
  return `${counted(begun, 'fire')}: ${statesText(states)}.${back}`;
}
