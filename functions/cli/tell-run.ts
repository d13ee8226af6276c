import type { Run } from '../domain/run.ts';
import { type Io, writeJson } from './io.ts';
import { runJson } from './render/run-json.ts';

/** Tells what a person has done to a run: scripts have the run as it is now, people the text. */
export function tellRun(
  run: Run,
  text: string,
  { options, io }: { options: { readonly json?: boolean }; io: Io },
): Promise<void> {
  return options.json ? writeJson(io, runJson(run)) : io.write(`${text}\n`);
}
