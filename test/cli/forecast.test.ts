import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cron, every } from '../../functions/domain/schedule/index.ts';
import { day, hour, minute, second } from '../../functions/domain/time.ts';
import { manifestJob } from '../support/jobs.ts';
import { type Ended, runFl } from './run-fl.ts';
import { attemptOf, runOf, type SeededFolder, seededFolder } from './seeded.ts';

const start = Date.parse('2026-12-01T00:00:00Z');
const now = start + 4 * hour;
const timezone = 'Asia/Taipei';
const pools = { 'reports-db': 2 };
const sales = manifestJob({ id: 'reports/daily-sales', schedule: cron('0 3 * * *'), timezone, pools });
const stock = manifestJob({ id: 'reports/stock', schedule: cron('0 3 * * *'), timezone, pools });
const rates = manifestJob({
  id: 'rates/pull-fx',
  schedule: cron('*/15 8-18 * * *'),
  timezone,
  pools: { mail: 1 },
});
const slow = manifestJob({ id: 'uptime/check-endpoints', schedule: every('5 minutes'), timezone });
const took = new Map([
  [sales, 6 * minute],
  [rates, 20 * second],
  [slow, 7 * minute],
]);
let folder: SeededFolder;

beforeAll(async () => {
  folder = await seededFolder(start);
  await folder.ledger.saveManifest({
    version: 1,
    jobs: [sales, stock, rates, slow],
    pools: {
      'reports-db': { capacity: 3, describe: 'IO of the reporting database' },
      mail: { capacity: 4, describe: 'The mail gateway' },
    },
  });
  for (const [job, ms] of took)
    await folder.ledger.create(
      runOf(job, start - day, {
        attempts: [attemptOf(1, start - day, { settledAt: start - day + ms, outcome: 'succeeded' })],
        settledAt: start - day + ms,
      }),
    );
});

afterAll(async () => {
  await folder.stop();
  folder.remove();
});

function fl(command: string): Promise<Ended> {
  return runFl([...command.split(' '), '--data', folder.dir], { now });
}

describe('fl forecast', () => {
  test('shows each pool day by day, who collides, what would help, and what is a guess', async () => {
    const { code, out, err } = await fl('forecast --days 2');
    expect(err).toBe('');
    expect(out).toMatchInlineSnapshot(`
      "4 jobs, 2 pools, 2026-12-01 12:00 +08:00 to 2026-12-03 12:00 +08:00

      mail  capacity 4, <1 % used, never over capacity
      Tue 12-01                          ▂▂▂▂▂▂▂▂▂▂▂▂▂▂··········   <1 %
      Wed 12-02  ················▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂··········   <1 %
      Thu 12-03  ················▂▂▂▂▂▂▂▂                           <1 %
                 00          06          12          18              use

      reports-db  capacity 3, <1 % used, over capacity 2 times, 12 min in all; 2 runs wait for it, 12 min
        in all, the longest 6 min
      Tue 12-01                          ························    0 %
      Wed 12-02  ······!·········································   <1 %
      Thu 12-03  ······!·················                            1 %
                 00          06          12          18              use

      TOGETHER                            TIMES  FIRST             AT MOST FOR  NEEDED
      reports/daily-sales, reports/stock  2      2026-12-02 03:00  6 min        4 of 3

      WAITS          TIMES  TYPICALLY  LONGEST  BEHIND
      reports/stock  2      6 min      6 min    reports/daily-sales (2)

      ▁ to █: the most that is needed at once, against the capacity; !: more than there is; ·: nothing

      try this, and nobody waits any more (now: 2 waits of 12 min in all):
        spread: '15 minutes' on reports/daily-sales: due at 03:08 instead of 03:00
        or leave the times: nobody would wait with 4 of reports-db

      in its own way uptime/check-endpoints: due every 5 min at the closest, and takes 7 min; of 576 fires
        288 skipped (overlap: 'skip')

      a guess: no success is recorded of reports/stock, so each run is taken to last its whole timeout
      "
    `);
    expect(code).toBe(1);
  });

  test('answers in JSON', async () => {
    const { code, out } = await fl('forecast --days 2 --json');
    expect(code).toBe(1);
    const answer = JSON.parse(out);
    expect(answer).toMatchObject({
      from: '2026-12-01T04:00:00Z',
      to: '2026-12-03T04:00:00Z',
      foreseenUntil: '2026-12-03T04:00:00Z',
      pools: [
        { name: 'mail', timesOverCapacity: 0, waits: 0, capacityWithoutWaits: null },
        { name: 'reports-db', capacity: 3, capacityWithoutWaits: 4, waits: 2, waitMs: 12 * minute },
      ],
      neverAdmitted: [],
      paused: [],
    });
    expect(answer.pools[1].peaks[0]).toEqual({
      from: '2026-12-01T19:00:00Z',
      to: '2026-12-01T19:06:00Z',
      demand: 4,
      jobs: ['reports/daily-sales', 'reports/stock'],
    });
    expect(answer.suggestions).toMatchObject([{ pools: ['reports-db'], after: { waits: 0, waitMs: 0 } }]);
    expect(answer.suggestions[0].changes[0]).toMatchObject({ from: '2026-12-01T19:00:00Z' });
    expect(answer.jobs).toContainEqual(
      expect.objectContaining({ id: 'reports/stock', basis: 'timeout', durationMs: 5 * minute }),
    );
  });

  test('of a pool without trouble ends with 0', async () => {
    const { code, out } = await fl('forecast --days 1 --pool mail');
    expect(code).toBe(0);
    expect(out).toContain('never over capacity');
    expect(out).not.toContain('reports');
  });

  test('leaves out the jobs that are paused, and says so', async () => {
    for (const job of [sales, stock])
      await folder.ledger.publish({ jobId: job.id, from: 0, specId: job.specId, spec: job.spec }, null);
    await folder.ledger.setPause(stock.id, { at: start, by: 'ops', note: '' });
    const { code, out } = await fl('forecast --days 1 --pool reports-db');
    await folder.ledger.setPause(stock.id, null);
    expect(out).toContain('left out, since paused: reports/stock');
    expect(code).toBe(0);
  });

  test('says what can be asked for', async () => {
    expect(await fl('forecast --pool report-db')).toMatchObject({
      code: 2,
      err: 'fl: there is no pool "report-db"; did you mean reports-db?\n',
    });
    expect((await fl('forecast --days 40')).err).toContain('write a whole number of days from 1 to 31');
  });
});
