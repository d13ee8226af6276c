import type { Command } from 'commander';
import type { Ledger } from '../domain/ledger.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import { type RunRef, runId } from '../domain/names.ts';
import { isOpen, type Run } from '../domain/run.ts';
import { second } from '../domain/time.ts';
import { type ExitCode, exitCodes, type Io } from './io.ts';
import type { OpenLedger } from './open-ledger.ts';
import { stateText } from './render/look.ts';
import { becameText } from './render/run-words.ts';
import { tellRun } from './tell-run.ts';
import { UserError } from './user-error.ts';

export interface WaitOptions {
  readonly wait?: true;
}

export function withWait(command: Command): Command {
  return command.option('--wait', 'wait until it has ended, or waits for a person');
}

/**
 * To be asked before something is written that is then waited for.
 *
 * @throws UserError where nothing would ever start it
 */
export function refuseToWaitAlone(
  { isAlone, name }: Pick<OpenLedger, 'isAlone' | 'name'>,
  instead: string,
): void {
  if (isAlone)
    throw new UserError(
      `no system runs on ${name}, so nothing would start it; run \`npm start\` first, or ${instead}`,
    );
}

const lookEveryMs = second;

/** Waits until a run has ended or is parked, and tells how. */
export async function waitedFor(
  ledger: Pick<Ledger, 'run' | 'job'>,
  ref: RunRef,
  { job, options, io }: { job: ManifestJob; options: { readonly json?: true }; io: Io },
): Promise<ExitCode> {
  await warnOfPause(ledger, ref.jobId, io);
  const run = await ended(ledger, ref, io);
  const reason = becameText(run, { timezone: job.spec.timezone });
  const text = `${runId(run)} ${stateText(run.state, io.look)}${reason === '' ? '' : `: ${reason}`}`;
  await tellRun(run, text, { options, io });
  if (run.state === 'succeeded') return exitCodes.fine;
  return run.state === 'parked' ? exitCodes.needsPerson : exitCodes.foundWrong;
}

/** Nothing of a paused job is started, and whoever waits would wonder. */
export async function warnOfPause(
  ledger: Pick<Ledger, 'job'>,
  jobId: string,
  { warn }: Pick<Io, 'warn'>,
): Promise<void> {
  const isPaused = (await ledger.job(jobId))?.paused !== undefined;
  if (isPaused) warn(`${jobId} is paused: what waits of it waits until that is over (fl resume ${jobId})\n`);
}

async function ended(ledger: Pick<Ledger, 'run'>, ref: RunRef, { sleep }: Pick<Io, 'sleep'>): Promise<Run> {
  for (;;) {
    const run = await ledger.run(ref);
    if (run === null) throw new Error(`${runId(ref)} is gone from the ledger`);
    if (isOver(run)) return run;
    await sleep(lookEveryMs);
  }
}

/** As far as it goes without a person. */
export function isOver({ state }: Pick<Run, 'state'>): boolean {
  return state === 'parked' || !isOpen(state);
}
