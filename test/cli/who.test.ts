import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pastRange } from '../../functions/cli/past-range.ts';
import { lanesText } from '../../functions/cli/render/lanes.ts';
import { plainLook } from '../../functions/cli/render/look.ts';
import { toIso } from '../../functions/domain/time.ts';
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

const fl = (command: string) => runFl([...command.split(' '), '--data', folder.dir], { now });

describe('fl who', () => {
  test('tells of a pool who held it when, how much, and what they used', async () => {
    expect((await fl('who --pool reports-db')).out).toMatchInlineSnapshot(`
      "reports-db, 3 units, 2026-12-01 03:02:30 +08:00 to 2026-12-01 04:02:30 +08:00

      RUN                                      HELD               WAITED      WEIGHT  SHARE  READS↓
      pooled/daily-sales#2026-11-30T19:00:00Z  03:02:30–03:12:01  -           2       11 %   66,617
      pooled/inventory#2026-11-30T19:05:00Z    03:12:02–03:16:04  7 min 1 s   2       4 %    2,600
      pooled/daily-sales#2026-11-30T20:00:00Z  04:00:01–now       -           2       3 %    -
      pooled/inventory#2026-11-30T20:01:00Z    waits              1 min 29 s  2       -      -
      No room for CPU, BYTES: --json has them.

                                         03:10       03:20       03:30        03:40       03:50
      pooled/daily-sales 03:00  ████████████
      pooled/inventory 03:05       ░░░░░░░░██████
      pooled/daily-sales 04:00                                                                        ████
      pooled/inventory 04:01                                                                            ░░
      held, of 3                22222222222222222000000000000000000000000000000000000000000000000000000222
      █ holds  ░ waits
      "
    `);
  });

  test('finds those that took nothing of a pool, and metered under its name', async () => {
    expect((await fl('who --pool reports-db --from 02:00 --to 02:20')).out).toMatchInlineSnapshot(`
      "reports-db, 3 units, 2026-12-01 02:00 +08:00 to 2026-12-01 02:20 +08:00

      RUN                                       RAN                READS↓  CPU    BYTES
      reports/daily-sales#2026-11-30T18:00:00Z  02:00:01–02:18:01  84,000  1.0 s  84.0 MB
      reports/inventory#2026-11-30T18:05:00Z    02:05:01–02:14:01  2,600   1.0 s  2.6 MB

                                 02:00             02:05             02:10             02:15
      reports/daily-sales 02:00  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
      reports/inventory 02:05                      ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
      ━ runs  ░ waits
      "
    `);
  });

  test('tells without a pool of all that ran, by CPU', async () => {
    expect((await fl('who --from 02:00 --to 02:10')).out).toMatchInlineSnapshot(`
      "All runs, 2026-12-01 02:00 +08:00 to 2026-12-01 02:10 +08:00

      RUN                                       RAN                CPU↓   BYTES
      reports/daily-sales#2026-11-30T18:00:00Z  02:00:01–02:10:00  0.6 s  46.6 MB
      reports/inventory#2026-11-30T18:05:00Z    02:05:01–02:10:00  0.6 s  1.4 MB
      rates/pull-fx#2026-11-30T18:00:00Z        02:00:01–02:07:01  0.1 s  -

                                 02:00         02:02          02:04         02:06          02:08
      reports/daily-sales 02:00  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
      rates/pull-fx 02:00        ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
      reports/inventory 02:05                                        ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
      ━ runs  ░ waits
      "
    `);
  });

  test('answers in JSON, sorted as asked', async () => {
    const by = async (what: string) =>
      JSON.parse((await fl(`who --pool reports-db --from 03:00 --to 03:20 --by ${what} --json`)).out);
    expect(await by('held')).toMatchObject({
      ...{ pool: 'reports-db', capacity: 3, from: '2026-11-30T19:00:00Z', to: '2026-11-30T19:20:00Z' },
      by: 'held',
      runs: [
        { id: 'pooled/daily-sales#2026-11-30T19:00:00Z', weight: 2, share: 0.4, metered: { reads: 84_000 } },
        { id: 'pooled/inventory#2026-11-30T19:05:00Z', waitedMs: 421_000, cpuMs: 1_000, bytes: 2_600_000 },
      ],
    });
    expect((await by('bytes')).runs).toHaveLength(2);
  });

  test('tells what only metered from what held, in words and in the picture; JSON has it to tenths', async () => {
    const { out } = await fl('who --pool reports-db --from 02:10 --to 03:10');
    expect(out).toMatch(/reports\/inventory\S+ +ran 02:10:00–02:14:01 /);
    expect(out).toMatch(/\nreports\/inventory 02:05 +━+\n/);
    expect(out).toMatch(/\npooled\/daily-sales 03:00 +█+\n/);
    expect(out).toContain('█ holds  ━ runs, and holds nothing  ░ waits');
    const { runs } = JSON.parse((await fl('who --pool reports-db --from 02:10 --to 03:10 --json')).out);
    expect(runs).toContainEqual(
      expect.objectContaining({ weight: 0, share: 0, metered: { reads: 1_160.4 }, cpuMs: 446.3 }),
    );
  });

  test('says so when nobody did', async () => {
    const { out } = await fl('who --pool reports-db --from 01:00 --to 01:20');
    expect(out).toBe(
      'Nobody held, used or waited for reports-db from 2026-12-01 01:00 +08:00 to 2026-12-01 01:20 +08:00.\n',
    );
  });

  test.each([
    ['--pool reports-bd', 'there is no pool "reports-bd"', 'did you mean reports-db?'],
    [
      '--pool reports-db --by writes',
      '--by: "writes" was not metered in that time',
      'reads, held, cpu, bytes',
    ],
    ['--from 2026-12-01T05:00', '--from 2026-12-01T05:00 is', ''],
    ['--from 2026-12-01T03:00 --to 2026-12-01T02:00', 'is not before --to', ''],
    ['--from soon', '--from: "soon" is not a time', ''],
  ])('asked wrongly, says why: %s', async (options, ...messages) => {
    const { code, out, err } = await fl(`who ${options}`);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    for (const message of messages) expect(err).toContain(message);
  });
});

