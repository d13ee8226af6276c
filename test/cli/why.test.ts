import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedContention } from './contended.ts';
import { runFl } from './run-fl.ts';
import { type SeededFolder, seededFolder } from './seeded.ts';

const start = Date.parse('2026-12-01T02:00:00+08:00');
const now = Date.parse('2026-12-01T04:02:30+08:00');
let folder: SeededFolder;

beforeAll(async () => {
  folder = await seededFolder(start, seedContention);
});

afterAll(async () => {
  await folder.stop();
  folder.remove();
});

async function fl(command: string): Promise<string> {
  const { code, out, err } = await runFl([...command.split(' '), '--data', folder.dir], { now });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

describe('fl why', () => {
  test('of a failure names who ate the database, with its measured reads', async () => {
    expect(await fl('why reports/inventory')).toMatchInlineSnapshot(`
      "reports/inventory#2026-11-30T18:05:00Z  failed
        outcome    It was due 2026-12-01 02:05 +08:00 and ran 02:05:01–02:14:01, 9 min.
                   error: its handler threw QueueFull: reports-db refused 12 reads.
        culprit    Most likely reports/daily-sales#2026-11-30T18:00:00Z: 94 % of the reads of reports-db
                   while this run was alive, 42,000 of 44,600; its own were 2,600.
                   In all it had 84,000 reads of reports-db, 14 times the median of its job's last 6
                   successes (6,000).
                   None of this job's last 6 runs overlapped one of reports/daily-sales; none of them
                   failed.
        unusual    It had 9 min of running, 3.0 times the median of its job's last 6 successes (3 min).
        beside it  2 runs overlapped it; 1 of them shares a pool or something metered with it.

      BESIDE IT                                 TOGETHER  READS OF reports-db
      reports/daily-sales#2026-11-30T18:00:00Z  9 min     42,000 (94 %)
      rates/pull-fx#2026-11-30T18:00:00Z        2 min
      (itself)                                            2,600 (6 %)
      "
    `);
  });

  test('of who ate it blames nobody else', async () => {
    expect(await fl('why reports/daily-sales 02:00')).toMatchInlineSnapshot(`
      "reports/daily-sales#2026-11-30T18:00:00Z  failed
        outcome    It was due 2026-12-01 02:00 +08:00 and ran 02:00:01–02:18:01, 18 min.
                   error: its handler threw QueueFull: reports-db refused 12 reads.
        culprit    No other run: it had 97 % of the reads of reports-db while it was alive, 84,000 of
                   86,600 itself.
        unusual    It had 18 min of running, 4.5 times the median of its job's last 6 successes (4 min).
                   It had 84.0 MB read, written and sent, 14 times the median of its job's last 6
                   successes (6.0 MB).
                   It had 84,000 reads of reports-db, 14 times the median of its job's last 6 successes
                   (6,000).
        beside it  2 runs overlapped it; 1 of them shares a pool or something metered with it.

      BESIDE IT                               TOGETHER  READS OF reports-db
      reports/inventory#2026-11-30T18:05:00Z  9 min     2,600 (3 %)
      rates/pull-fx#2026-11-30T18:00:00Z      7 min
      (itself)                                          84,000 (97 %)
      "
    `);
  });

  test('of a run that waited tells for what, how long and behind whom', async () => {
    expect(await fl('why pooled/inventory 03:05')).toMatchInlineSnapshot(`
      "pooled/inventory#2026-11-30T19:05:00Z  succeeded
        outcome    It was due 2026-12-01 03:05 +08:00 and ran 03:12:04–03:16:04, 4 min.
        waited     It waited 7 min 1 s for reports-db (2), from 2026-12-01 03:05:01 +08:00 on, behind
                   pooled/daily-sales#2026-11-30T19:00:00Z, which had reports-db (2) for 7 min of that.
        late       It started 7 min 4 s after it was due: 1.0 s until it was recorded, 7 min 1 s of
                   waiting, 2.0 s until its code began.
        unusual    It had 7 min 1 s of waiting; of its job's last 6 successes at least half had none.
        beside it  No other run was alive while it was.
      "
    `);
  });

  test('of a run that waits for its pools tells its place, who has them, and when its turn should come', async () => {
    expect(await fl('why pooled/inventory 04:01')).toMatchInlineSnapshot(`
      "pooled/inventory#2026-11-30T20:01:00Z  waiting
        outcome    It was due 2026-12-01 04:01 +08:00.
                   pool: it has its slot, and waits for reports-db (2) since 2026-12-01 04:01:01 +08:00.
        waited     It has waited 1 min 29 s for reports-db (2), since 2026-12-01 04:01:01 +08:00, behind
                   pooled/daily-sales#2026-11-30T20:00:00Z, which had reports-db (2) for 1 min 29 s of
                   that.
        now        It is number 1 of 1 in the order; of reports-db too little is left for it.
                   pooled/daily-sales#2026-11-30T20:00:00Z has reports-db (2) since 2026-12-01 04:00:01
                   +08:00; it should end in 1 min 31 s; at the latest 2026-12-01 04:05:01 +08:00, its
                   timeout.
                   Its turn should come about 2026-12-01 04:04:01 +08:00, in 1 min 31 s, if they take as
                   long as they usually do.
      "
    `);
  });

  test('of a run that waits for its slot tells who has it, and that this one waits itself', async () => {
    expect(await fl('why pooled/inventory 04:02')).toMatchInlineSnapshot(`
      "pooled/inventory#2026-11-30T20:02:00Z  waiting
        outcome    It was due 2026-12-01 04:02 +08:00.
                   slot: waits until no other run of its job is going.
        waited     It has waited 30 s for the slot of its job, since 2026-12-01 04:02 +08:00, behind
                   pooled/inventory#2026-11-30T20:01:00Z, which had it for 30 s of that.
        now        It is number 1 of 1 in the order.
                   pooled/inventory#2026-11-30T20:01:00Z has the slot since 2026-12-01 04:01:01 +08:00; it
                   waits itself: fl why pooled/inventory#2026-11-30T20:01:00Z tells for what.
                   When its turn comes can't be told: how long some of those before it still take isn't
                   known.
      "
    `);
  });

  test('of a skipped run tells who had the slot', async () => {
    expect(await fl('why rates/pull-fx 02:05')).toMatchInlineSnapshot(`
      "rates/pull-fx#2026-11-30T18:05:00Z  skipped
        outcome    It was due 2026-12-01 02:05 +08:00 and never ran.
                   overlap: the run before it had not ended.
        skipped    rates/pull-fx#2026-11-30T18:00:00Z had the slot of its job.
      "
    `);
  });

  test('of a run that crashed and ran again tells so, and blames nobody who has nothing to do with it', async () => {
    expect(await fl('why rates/pull-fx 03:00')).toMatchInlineSnapshot(`
      "rates/pull-fx#2026-11-30T19:00:00Z  succeeded
        outcome    It was due 2026-12-01 03:00 +08:00 and ran in 2 attempts, the last 03:08:00–03:09:00, 1
                   min.
        culprit    Can't tell: none of the runs beside it has a pool, or anything metered by ctx.meter, in
                   common with it.
        ran again  Attempt 1 crashed: its lease ended, and it had not settled; then it was run again.
        beside it  1 run overlapped it, and shares no pool and nothing metered with it.

      BESIDE IT                                TOGETHER
      pooled/daily-sales#2026-11-30T19:00:00Z  7 min 59 s
      (itself)
      "
    `);
  });

  test('answers in JSON', async () => {
    expect(JSON.parse(await fl('why reports/inventory --json'))).toMatchObject({
      id: 'reports/inventory#2026-11-30T18:05:00Z',
      state: 'failed',
      verdict: {
        kind: 'culprit',
        suspect: {
          ...{ id: 'reports/daily-sales#2026-11-30T18:00:00Z', name: 'reports-db', unit: 'reads' },
          ...{ own: 2_600, amount: 42_000, total: 44_600, share: 42_000 / 44_600 },
          unusual: { value: 84_000, median: 6_000, samples: 6 },
          together: { beside: 0, besideFailed: 0, without: 6, withoutFailed: 0 },
        },
      },
      unusual: [{ quantity: { of: 'duration' } }],
      overlaps: [{ id: 'reports/daily-sales#2026-11-30T18:00:00Z', inCommon: ['reports-db'] }, {}],
    });
    expect(JSON.parse(await fl('why pooled/inventory 04:01 --json'))).toMatchObject({
      verdict: null,
      waits: [
        {
          reason: 'pool',
          isOver: false,
          behind: [{ id: 'pooled/daily-sales#2026-11-30T20:00:00Z', weights: { 'reports-db': 2 } }],
        },
      ],
      outlook: {
        position: 1,
        lacks: ['reports-db'],
        holders: [{ until: '2026-11-30T20:04:01Z' }],
        at: '2026-11-30T20:04:01Z',
      },
    });
  });
});
