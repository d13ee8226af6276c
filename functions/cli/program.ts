import { Command, CommanderError } from 'commander';
import { printable } from '../catalog/problem.ts';
import { type ExitCode, exitCodes, type Io } from './io.ts';
import { helpText } from './render/help-text.ts';
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
import { addRedrive } from './verbs/redrive.ts';
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
      writeOut: (text) => void io.write(helpText(text, io.look.width)),
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
Reads the data folder of \`npm start\` (.fireledger), whether it runs or not, or with --stage a deployed stage.

Exit codes:
  0  all is fine
  1  something wrong was found, or what was waited for has not succeeded
  2  a person is needed (a parked run is shown), or it was asked wrongly, and then nothing was changed

Examples:
  fl jobs
  fl runs --state failed
  fl show billing/send-invoices 2026-12-01T06:00
  fl why reports/inventory 03:00
  fl retry billing/send-invoices 06:00 --note "the bank is back"
  fl audit --stage prod`,
    );
  fl.commandsGroup('See what is and was:');
  addJobs(fl, io);
  addRuns(fl, io, exit);
  addShow(fl, io, exit);
  addWhy(fl, io);
  addWho(fl, io);
  addAudit(fl, io, exit);
  addLog(fl, io);
  addDoctor(fl, io, exit);
  fl.commandsGroup('See what will be:');
  addNext(fl, io);
  addForecast(fl, io, exit);
  addPlan(fl, io, exit);
  fl.commandsGroup('Act (each goes on the log):');
  addTrigger(fl, io, exit);
  addRetry(fl, io, exit);
  addCancel(fl, io);
  addRelease(fl, io);
  addPause(fl, io);
  addResume(fl, io);
  addBackfill(fl, io, exit);
  addRedrive(fl, io);
  fl.commandsGroup('Begin:');
  addImport(fl, io, exit);
  fl.helpCommand('help [verb]', 'the help of a verb, as fl VERB --help');
  return fl;
}

/** commander has told its own errors already; its help is no error. */
function failed(error: unknown, io: Io): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.fine : exitCodes.needsPerson;
  const message = error instanceof Error ? error.message : String(error);
  io.warn(`${io.look.colors.red('fl:')} ${printable(message)}\n`);
  return exitCodes.needsPerson;
}