describe('a time of the clock alone', () => {
  const range = (from?: string, to?: string) => {
    const read = pastRange(
      { ...(from !== undefined && { from }), ...(to !== undefined && { to }) },
      { timezone: 'Asia/Taipei', now },
    );
    return [toIso(read.from), toIso(read.until)];
  };

  test('is the last there was, and for the end the first after the start', () => {
    expect(range('02:00', '02:20')).toEqual(['2026-11-30T18:00:00Z', '2026-11-30T18:20:00Z']);
    expect(range('23:50', '00:10')).toEqual(['2026-11-30T15:50:00Z', '2026-11-30T16:10:00Z']);
    expect(range('2026-11-30T23:50', '00:10')).toEqual(['2026-11-30T15:50:00Z', '2026-11-30T16:10:00Z']);
  });

  test('left out is the hour before the end, and now', () => {
    expect(range()).toEqual(['2026-11-30T19:02:30Z', '2026-11-30T20:02:30Z']);
    expect(range('04:00')).toEqual(['2026-11-30T20:00:00Z', '2026-11-30T20:02:30Z']);
    expect(range(undefined, '03:00')).toEqual(['2026-11-30T18:00:00Z', '2026-11-30T19:00:00Z']);
    expect(range('04:00', '05:00')).toEqual(['2026-11-30T20:00:00Z', '2026-11-30T20:02:30Z']);
  });
});

test('lanes are as wide as the terminal, cut labels at their beginning, and show what is shorter than a cell', () => {
  const axis = {
    range: { from: start, until: start + 600_000 },
    look: plainLook(44),
    offset: 0,
    clock: (instant: number) => toIso(instant).slice(11, 16),
  };
  const lanes = [
    { label: 'a', holds: [{ from: start + 1, until: start + 2 }], runs: [], waits: [] },
    {
      label: 'a-label-that-is-much-too-long',
      holds: [],
      runs: [],
      waits: [{ from: start, until: start + 600_000 }],
    },
  ];
  const text = lanesText(lanes, { axis });
  expect(text).toMatchInlineSnapshot(`
    "                        18:00     18:05
    a                       █
    …that-is-much-too-long  ░░░░░░░░░░░░░░░░░░░░"
  `);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBe(44);
});
