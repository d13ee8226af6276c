import { CronExpressionParser } from 'cron-parser';
import { Cron } from 'croner';
import { cron, type Timetable, timetable } from '../../functions/domain/schedule/index.ts';
import { type BenchRow, median, row } from './row.ts';

/** Finds `count` fires, one after the other, and returns how many it found before the library gave up. */
type Walk = (count: number) => number;

const EXPRESSIONS = ['* * * * *', '*/15 9-17 * * 1-5', '0 3 * * *', '30 8 * * 1', '0 0 1 * *'];
const ZONES = ['UTC', 'America/New_York', 'Australia/Lord_Howe'];
const FROM = Date.UTC(2026, 0);
const YEAR = 365 * 86_400_000;
const ROUNDS = 5;
const JOBS = 10_000;

/** Medians of rounds in which the libraries take turns, in processor time, so that neighbours don't matter. */
export function benchSchedule(): BenchRow[] {
  const walks = ZONES.flatMap((zone) => EXPRESSIONS.map((text) => firesPerSecond(text, zone)));
  return [...walks, yearOfMinutes(), leapDay(), dueInLastMinute()];
}

function firesPerSecond(text: string, timezone: string): BenchRow {
  const [ours = 0, croner = 0, cronParser = 0] = speeds(
    [ourWalk(text, timezone), 20_000],
    [cronerWalk(text, timezone), 1_000],
    [cronParserWalk(text, timezone), 90],
  );
  const peer = Math.max(croner, cronParser);
  const peerName = peer === croner ? 'croner' : 'cron-parser';
  const metric = `${text} in ${timezone}: fires per second (higher is better)`;
  return row({ name: 'schedule', metric, ours, peer, peerName });
}

/** Fires per second of each walk, the first round being a warm-up. */
function speeds(...walks: [walk: Walk, count: number][]): number[] {
  const measured = walks.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round++) {
    walks.forEach(([walk, count], index) => {
      let fires = 0;
      const ms = processorMs(() => {
        fires = walk(count);
      });
      if (round > 0) measured[index]?.push((fires / ms) * 1_000);
    });
  }
  return measured.map(median);
}

function ourWalk(text: string, timezone: string): Walk {
  const table = timetable({ schedules: [cron(text)], timezone });
  return (count) => {
    let found = 0;
    for (const fire of table.between(FROM, Number.POSITIVE_INFINITY)) {
      found += fire > FROM ? 1 : 0;
      if (found === count) break;
    }
    return found;
  };
}

function cronerWalk(text: string, timezone: string): Walk {
  const job = new Cron(text, { timezone, paused: true });
  return (count) => {
    let fire: Date | null = new Date(FROM);
    let found = 0;
    for (; found < count && fire !== null; found++) fire = job.nextRun(fire);
    return found;
  };
}

function cronParserWalk(text: string, timezone: string): Walk {
  return (count) => {
    const iterator = CronExpressionParser.parse(text, { tz: timezone, currentDate: new Date(FROM) });
    let found = 0;
    // It throws after some fires in zones with a half-hour change; what it found until then counts.
    try {
      for (; found < count; found++) iterator.next();
    } catch {
      return found;
    }
    return found;
  };
}

function yearOfMinutes(): BenchRow {
  const table = timetable({ schedules: [cron('* * * * *')], timezone: 'America/New_York' });
  const ours = medianMs(() => drain(table, FROM, FROM + YEAR));
  return row({
    name: 'schedule',
    metric: 'a year of a minutely job: ms',
    ours,
    peer: 200,
    peerName: 'limit',
  });
}

function leapDay(): BenchRow {
  const text = '0 0 29 2 *';
  const table = timetable({ schedules: [cron(text)], timezone: 'America/New_York' });
  const from = Date.UTC(2024, 2);
  const ours = microseconds(2_000, () => table.next(from));
  const job = new Cron(text, { timezone: 'America/New_York', paused: true });
  const peer = microseconds(200, () => job.nextRun(new Date(from)));
  return row({ name: 'schedule', metric: 'the next 29 February: µs', ours, peer, peerName: 'croner' });
}

/** Ten thousand jobs of many expressions and zones, asked what was due in the last minute. */
function dueInLastMinute(): BenchRow {
  const jobs = Array.from({ length: JOBS }, (_, index) => {
    const text = EXPRESSIONS[index % EXPRESSIONS.length] ?? '';
    return timetable({ schedules: [cron(text)], timezone: ZONES[index % ZONES.length] ?? 'UTC' });
  });
  let now = FROM;
  const ours = medianMs(() => {
    now += 60_000;
    let due = 0;
    for (const job of jobs) due += drain(job, now - 60_000, now);
    return due;
  });
  const metric = '10,000 jobs in the last minute: ms';
  return row({ name: 'schedule', metric, ours, peer: 20, peerName: 'limit' });
}

function drain(table: Timetable, from: number, to: number): number {
  let count = 0;
  for (const fire of table.between(from, to)) count += fire > from ? 1 : 0;
  return count;
}

function medianMs(work: () => unknown): number {
  const times: number[] = [];
  for (let round = 0; round <= 2 * ROUNDS; round++) {
    const ms = processorMs(work);
    if (round > 0) times.push(ms);
  }
  return median(times);
}

function processorMs(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

function microseconds(repeats: number, work: () => unknown): number {
  const ms = medianMs(() => {
    for (let count = 0; count < repeats; count++) work();
  });
  return (ms * 1_000) / repeats;
}
