import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Ledger } from '../domain/ledger.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import { type RunRef, runId } from '../domain/names.ts';
import { isOpen, type Run } from '../domain/run.ts';
import { second } from '../domain/time.ts';
import { type ExitCode, exitCodes, type Io } from './io.ts';
import { stateText } from './render/look.ts';
import { why } from './render/run-words.ts';
import { tellRun } from './tell-run.ts';

export interface WaitOptions {
  readonly wait?: true;
}

export function withWait(command: Command): Command {
  return command.option('--wait', 'wait until it has ended, or waits for a person');
}

const lookEveryMs = second;

/** Waits until a run has ended or is parked, and tells how. */
export async function waitedFor(
  ledger: Pick<Ledger, 'run'>,
  ref: RunRef,
  { job, options, io }: { job: ManifestJob; options: { readonly json?: true }; io: Io },
): Promise<ExitCode> {
  const run = await ended(ledger, ref);
  const reason = why(run, { timezone: job.spec.timezone });
  const text = `${runId(run)} ${stateText(run.state, io.look)}${reason === '' ? '' : `: ${reason}`}`;
  await tellRun(run, text, { options, io });
  if (run.state === 'succeeded') return exitCodes.fine;
  return run.state === 'parked' ? exitCodes.needsPerson : exitCodes.foundWrong;
}

async function ended(ledger: Pick<Ledger, 'run'>, ref: RunRef): Promise<Run> {
  for (;;) {
    const run = await ledger.run(ref);
    if (run === null) throw new Error(`${runId(ref)} is gone from the ledger`);
    if (run.state === 'parked' || !isOpen(run.state)) return run;
    await delay(lookEveryMs);
  }
}
