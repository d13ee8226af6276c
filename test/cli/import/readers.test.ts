import { describe, expect, test } from 'vitest';
import { carry } from '../../../functions/cli/import/carry.ts';
import { readCrontab } from '../../../functions/cli/import/crontab.ts';
import { jobIdsOf } from '../../../functions/cli/import/job-ids.ts';
import { programName } from '../../../functions/cli/import/program-name.ts';
import { readSchedules } from '../../../functions/cli/import/read-file.ts';
import { jobIdProblem } from '../../../functions/domain/names.ts';

const entriesOf = (text: string, path = 'crontab') => readCrontab(text, path).found;

describe('a crontab', () => {
  test('comments directly above an entry describe it; rulers, columns and old entries don’t', () => {
    const text = [
      '# A heading of the file',
      '',
      '# Sends the digest,',
      '# to everybody',
      '0 9 * * * /opt/digest',
      '0 10 * * * /opt/plain',
      '# -----------',
      '# m h dom mon dow command',
      '#0 4 * * * /opt/old',
      '0 11 * * * /opt/ruled --password hunter2',
    ].join('\n');
    expect(entriesOf(text).map(({ description }) => description)).toEqual([
      'Sends the digest, to everybody',
      'Run plain',
      'Run ruled',
    ]);
  });

  test('variables hold for what comes after them; CRON_TZ is the zone, TZ is not', () => {
    const text = [
      'TZ=Asia/Tokyo',
      '0 1 * * * /opt/a',
      'CRON_TZ = "Europe/Berlin"',
      '0 1 * * * /opt/b',
      'CRON_TZ=:UTC',
      '0 1 * * * /opt/c',
    ].join('\r\n');
    expect(entriesOf(text).map(({ timezone }) => timezone)).toEqual([undefined, 'Europe/Berlin', 'UTC']);
  });

  test.each([
    ['/etc/crontab', '0 1 * * * backup /opt/a'],
    ['/etc/cron.d/shop', '0 1 * * * backup /opt/a'],
    ['crontab.txt', '# m h dom mon dow user command\n0 1 * * * backup /opt/a'],
    ['crontab.txt', '0 2 * * * root /opt/b\n0 1 * * * backup /opt/a'],
  ])('of the system names a user before the command: %s', (path, text) => {
    expect(entriesOf(text, path).at(-1)?.ran).toBe('as backup:\n/opt/a');
  });

  test('of a user does not', () => {
    expect(entriesOf('0 1 * * * backup /opt/a')[0]?.ran).toBe('backup /opt/a');
  });

  test('the first % begins the input, the others are its line ends, and \\% is a %', () => {
    expect(entriesOf('0 1 * * * date +\\%F%one%two')[0]?.ran).toBe('date +%F\nwith the input\none\ntwo');
  });

  test('takes blanks, names, words, a minus in front, and refuses what is none of it', () => {
    const { found, refused } = readCrontab(
      ' 0\t1  *  JAN MON-FRI\t/opt/a\n@Weekly /opt/b\n-*/5 * * * * /opt/c\n@reboot /opt/d\n0 1 * *\n',
      'crontab',
    );
    expect(found.map(({ schedules: [one] }) => one?.kind === 'cron' && one.expression)).toEqual([
      '0 1 * JAN MON-FRI',
      '@Weekly',
      '*/5 * * * *',
    ]);
    expect(refused.map(({ line }) => line)).toEqual([4, 5]);
  });
});

test.each([
  ['/usr/local/bin/backup.sh --full', 'backup'],
  ['cd /srv && nice -n 10 ./bin/report.py > /dev/null', 'report'],
  ['A=1 B=2 /usr/bin/env python3 -m shop.digest', 'shop.digest'],
  ['/usr/bin/flock -n /tmp/x.lock timeout 30m php artisan queue:prune', 'queue:prune'],
  ['[ -x /opt/a ] && /opt/b', 'b'],
  ['test -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.daily; }', 'run-parts'],
  ['bash -c "/opt/rotate.sh"', 'rotate'],
  ['curl -fsS https://example.com/ping', 'curl'],
  ['/opt/1234', 'command'],
])('%s is called %s', (command, name) => {
  expect(programName(command)).toBe(name);
});

describe('job ids', () => {
  test('are lower-case words with dashes, and unique', () => {
    const names = [
      'NightlyReport',
      'nightly_report',
      'HTTPSync2',
      'Überweisung Ä',
      'billing/Send Invoices',
      '日報',
      '--',
      'x-2',
      'X 2',
      'x',
      'x',
    ];
    expect(jobIdsOf(names)).toEqual([
      'nightly-report',
      'nightly-report-2',
      'http-sync2',
      'uberweisung-a',
      'billing/send-invoices',
      'job',
      'job-2',
      'x-2',
      'x-2-2',
      'x',
      'x-3',
    ]);
  });

  test('are valid, however long or odd the name is', () => {
    const names = [
      'a'.repeat(500),
      'a'.repeat(500),
      `${'b-'.repeat(100)}`,
      '/a//b/',
      '../../etc/passwd',
      'con/..',
      'a\u0000b',
    ];
    for (const id of jobIdsOf(names)) expect(jobIdProblem(id)).toBeNull();
  });
});

