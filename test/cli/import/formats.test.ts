import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCatalog } from '../../../functions/catalog/index.ts';
import { type Import, type ImportedJob, importFiles } from '../../../functions/cli/import/import-files.ts';
import type { ManifestJob } from '../../../functions/domain/manifest.ts';
import { cron, type Dst, type Spec, timetable } from '../../../functions/domain/schedule/index.ts';
import { lintErrors, typeErrors } from '../../check/command.ts';
import { jobsFolder } from '../../support/jobs-folder.ts';
import { strictProject } from '../../support/strict-project.ts';

const now = Date.parse('2026-12-01T00:00:00Z');
const fixtures = path.relative('.', path.join(import.meta.dirname, 'fixtures'));
const files = ['crontab', 'cron.d/php', 'cronjobs.yaml', 'template.yaml', 'rule.json', 'serverless.yml'];

let imported: Import;

beforeAll(async () => {
  imported = await importFiles(
    files.map((file) => path.join(fixtures, file)),
    { out: 'out', timezone: 'Europe/Paris', now, input: Readable.from([]) },
  );
});

function job(id: string): ImportedJob {
  const found = imported.jobs.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no ${id} among ${imported.jobs.map((one) => one.id).join(', ')}`);
  return found;
}

/** What the systems do when the clocks change. */
const cronFixed: Dst = { gap: 'next', repeat: 'first' };
const elapsed: Dst = { gap: 'skip', repeat: 'both' };
const aws: Dst = { gap: 'skip', repeat: 'first' };

/** Each entry of the fixtures as its own system reads it. */
const theirs: Record<
  string,
  [expression: string | string[], timezone: string, dst: Dst, more?: Partial<Spec>]
> = {
  backup: ['30 2 * * *', 'America/New_York', cronFixed],
  'schedule-run': ['*/5 * * * *', 'America/New_York', elapsed],
  'rotate-logs': ['0 0 * * *', 'America/New_York', cronFixed],
  pay: ['0 9 1,15 * MON', 'America/New_York', cronFixed],
  check: ['*/15 2 * * *', 'America/New_York', elapsed],
  mail: ['0 18 * * 1-5', 'Asia/Taipei', cronFixed],
  sessionclean: ['09,39 * * * *', 'Europe/Paris', elapsed],
  'app-reports-weekly': ['0 3 * * SUN', 'Europe/Paris', cronFixed],
  'billing/nightly-report': ['30 1 * * *', 'America/New_York', elapsed],
  prices: ['*/10 * * * *', 'Europe/Paris', elapsed],
  'payroll-run': [
    'cron(30 2 L * ? *)',
    'Europe/Berlin',
    aws,
    { from: '2026-01-01T01:00', until: '2028-01-01T01:00' },
  ],
  hourly: ['cron(15 * ? * MON-FRI *)', 'America/New_York', aws],
  'new-year': ['at(2027-01-01T09:00:00)', 'Asia/Tokyo', aws],
  'cleanup-function/nightly': ['cron(0 1 ? * SAT *)', 'UTC', aws],
  'cleanup-function/weekdays': ['cron(0 8,20 ? * MON-FRI *)', 'America/New_York', aws],
  'weekly-digest-rule': ['cron(0 9 ? * 2 *)', 'UTC', aws],
  'send-digest/morning': [['cron(0 8 ? * MON-FRI *)', 'cron(0 10 ? * SAT,SUN *)'], 'Europe/London', aws],
  'send-digest/monthly': ['cron(0 9 1 * ? *)', 'UTC', aws],
};

const [from, to] = [Date.parse('2026-01-01T00:00:00Z'), Date.parse('2029-01-01T00:00:00Z')];

function firesOf(spec: Spec): string {
  return [...timetable(spec).between(from, to)].map((fire) => fire / 60_000).join();
}

/** The generated files, loaded as any job file; what is disabled stands there as if it weren't. */
async function loaded(): Promise<ManifestJob[]> {
  const dir = jobsFolder(Object.fromEntries(imported.jobs.map(({ id, text }) => [`${id}.ts`, text])));
  return [...(await loadCatalog({ jobsDir: dir, now })).manifest.jobs];
}

describe('the job files', () => {
  test('load, and are due exactly when they were: the clocks, the end of months and bounds included', async () => {
    const jobs = await loaded();
    const rates = ['every-ninety', 'rule', 'pull-rates'];
    expect(jobs.map(({ id }) => id)).toEqual([...Object.keys(theirs), ...rates].sort());
    for (const [id, [expression, timezone, dst, more]] of Object.entries(theirs)) {
      const { spec } = jobs.find((one) => one.id === id) ?? expect.fail(id);
      expect(firesOf(spec), id).toBe(
        firesOf({ schedules: [expression].flat().map(cron), timezone, dst, ...more }),
      );
    }
  });

  test('of a rate with a start keep its phase; of one without, a grid from the epoch', async () => {
    const specs = new Map((await loaded()).map(({ id, spec }) => [id, spec]));
    const first = (id: string) => timetable(specs.get(id) ?? expect.fail(id)).next(from);
    const start = Date.parse('2026-01-01T00:05:00Z');
    expect(first('every-ninety')).toBe(start);
    expect(timetable(specs.get('every-ninety') ?? expect.fail()).next(start)).toBe(start + 90 * 60_000);
    expect(job('every-ninety').lost).toEqual([]);
    expect(job('rule').lost[0]).toContain('its phase');
  });

  test('pass types, lint and format', async () => {
    const texts = imported.jobs.map(({ id, text }) => [`${id.replaceAll('/', '-')}.ts`, text]);
    const dir = strictProject(Object.fromEntries(texts));
    expect(await typeErrors(dir)).toEqual([]);
    expect(await lintErrors(dir)).toEqual([]);
  });

  test('fail every fire until their work is written', async () => {
    const dir = jobsFolder({ 'pay.ts': job('pay').text });
    const [pay] = (await loadCatalog({ jobsDir: dir, now })).jobs;
    await expect(async () => Reflect.apply(pay?.options.run ?? expect.fail(), null, [])).rejects.toThrow(
      'ran is not written here yet',
    );
  });

  test('of what was disabled, or may be, are none until they are renamed', () => {
    const off = imported.jobs
      .filter(({ found }) => found.off !== undefined)
      .map((one) => [one.path, one.found.off]);
    expect(off).toEqual([
      ['out/_prices.ts', 'it was suspended'],
      ['out/_hourly.ts', 'it was disabled'],
      ['out/cleanup-function/_nightly.ts', 'whether it is enabled depends on !If ["IsProd",true,false]'],
      ['out/send-digest/_monthly.ts', 'it was disabled'],
    ]);
  });
});

test('a file of a crontab', () => {
  expect(job('backup').text).toMatchInlineSnapshot(`
    "import { cron, defineJob } from '#job';

    // Imported from test/cli/import/fixtures/crontab:10. It ran:
    //   cd /srv/shop && /usr/bin/nice -n 5 ./backup.sh --full | gzip > /backup/shop.gz
    // Not carried over:
    //   - environment SHELL: see the option environment
    //   - mail of its output to ops@example.com: see ctx.log
    //   - shell: pipes, redirections and lists of commands
    export default defineJob({
      description: "Nightly backup of the shop's database to the other building",
      schedule: cron('30 2 * * *'),
      timezone: 'America/New_York',
      // Decide: what if nothing started it in time? 'skip' makes none up; 'latest' the newest; 'all' each.
      missed: 'skip',
      // Decide: what if it died half-way? 'park' asks a person; 'rerun' is right if doing it twice does no harm.
      crashed: 'park',
      // What if the one before still runs? 'allow' starts the new one all the same; 'skip' leaves it out.
      overlap: 'allow',

      async run() {
        throw new Error('What test/cli/import/fixtures/crontab:10 ran is not written here yet');
      },
    });
    "
  `);
});

test('a file of a CronJob', () => {
  expect(job('billing/nightly-report').text).toMatchInlineSnapshot(`
    "import { cron, defineJob } from '#job';

    // Imported from test/cli/import/fixtures/cronjobs.yaml:9. It ran:
    //   image registry.example.com/report:1.4.2
    //   /bin/report --day yesterday --title "it's done"
    // Not carried over:
    //   - backoffLimit 3: a failed run is not tried again by itself
    //   - environment DATABASE_URL: see the options environment and secrets
    //   - of its pod: volumes, serviceAccountName
    export default defineJob({
      description: "Sums up the day's invoices",
      schedule: cron('30 1 * * *'),
      timezone: 'America/New_York',
      // As Kubernetes does when the clocks change. Without this line a time that is skipped is due after the gap,
      // and one that comes twice is due the first time.
      dst: { gap: 'skip', repeat: 'both' },
      // Decide: what if nothing started it in time? 'skip' makes none up; 'latest' the newest; 'all' each.
      missed: 'skip',
      // Decide: what if it died half-way? 'park' asks a person; 'rerun' is right if doing it twice does no harm.
      crashed: 'park',
      // What if the one before still runs? 'allow' starts the new one all the same; 'skip' leaves it out.
      overlap: 'skip',
      grace: '200 seconds',
      timeout: '10 minutes',

      async run() {
        throw new Error('What test/cli/import/fixtures/cronjobs.yaml:9 ran is not written here yet');
      },
    });
    "
  `);
});

test('a file of a Scheduler schedule', () => {
  expect(job('payroll-run').text).toMatchInlineSnapshot(`
    "import { cron, defineJob } from '#job';

    // Imported from test/cli/import/fixtures/template.yaml:16. It ran:
    //   !GetAtt PayrollFunction.Arn
    //   Input: {"dryRun": false}
    // Not carried over:
    //   - FlexibleTimeWindow of 15 minutes: it is due to the minute; see the option spread
    //   - Input: what a run was given belongs in run()
    //   - RetryPolicy: grace says how late a fire may start, and missed what becomes of it then
    //   - DeadLetterConfig: a fire that came to nothing is in the ledger
    //   - Condition IsProd: see the option stages
    export default defineJob({
      description: 'Pays everybody',
      schedule: cron('cron(30 2 L * ? *)'),
      timezone: 'Europe/Berlin',
      from: '2026-01-01T01:00',
      until: '2028-01-01T01:00',
      // Decide: what if nothing started it in time? 'skip' makes none up; 'latest' the newest; 'all' each.
      missed: 'skip',
      // Decide: what if it died half-way? 'park' asks a person; 'rerun' is right if doing it twice does no harm.
      crashed: 'park',
      // What if the one before still runs? 'allow' starts the new one all the same; 'skip' leaves it out.
      overlap: 'allow',

      async run() {
        throw new Error('What test/cli/import/fixtures/template.yaml:16 ran is not written here yet');
      },
    });
    "
  `);
});

test('a file of a SAM function keeps its limits', () => {
  expect(job('cleanup-function/weekdays').text).toContain("  timeout: '2 minutes',\n  memory: 512,\n");
});

test('what doesn’t carry over is told, schedule by schedule', () => {
  const lost = Object.fromEntries(imported.jobs.map(({ id, lost }) => [id, lost]));
  expect(lost).toMatchInlineSnapshot(`
    {
      "app-reports-weekly": [
        "environment PATH: see the option environment",
        "user www-data: its role may do what the option permissions says",
      ],
      "backup": [
        "environment SHELL: see the option environment",
        "mail of its output to ops@example.com: see ctx.log",
        "shell: pipes, redirections and lists of commands",
      ],
      "billing/nightly-report": [
        "backoffLimit 3: a failed run is not tried again by itself",
        "environment DATABASE_URL: see the options environment and secrets",
        "of its pod: volumes, serviceAccountName",
      ],
      "check": [
        "environment SHELL: see the option environment",
        "mail of its output to ops@example.com: see ctx.log",
      ],
      "cleanup-function/nightly": [
        "of its function: Policies",
      ],
      "cleanup-function/weekdays": [
        "Input: what a run was given belongs in run()",
        "of its function: Policies",
      ],
      "every-ninety": [],
      "hourly": [],
      "mail": [
        "environment SHELL: see the option environment",
        "standard input, after the %",
      ],
      "new-year": [],
      "pay": [
        "environment SHELL: see the option environment",
        "mail of its output to ops@example.com: see ctx.log",
      ],
      "payroll-run": [
        "FlexibleTimeWindow of 15 minutes: it is due to the minute; see the option spread",
        "Input: what a run was given belongs in run()",
        "RetryPolicy: grace says how late a fire may start, and missed what becomes of it then",
        "DeadLetterConfig: a fire that came to nothing is in the ledger",
        "Condition IsProd: see the option stages",
      ],
      "prices": [
        "concurrencyPolicy Replace: the running one is not ended for the new one, which is skipped",
        "startingDeadlineSeconds 30: the grace is from 1 minute to 24 hours",
        "backoffLimit 6 (the default): a failed run is not tried again by itself",
      ],
      "pull-rates": [
        "rate(10 minutes): its phase, which was AWS's; it is due on a fixed grid from 1970-01-01T00:00:00Z",
        "of its function: environment",
      ],
      "rotate-logs": [
        "environment SHELL: see the option environment",
        "mail of its output to ops@example.com: see ctx.log",
      ],
      "rule": [
        "rate(1 day): its phase, which was AWS's; it is due on a fixed grid from 1970-01-01T00:00:00Z",
        "2 targets: one handler does the work of all",
        "Input: what a run was given belongs in run()",
      ],
      "schedule-run": [
        "environment SHELL: see the option environment",
        "mail of its output to ops@example.com: see ctx.log",
        "shell: pipes, redirections and lists of commands",
      ],
      "send-digest/monthly": [],
      "send-digest/morning": [
        "input: what a run was given belongs in run()",
      ],
      "sessionclean": [
        "environment PATH: see the option environment",
        "user root: its role may do what the option permissions says",
        "shell: pipes, redirections and lists of commands",
      ],
      "weekly-digest-rule": [],
    }
  `);
});

test('what can’t be a job is told with its line, in the order of the files', () => {
  expect(
    imported.left.map(({ source, what, why }) => `${source.replace(`${fixtures}/`, '')} ${what}: ${why}`),
  ).toMatchInlineSnapshot(`
    [
      "crontab:15 @reboot /usr/local/bin/warm-cache: is no time: nothing boots here; for a job that is only started by hand write schedule: manual()",
      "crontab:21 never: minute: "61" is out of range (character 1 of "61 3 * * *"); allowed are 0-59, with * , - /",
      "crontab:22 this is no entry: is no entry: five fields (or a word such as @daily) and a command",
      "cronjobs.yaml:53 broken: hour: "25" is out of range (character 3 of "0 25 * * *"); allowed are 0-23, with * , - /",
      "template.yaml:63 schedule Unknown: !Ref Nightly is known only at deployment; write the value in its place",
      "serverless.yml:30 schedule of sendDigest: \${self:custom.nightly} is known only at deployment; write the value in its place",
      "serverless.yml:31 sendDigest: schedule: "0 3 * * *" is no EventBridge expression; write cron(…), rate(…) or at(…), with nothing before or after",
    ]
  `);
});

interface Case {
  readonly id: string;
  readonly expression: string;
  readonly timezone: string;
  readonly valid: boolean;
  readonly fires?: readonly string[];
}

function cases(name: string): Case[] {
  return JSON.parse(readFileSync(new URL(`../../cases/${name}`, import.meta.url), 'utf8')).cases;
}

async function importText(text: string): Promise<Import> {
  return importFiles(['-'], { out: 'out', timezone: undefined, now, input: Readable.from([text]) });
}

describe('expressions in use come through an import', () => {
  const firesAfter = ({ schedules, timezone }: Spec) => {
    const due = timetable({ schedules, timezone, dst: aws });
    const fires: string[] = [];
    let fire = due.next(Date.parse('2026-10-01T00:00:00Z'));
    for (; fire !== null && fires.length < 3; fire = due.next(fire))
      fires.push(`${new Date(fire).toISOString().slice(0, 19)}Z`);
    return fires;
  };

  async function expectFires(texts: Import, all: readonly Case[]): Promise<void> {
    const dir = jobsFolder(Object.fromEntries(texts.jobs.map(({ id, text }) => [`${id}.ts`, text])));
    const jobs = (await loadCatalog({ jobsDir: dir, now })).manifest.jobs;
    for (const { id, valid, fires } of all) {
      const one = jobs.find((candidate) => candidate.id === id.toLowerCase());
      expect(one !== undefined, id).toBe(valid);
      if (one !== undefined && fires !== undefined) expect(firesAfter(one.spec), id).toEqual(fires);
    }
  }

  test('Unix', async () => {
    const all = cases('expressions-unix.json');
    const lines = all.map(
      ({ id, expression, timezone }) => `CRON_TZ=${timezone}\n${expression} /usr/bin/${id}`,
    );
    await expectFires(await importText(lines.join('\n')), all);
  });

  test('EventBridge', async () => {
    const all = cases('expressions-eventbridge.json');
    const resources = all.map(({ id, expression, timezone }) => [
      id,
      {
        Type: 'AWS::Scheduler::Schedule',
        Properties: { Name: id, ScheduleExpression: expression, ScheduleExpressionTimezone: timezone },
      },
    ]);
    await expectFires(await importText(JSON.stringify({ Resources: Object.fromEntries(resources) })), all);
  });
});
