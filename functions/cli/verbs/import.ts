import type { Command } from 'commander';
import { timetable } from '../../domain/schedule/index.ts';
import { inWords } from '../../domain/schedule-words.ts';
import { toIso } from '../../domain/time.ts';
import type { Import, ImportedJob } from '../import/import-files.ts';
import { refuseExisting, writeAll } from '../import/write-files.ts';
import { type ExitCode, exitCodes, type Io, writeJson } from '../io.ts';
import { importText } from '../render/import-text.ts';

interface ImportOptions {
  readonly out: string;
  readonly timezone?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

export function addImport(fl: Command, io: Io, exit: (code: ExitCode) => void): void {
  fl.command('import')
    .description(
      'makes job files of schedules that run elsewhere; ends with 1 when one of them can’t be a job',
    )
    .argument(
      '<file...>',
      'crontabs, Kubernetes CronJobs, CloudFormation, SAM, serverless.yml; - for standard input',
    )
    .option('--out <dir>', 'the folder for the job files', 'functions/jobs')
    .option('--timezone <zone>', 'of schedules that say none, such as Europe/Berlin')
    .option('--dry-run', 'write nothing, and tell what would be')
    .option('--json', 'answer in JSON')
    .addHelpText(
      'after',
      `
The schedule is carried over exactly, DST included; the command stands in each file as a comment, and what doesn't carry
over is listed there and here. A file throws until its run() is written. Schedules that were disabled become files whose
name begins with _, which are no jobs. What can't be a job is told and left out. Of the others all
files are written, or none: no file is overwritten, so when one is there already, nothing is written.

Examples:
  crontab -l | fl import - --timezone Europe/Berlin --dry-run
  fl import /etc/crontab /etc/cron.d/* --timezone UTC --out functions/jobs/host
  kubectl get cronjobs -A -o yaml | fl import -
  fl import template.yaml serverless.yml --json`,
    )
    .action(async (files: string[], options: ImportOptions) => exit(await run(files, options, io)));
}

async function run(files: readonly string[], options: ImportOptions, io: Io): Promise<ExitCode> {
  const { out, timezone, dryRun = false } = options;
  // Only here: it brings the parser along.
  const { importFiles } = await import('../import/import-files.ts');
  const imported = await importFiles(files, { out, timezone, now: io.now(), input: io.input });
  await refuseExisting(imported.jobs);
  if (!dryRun) await writeAll(imported.jobs);
  await (options.json
    ? writeJson(io, importJson(imported, { dryRun, now: io.now() }))
    : io.write(`${importText(imported, { look: io.look, now: io.now(), dryRun })}\n`));
  return imported.left.length === 0 ? exitCodes.fine : exitCodes.foundWrong;
}

function importJson({ jobs, left, without }: Import, { dryRun, now }: { dryRun: boolean; now: number }) {
  return { dryRun, imported: jobs.map((job) => jobJson(job, now)), refused: left, withoutSchedule: without };
}

function jobJson({ id, path, source, found, spec, description, lost, warnings }: ImportedJob, now: number) {
  const next = timetable(spec).next(now);
  return {
    id,
    file: path,
    source,
    description,
    schedule: inWords(spec),
    timezone: spec.timezone,
    next: next === null ? null : toIso(next),
    disabled: found.off ?? null,
    notCarriedOver: lost,
    warnings,
  };
}
