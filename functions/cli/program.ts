import { Command, CommanderError } from 'commander';
import { printable } from '../catalog/problem.ts';
import { type ExitCode, exitCodes, type Io } from './io.ts';
import { addAudit } from './verbs/audit.ts';
import { addBackfill } from './verbs/backfill.ts';
import { addCancel } from './verbs/cancel.ts';
import { addDoctor } from './verbs/doctor.ts';
import { addForecast } from './verbs/forecast.ts';
import { addImport } from './verbs/import.ts';
import { addJobs } from './verbs/jobs.ts';
import { addLog } from './verbs/log.ts';
import { addNext } from './verbs/next.ts';
import { addPause, addResume } from './verbs/pause.ts';
import { addPlan } from './verbs/plan.ts';
import { addRelease } from './verbs/release.ts';
import { addRetry } from './verbs/retry.ts';
import { addRuns } from './verbs/runs.ts';
import { addShow } from './verbs/show.ts';
import { addTrigger } from './verbs/trigger.ts';
import { addWho } from './verbs/who.ts';
import { addWhy } from './verbs/why.ts';

/** Runs one command line (without node and script) to its exit code; whatever goes wrong is told in one message. */
export async function runCommand(words: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCodes.fine;
  const fl = program(io, (found) => {
    code = found;
  });
  try {
    await fl.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    return failed(error, io);
  }
}

function program(io: Io, exit: (code: ExitCode) => void): Command {
  const fl = new Command('fl')
    .description('Looks into the ledger of scheduled fires, and acts on it')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.write(text),
      writeErr: io.warn,
      getOutHelpWidth: () => io.look.width,
      getErrHelpWidth: () => io.look.width,
      getOutHasColors: () => io.look.colors.isColorSupported,
      getErrHasColors: () => io.look.colors.isColorSupported,
    })
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      `
Reads the data folder of \`npm start\` (.fireledger), whether it runs or not, or a deployed stage.
Ends with 0 when all is fine, 1 when something wrong was found, 2 when a person is needed (a parked run is shown) or it
was asked wrongly.

Examples:
  fl jobs
  fl runs --state failed
  fl show billing/send-invoices 2026-12-01T05:00
  fl audit --stage prod`,
    );
  addJobs(fl, io);
  addNext(fl, io);
  addRuns(fl, io, exit);
  addShow(fl, io, exit);
  addWhy(fl, io);
  addWho(fl, io);
  addAudit(fl, io, exit);
  addForecast(fl, io, exit);
  addPlan(fl, io, exit);
  addRelease(fl, io);
  addCancel(fl, io);
  addRetry(fl, io, exit);
  addTrigger(fl, io, exit);
  addPause(fl, io);
  addResume(fl, io);
  addBackfill(fl, io, exit);
  addLog(fl, io);
  addDoctor(fl, io, exit);
  addImport(fl, io, exit);
  return fl;
}

/** commander has told its own errors already; its help is no error. */
function failed(error: unknown, io: Io): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.fine : exitCodes.needsPerson;
  const message = error instanceof Error ? error.message : String(error);
  io.warn(`${io.look.colors.red('fl:')} ${printable(message)}\n`);
  return exitCodes.needsPerson;
}
