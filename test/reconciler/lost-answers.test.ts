import { expect, test } from 'vitest';
import type { Ledger } from '../../functions/domain/ledger.ts';
import { day } from '../../functions/domain/time.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { World } from '../support/reconciler.ts';

const latest = { policy: 'latest', limit: 100, maxAgeMs: 7 * day, ratePerMinute: 10 } as const;

/** A ledger in memory, one verb of which is disturbed once. */
function disturbed(verbs: (memory: Ledger, isFirst: () => boolean) => Partial<Ledger>): Ledger {
  const memory = memoryLedger();
  let first = true;
  const isFirst = () => {
    const was = first;
    first = false;
    return was;
  };
  const changed = verbs(memory, isFirst);
  return new Proxy(memory, {
    get: (target, verb: keyof Ledger) => changed[verb] ?? target[verb].bind(target),
  });
}

test('under `latest` one run stands for an outage though the answer to its record was lost', async () => {
  const ledger = disturbed((memory, isFirst) => ({
    create: async (run, effect) => {
      const answer = await memory.create(run, effect);
      if (run.state === 'waiting' && isFirst()) throw new Error('the answer was lost');
      return answer;
    },
  }));
  const world = new World(at('12:00:30'), [manifestJob({ missed: latest })], ledger);
  await world.sweep();
  expect(await world.sweepAt(at('12:08:30'))).toMatchObject({ gap: 5 });
  expect(await world.lines()).toEqual(['12:05 waiting catch-up']);
  await world.sweepAt(at('12:08:40'));
  const lines = await world.lines();
  expect(lines.filter((line) => line.endsWith('skipped superseded'))).toHaveLength(4);
  expect(lines).toHaveLength(5);
  expect(await world.ledger.job('billing/send-invoices')).toMatchObject({
    catchUp: { waiting: 1, newest: '2026-12-01T12:05:00Z' },
  });
});

test('under `latest` a newer fire is not recorded while superseding the older one collides', async () => {
  const ledger = disturbed((memory, isFirst) => ({
    move: async (ref, fence, change, options) =>
      change.set.reason === 'superseded' && isFirst()
        ? { kind: 'conflict' }
        : memory.move(ref, fence, change, options),
  }));
  const world = new World(at('12:00:30'), [manifestJob({ missed: latest })], ledger);
  await world.sweep();
  await world.sweepAt(at('12:04:30'));
  await world.sweepAt(at('12:05:30'));
  expect(await world.lines()).toEqual(['12:01 waiting catch-up']);
  await world.sweepAt(at('12:05:40'));
  expect(await world.lines()).toEqual(['12:01 skipped superseded', '12:02 waiting catch-up']);
});
