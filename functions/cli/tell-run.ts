import type { Run } from '../domain/run.ts';
import { type Io, writeJson } from './io.ts';
import type { OpenLedger } from './open-ledger.ts';
import { runJson } from './render/run-json.ts';

/** Tells what a person has done to a run: scripts have the run as it is now, people the text. */
export function tellRun(
  run: Run,
  text: string,
  { options, io }: { options: { readonly json?: boolean }; io: Io },
): Promise<void> {
  return options.json ? writeJson(io, runJson(run)) : io.write(`${text}\n`);
}

/** When a run starts that somebody has asked for. */
export async function turnText(
  { ledger, isAlone }: Pick<OpenLedger, 'ledger' | 'isAlone'>,
  jobId: string,
): Promise<string> {
  const state = await ledger.job(jobId);
  if (state?.paused !== undefined)
    return `its job is paused, so it waits until that is over: fl resume ${jobId}`;
  return isAlone
    ? 'nothing starts it before the system runs: npm start'
    : 'it starts at once, or as soon as its slot and its pools are free';
}
