import { cron, problems, ScheduleError, timetable } from '../../../functions/domain/schedule/index.ts';
import type { Random } from './random.ts';
import { randomCron } from './random-cron.ts';

const SIGNS = [
  ...'*?/-,#LWl@ \t0123456789',
  'MON',
  'sun',
  'FEB',
  'cron(',
  'rate(',
  'at(',
  ')',
  '\u00a0',
  'é',
  'ſ',
  '１',
];
const WORDS = /^(schedule|minute|hour|day-of-month|month|day-of-week|year|every|at): .{10}/;

/** A text as the fuzzer makes them, half of them noise. */
export function randomText(random: Random): string {
  return random.chance(0.5) ? noise(random) : damaged(random);
}

/** How many random texts were followed, and how many refused; throws at the first of which neither is true. */
export function fuzz(random: Random, strings: number): { followed: number; refused: number } {
  const seen = { followed: 0, refused: 0 };
  for (let count = 0; count < strings; count++) {
    const text = randomText(random);
    const outcome = judge(text);
    if (outcome !== 'followed' && outcome !== 'refused')
      throw new Error(`${JSON.stringify(text)}: ${outcome}`);
    seen[outcome]++;
  }
  return seen;
}

function noise(random: Random): string {
  return Array.from({ length: random.integer(0, 30) }, () => random.pick(SIGNS)).join('');
}

/** A valid expression with one place replaced: nearer to the parser's edges than noise. */
function damaged(random: Random): string {
  const { text } = randomCron(random, []);
  const at = random.integer(0, text.length);
  return text.slice(0, at) + random.pick(SIGNS) + text.slice(at + random.integer(0, 3));
}

/** `followed`, `refused`, or what went wrong. */
function judge(text: string): string {
  const spec = { schedules: [cron(text)], timezone: 'UTC' };
  const found = problems(spec);
  if (found.length === 0) {
    const fire = timetable(spec).next(Date.UTC(2026, 0));
    return fire === null || fire % 60_000 === 0 ? 'followed' : `due at ${fire}`;
  }
  const dumb = found.find((problem) => !WORDS.test(problem));
  if (dumb !== undefined) return dumb;
  try {
    timetable(spec);
    return 'followed in spite of its problems';
  } catch (error) {
    return error instanceof ScheduleError ? 'refused' : String(error);
  }
}
