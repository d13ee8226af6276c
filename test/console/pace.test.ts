import { expect, test } from 'vitest';
import { paceOf } from '../../functions/console/server/pace.ts';
import { minute, second } from '../../functions/domain/time.ts';

/** When a ledger is looked at in two minutes, in seconds; a person presses something after 30 of them. */
async function looks(of: { stage?: string; everyMs?: number }, isPressed: boolean): Promise<number[]> {
  let now = 0;
  const pause = async (ms: number) => {
    now += ms;
    if (isPressed && now === 30 * second) pace.hurry();
  };
  const pace = paceOf({ ...of, elapsed: () => now, pause });
  const seen: number[] = [];
  while (now < 2 * minute) {
    await pace.next(() => true);
    seen.push(now / second);
  }
  return seen;
}

const every = (seconds: number, from: number, to: number) =>
  Array.from({ length: (to - from) / seconds + 1 }, (_, index) => from + index * seconds);

test('a data folder is looked at each 2 s, a stage each 10 s', async () => {
  expect(await looks({}, false)).toEqual(every(2, 2, 120));
  expect(await looks({ stage: 'prod' }, false)).toEqual(every(10, 10, 120));
});

test('for a minute after a person has pressed something, a stage is looked at each 2 s', async () => {
  expect(await looks({ stage: 'prod' }, true)).toEqual([10, 20, ...every(2, 30, 88), 98, 108, 118, 128]);
});

test('when nobody listens any more, a stage’s next look is not waited for', async () => {
  let now = 0;
  const pause = async (ms: number) => {
    now += ms;
  };
  await paceOf({ stage: 'prod', elapsed: () => now, pause }).next(() => now < 4 * second);
  expect(now).toBe(4 * second);
});
