import { expect, test } from 'vitest';
import { cron, problems, zoneProblem } from '../../../functions/domain/schedule/index.ts';
import { fuzz } from './fuzz.ts';
import { Random } from './random.ts';

const STRINGS = 30_000;

test('any text is either followed or refused with our error, in words', () => {
  const { followed, refused } = fuzz(new Random('fuzz'), STRINGS);
  expect(Math.min(followed, refused)).toBeGreaterThan(STRINGS / 20);
});

test('text of any length is refused in bounded time and words', () => {
  for (const text of ['*'.repeat(1e6), '1,'.repeat(1e6), `cron(${'9 '.repeat(1e6)})`, ' '.repeat(1e6)]) {
    const [problem = ''] = problems({ schedules: [cron(text)], timezone: 'UTC' });
    expect(problem.length).toBeLessThan(700);
  }
  expect(zoneProblem('x'.repeat(1e6))?.length).toBeLessThan(300);
});