describe('a CronJob', () => {
  const cronJob = (spec: string) =>
    readSchedules(`kind: CronJob\nmetadata: { name: x }\nspec:\n${spec.replace(/^/gm, '  ')}\n`, 'x.yaml');

  test.each([
    ['', 'allow'],
    ['concurrencyPolicy: Allow', 'allow'],
    ['concurrencyPolicy: Forbid', 'skip'],
    ['concurrencyPolicy: Replace', 'skip'],
  ])('%s overlaps: %s', (policy, overlap) => {
    expect(cronJob(`schedule: "0 3 * * *"\n${policy}`).found[0]?.overlap).toBe(overlap);
  });

  test('keeps its limits, as far as ours go', () => {
    const of = (deadline: number) =>
      cronJob(
        `schedule: 0 3 * * *\nstartingDeadlineSeconds: ${deadline}\njobTemplate: { spec: { activeDeadlineSeconds: ${deadline} } }`,
      ).found[0];
    expect(of(300)).toMatchObject({ graceMs: 300_000, timeoutMs: 300_000 });
    expect(of(10)).toMatchObject({ graceMs: 60_000, timeoutMs: 10_000 });
    expect(of(100_000)).toMatchObject({ graceMs: 86_400_000, timeoutMs: 870_000 });
  });

  test('may name its zone before the fields', () => {
    expect(cronJob('schedule: CRON_TZ=Asia/Tokyo 0 3 * * *').found[0]).toMatchObject({
      timezone: 'Asia/Tokyo',
      schedules: [{ expression: '0 3 * * *' }],
    });
  });

  test('without a schedule is refused', () => {
    expect(cronJob('suspend: yes')).toMatchObject({
      found: [],
      refused: [{ line: 4, why: expect.stringContaining('missing') }],
    });
  });

  test('through anchors and merges is read as what it says', () => {
    const text =
      'x: &x { schedule: "0 3 * * *", suspend: on }\nkind: CronJob\nspec: { <<: *x, timeZone: UTC }\n';
    expect(readSchedules(text, 'x.yaml').found).toMatchObject([{ timezone: 'UTC', off: 'it was suspended' }]);
  });
});

describe('an EventBridge schedule', () => {
  const scheduler = (properties: Record<string, unknown>) => {
    const template = {
      Resources: { S4A1B2C3D: { Type: 'AWS::Scheduler::Schedule', Properties: properties } },
    };
    return readSchedules(JSON.stringify(template), 'x.json');
  };
  const hourly = { ScheduleExpression: 'cron(30 * * * ? *)', ScheduleExpressionTimezone: 'America/New_York' };

  test('of every hour says that the repeated hour is not documented', () => {
    const [found] = scheduler(hourly).found;
    const carried = found && carry(found, 'America/New_York', { asked: undefined, now: 0 });
    expect(carried).toMatchObject({ lost: [expect.stringContaining('comes twice in autumn')] });
    expect(carried).not.toHaveProperty('spec.dst');
  });

  test.each([
    [{ ScheduleExpression: { Ref: 'Cron' } }, '!Ref Cron is known only at deployment'],
    [{ ...hourly, ScheduleExpressionTimezone: { 'Fn::Sub': ['a', {}] } }, '!Sub ["a",{}] is known only'],
    [{}, 'its schedule is missing'],
  ])('that is known only at deployment is refused: %j', (properties, why) => {
    expect(scheduler(properties).refused).toMatchObject([
      { what: 'schedule S4A1B2C3D', why: expect.stringContaining(why) },
    ]);
  });

  test('keeps bounds to the minute, in its own zone', () => {
    const bounds = { StartDate: '2027-01-01T00:00:30Z', EndDate: '2027-02-01T00:00:30Z' };
    expect(scheduler({ ...hourly, ...bounds }).found[0]).toMatchObject({
      from: '2026-12-31T19:01',
      until: '2027-01-31T19:00',
    });
  });
});

test('functions of serverless.yml that stand elsewhere are named', () => {
  const elsewhere = `$\{file(a.yml)}`;
  const text = `service: x\nfunctions:\n  - ${elsewhere}\n  - b: { events: [{ schedule: rate(1 hour) }] }\n`;
  expect(readSchedules(text, 'serverless.yml')).toMatchObject({
    found: [{ name: 'b' }],
    refused: [{ line: 3, what: elsewhere }],
  });
});
