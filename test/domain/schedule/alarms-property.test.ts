import { expect, test } from 'vitest';
import {
  alarmTimetable,
  compileAlarms,
  cron,
  every,
  type Schedule,
  type Spec,
  timetable,
} from '../../../functions/domain/schedule/index.ts';
import { ZONE_NAMES } from '../../../functions/domain/schedule/zone-names.ts';
import { Random } from './random.ts';
import { randomCron } from './random-cron.ts';

const SPECS = 200;
const YEAR = 365 * 86_400_000;
const FROM = Date.UTC(2026, 0);

/** Enough of ten years for expressions that are due every few minutes; all of it for the others. */
const MOST_FIRES = 6_000;

function randomSchedule(random: Random): Schedule {
  if (random.chance(0.2)) return every(`${random.integer(1, 200)} minutes`);
  return cron(randomCron(random, [0, 1, 2, 3, 23]).text);
}

function randomSpec(random: Random): Spec {
  const schedules = Array.from({ length: random.integer(1, 3) }, () => randomSchedule(random));
  const dst = {
    gap: random.pick(['next', 'skip'] as const),
    repeat: random.pick(['first', 'second', 'both'] as const),
  };
  return {
    schedules,
    timezone: random.pick(ZONE_NAMES),
    ...(random.chance(0.5) && { dst }),
    ...(random.chance(0.3) && { spreadMs: random.integer(0, 90) * 60_000 }),
    ...(random.chance(0.1) && { from: '2027-03-01', until: '2034-06-30T12:00' }),
  };
}

function take(fires: Iterable<number>): number[] {
  const taken: number[] = [];
  for (const fire of fires) {
    taken.push(fire);
    if (taken.length === MOST_FIRES) break;
  }
  return taken;
}

test('alarms hit only due instants, and alarms and swept together are all of them', {
  timeout: 60_000,
}, () => {
  const random = new Random('alarms');
  const seen = { alarmed: 0, swept: 0 };
  for (let count = 0; count < SPECS; count++) {
    const spec = randomSpec(random);
    const label = JSON.stringify(spec);
    const { alarms, isSwept } = compileAlarms(spec);
    const due = take(timetable(spec).between(FROM, FROM + 10 * YEAR));
    const until = due.at(-1) ?? FROM;
    const hit = new Set(alarms.flatMap((alarm) => [...alarmTimetable(alarm).between(FROM, until)]));
    const dueSet = new Set(due);
    for (const fire of hit) if (!dueSet.has(fire)) expect.fail(`${label}: alarm off schedule at ${fire}`);
    for (const fire of due) {
      if (isSwept(fire) === hit.has(fire)) expect.fail(`${label}: ${fire} is alarmed and swept, or neither`);
      seen[hit.has(fire) ? 'alarmed' : 'swept']++;
    }
  }
  expect(seen.alarmed).toBeGreaterThan(1000);
  expect(seen.swept).toBeGreaterThan(1000);
});
