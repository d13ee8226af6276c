import { expect, test } from 'vitest';
import {
  cron,
  problems,
  ScheduleError,
  timetable,
  zoneProblem,
} from '../../../functions/domain/schedule/index.ts';
import { Random } from './random.ts';
import { randomCron } from './random-cron.ts';

const STRINGS = 50_000;
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

function noise(random: Random): string {
  return Array.from({ length: random.integer(0, 30) }, () => random.pick(SIGNS)).join('');
}

/** A valid expression with one place replaced: nearer to the parser's edges than noise. */
function damaged(random: Random): string {
  const { text } = randomCron(random, []);
  const at = random.integer(0, text.length);
  return text.slice(0, at) + random.pick(SIGNS) + text.slice(at + random.integer(0, 3));
}

const WORDS = /^(schedule|minute|hour|day-of-month|month|day-of-week|year|every|at): .{10}/;

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

test('any text is either followed or refused with our error, in words', () => {
  const random = new Random('fuzz');
  const seen = { followed: 0, refused: 0 };
  for (let count = 0; count < STRINGS; count++) {
    const text = random.chance(0.5) ? noise(random) : damaged(random);
    const outcome = judge(text);
    if (outcome !== 'followed' && outcome !== 'refused') expect.fail(`${JSON.stringify(text)}: ${outcome}`);
    seen[outcome]++;
  }
  expect(Math.min(seen.followed, seen.refused)).toBeGreaterThan(STRINGS / 20);
});

test('text of any length is refused in bounded time and words', () => {
  for (const text of ['*'.repeat(1e6), '1,'.repeat(1e6), `cron(${'9 '.repeat(1e6)})`, ' '.repeat(1e6)]) {
    const [problem = ''] = problems({ schedules: [cron(text)], timezone: 'UTC' });
    expect(problem.length).toBeLessThan(700);
  }
  expect(zoneProblem('x'.repeat(1e6))?.length).toBeLessThan(300);
});
