import type { Answer } from './answered.ts';

const catchUp = 'test/domain/catch-up.test.ts';
const missed = 'test/reconciler/missed.test.ts';
const specs = 'test/reconciler/specs.test.ts';
const clock = 'test/local/alarm-clock.test.ts';
const stack = 'test/infra/jobs-stack.test.ts';
const bounds = 'test/domain/schedule/bounds.test.ts';

const noStartDate = [stack, 'never come in a flexible window, and start when they are deployed'] as const;

/** Cases that tests of single rules answer. Some are played through as well. */
export const answers: Readonly<Record<string, Answer>> = {
  C009: {
    rule: 'A sleep rings one alarm at most; the rest is the reconciler’s, by the job’s own `missed`.',
    tests: [
      [clock, 'after a sleep of 78 minutes one alarm rings, the newest, and not each that was slept through'],
      [catchUp, 'skip: none is made up, and each says why'],
    ],
  },
  C016: {
    rule: '`latest` makes up one.',
    tests: [
      [missed, 'latest: the newest runs and stands for the others, which were written before it started'],
    ],
  },
  C017: {
    rule: 'A grid of `every` lies on the epoch; a new job is owed nothing from before.',
    tests: [[specs, 'is owed nothing from before, however often its schedule was due']],
  },
  C024: {
    rule: 'What is made up is bounded in count, age and rate; what is not made up is one record each, so that the count is true.',
    tests: [
      [
        missed,
        'of 30 days, minutely: every fire gets its record, the newest are made up, the live ones come first',
      ],
      [missed, 'no more than the rate is started in a minute'],
    ],
  },
  C026: {
    rule: 'An unknown or misplaced option is refused when the jobs are loaded.',
    tests: [['test/catalog/validate.test.ts', 'an unknown one is refused with the nearest known one']],
  },
  C030: {
    rule: 'A clock set back leaves neither the alarm clock nor the watermark in the future.',
    tests: [
      [clock, 'a clock set back by two hours rings at the next minute'],
      ['test/domain/watermark.test.ts', 'a clock set back never leaves the watermark in the future'],
    ],
  },
  C032: {
    rule: 'A single time has the same grace and the same policy as any other fire.',
    tests: [[catchUp, 'skip: none is made up, and each says why']],
  },
  C036: {
    rule: 'The look-back goes to what is unaccounted for, however long ago that is.',
    tests: [[missed, 'is found whatever its length: the look-back goes to the watermark, not a fixed span']],
  },
  C037: {
    rule: '`until` is the last instant at which it may fire.',
    tests: [[bounds, 'are local times, both included']],
  },
  C038: {
    rule: '`from` and `until` are local times of the job’s zone; alarms have no start or end date of their own.',
    tests: [[bounds, 'are local times, both included'], noStartDate],
  },
  C039: { rule: 'Alarms have no start date that could lie in the past.', tests: [noStartDate] },
  C040: { rule: 'Alarms have no start date that could lie in the past.', tests: [noStartDate] },
  C041: {
    rule: 'A nap of the alarm clock is a millisecond at least, and the next instant is found by a jump.',
    tests: [[clock, 'a nap ends at the next instant, and after a second at the latest']],
  },
  C042: {
    rule: 'The next instant is found from now, never from the one before.',
    tests: [
      [clock, 'after a sleep of 78 minutes one alarm rings, the newest, and not each that was slept through'],
    ],
  },
  C044: {
    rule: 'Nothing rests on an alarm being deleted: one that rings again is a duplicate of its fire, and past its grace a stray.',
    tests: [
      [
        'test/runtime/delivery.test.ts',
        'of a fire that has its run is a duplicate: counted, logged as normal traffic, nothing run',
      ],
    ],
  },
};
