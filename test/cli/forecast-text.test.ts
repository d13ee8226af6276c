import { expect, test } from 'vitest';
import { dayStrips } from '../../functions/cli/render/day-strips.ts';
import { forecastText } from '../../functions/cli/render/forecast-text.ts';
import { plainLook } from '../../functions/cli/render/look.ts';
import { type Forecast, forecast } from '../../functions/domain/forecast/index.ts';
import { cron, type Schedule } from '../../functions/domain/schedule/index.ts';
import { day, hour, minute } from '../../functions/domain/time.ts';
import { manifestJob } from '../support/jobs.ts';

const timezone = 'Europe/Berlin';

/** Two jobs that take an hour of a pool of one unit, from a midnight in Berlin. */
function foreseen(from: string, { schedule = cron('0 6 * * *') }: { schedule?: Schedule } = {}): Forecast {
  const ids = ['reports/daily-sales', 'reports/inventory'];
  const start = Date.parse(from);
  return forecast({
    jobs: ids.map((id) => manifestJob({ id, schedule, timezone, pools: { db: 1 } })),
    pools: { db: { capacity: 1 } },
    durations: new Map(ids.map((id) => [id, [hour]])),
    range: { from: start, to: start + 3 * day },
  });
}

function stripsOf(found: Forecast, width: number): string[] {
  const [pool] = found.pools;
  return pool === undefined ? [] : dayStrips(pool, { from: found.from, timezone, look: plainLook(width) });
}

test.each([
  [40, 12],
  [50, 24],
  [80, 48],
  [160, 96],
])('in a terminal of %i columns a day has %i', (width, columns) => {
  const [first = ''] = stripsOf(foreseen('2026-12-01T00:00:00+01:00'), width);
  expect(first.slice(11, -7)).toHaveLength(columns);
  expect(first.slice(11).indexOf('!')).toBe(columns / 4);
});

test('fits the terminal where words allow it', () => {
  const text = forecastText(
    { forecast: foreseen('2026-12-01T00:00:00+01:00'), timezone, past: new Map(), paused: [], jobs: 2 },
    plainLook(100),
  );
  expect(text.split('\n').filter((line) => line.length > 100)).toEqual([]);
});

test('each day shows the hours of the wall, also where the clocks change', () => {
  const [, changing = '', after = ''] = stripsOf(foreseen('2026-10-24T00:00:00+02:00'), 50);
  expect(changing).toContain('Sun 10-25');
  expect(changing.slice(11).indexOf('!')).toBe(6);
  expect(after.slice(11).indexOf('!')).toBe(6);
});

test('a time that a spread moves to another day is told with its date', () => {
  const found = foreseen('2026-12-01T00:00:00+01:00', { schedule: cron('59 23 * * *') });
  const suggestion = {
    pools: ['db'],
    before: { waits: 3, waitMs: 3 * hour, longestWaitMs: hour },
    after: { waits: 0, waitMs: 0, longestWaitMs: 0 },
    changes: [
      {
        job: 'reports/inventory',
        withinMs: hour / 3,
        offsetMs: hour / 4,
        presentMs: 0,
        firstFire: Date.parse('2026-12-01T23:59:00+01:00'),
      },
    ],
    cut: false,
    tooSmall: [],
  };
  const text = forecastText(
    { forecast: { ...found, suggestions: [suggestion] }, timezone, past: new Map(), paused: [], jobs: 2 },
    plainLook(120),
  );
  expect(text).toContain(
    "spread: '20 minutes' on reports/inventory: due at 2026-12-02 00:14 instead of 2026-12-01 23:59",
  );
});

test('a job without a success is a guess, and how its runs ended is said; one that a pool holds up blames the pool', () => {
  const pools = { db: 1 };
  const entry = { timezone: 'UTC', pools };
  const jobs = [
    manifestJob({ id: 'heavy', schedule: cron('0 3 * * *'), ...entry }),
    manifestJob({ id: 'light', schedule: cron('* 3 * * *'), overlap: 'queue-one', ...entry }),
  ];
  const start = Date.parse('2026-12-01T00:00:00Z');
  const found = forecast({
    ...{ jobs, pools: { db: { capacity: 1 } }, range: { from: start, to: start + day } },
    durations: new Map([['light', [minute / 12]]]),
  });
  const past = new Map([['heavy', { durations: [], endedOtherwise: { canceled: 8, 'timed-out': 2 } }]]);
  const text = forecastText({ forecast: found, past, timezone: 'UTC', paused: [], jobs: 2 }, plainLook(300));
  expect(text).toContain('no success is recorded of heavy (8 canceled, 2 timed out), so each run');
  expect(text).toContain(
    "held up light: because it waits for db; of 60 fires 4 superseded, 1 wait for the run before, the longest of them 5.0 s (overlap: 'queue-one'); it is due every 1 min at the closest, and takes 5.0 s",
  );
});
