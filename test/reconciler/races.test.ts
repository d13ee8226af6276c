import { expect, test } from 'vitest';
import { cancelRun } from '../../functions/domain/cancel.ts';
import type { Ledger } from '../../functions/domain/ledger.ts';
import { offerLifeMs } from '../../functions/domain/offer.ts';
import type { Run } from '../../functions/domain/run.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import { leaseUntil } from '../../functions/domain/start.ts';
import { day, minute } from '../../functions/domain/time.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { ledgerWith } from '../runtime/world.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { deliver, succeed, World } from '../support/reconciler.ts';

const daily = { schedule: cron('0 12 * * *') };

/** A world whose job is paused between a sweep's reads and the first move that it makes after `from`. */
async function pausedBeforeMove(from: number) {
  const memory = memoryLedger();
  const job = manifestJob({ ...daily, crashed: 'rerun' });
  const made: World = new World(
    at('11:50'),
    [job],
    ledgerWith(memory, {
      move: async (...how) => {
        if (made.now >= from) await memory.setPause(job.id, { at: made.now, by: 'ops', note: '' });
        return memory.move(...how);
      },
    }),
  );
  await made.sweep();
  await deliver(made, job, at('12:00'));
  return { made, job };
}

const leaseEnd = leaseUntil(at('12:00'), manifestJob().timeoutMs);

test('a crashed run is not offered by a sweep that had not seen its job’s pause yet; the next one has it wait', async () => {
  const { made } = await pausedBeforeMove(leaseEnd);
  await made.sweepAt(leaseEnd);
  expect(made.invoked).toEqual([]);
  await made.sweepAt(leaseEnd + 60_000);
  expect(await made.lines()).toEqual(['12:00 waiting slot']);
});

test.each(['rerun', 'park'] as const)(
  'a run that is asked to end between the read and the take-over of a sweep goes on under `%s` no more: the next one cancels it',
  async (crashed) => {
    const memory = memoryLedger();
    const request = { at: leaseEnd, by: 'ada', reason: 'operator' } as const;
    const ask = async (run: Run) => {
      const asked = cancelRun(run, request, { state: null, token: 'unused' });
      if (asked.kind === 'requested') await memory.move(run, asked.fence, asked.change);
    };
    let ofDead: Run | undefined;
    const move: Ledger['move'] = async (...how) => {
      if (ofDead !== undefined) await ask(ofDead);
      ofDead = undefined;
      return memory.move(...how);
    };
    const job = manifestJob({ ...daily, crashed });
    const made = new World(at('11:50'), [job], ledgerWith(memory, { move }));
    await made.sweep();
    ofDead = await deliver(made, job, at('12:00'));
    await made.sweepAt(leaseEnd);
    expect(await made.lines()).toEqual(['12:00 running']);
    await made.sweepAt(leaseEnd + minute);
    expect(await made.lines()).toEqual(['12:00 canceled operator']);
    expect(made.invoked).toEqual([]);
    expect(await memory.job(job.id)).not.toHaveProperty('slot');
  },
);

test('an expired offer is not made anew by a sweep that had not seen its job’s pause yet', async () => {
  const offerEnd = leaseEnd + offerLifeMs(manifestJob().graceMs);
  const { made } = await pausedBeforeMove(offerEnd);
  await made.sweepAt(leaseEnd);
  expect(made.invoked).toHaveLength(1);
  await made.sweepAt(offerEnd);
  expect(made.invoked).toHaveLength(1);
});

test('the tally counts a waiting run whose write was given up, and carried out only before the next admission', async () => {
  const memory = memoryLedger();
  let straggler: (() => Promise<unknown>) | undefined;
  const ledger = ledgerWith(memory, {
    create: async (run, effect) => {
      if (run.key !== '2026-12-01T12:10:00Z') return memory.create(run, effect);
      straggler = () => memory.create(run, effect);
      throw new Error('no answer in time');
    },
    move: async (...how) => {
      await straggler?.();
      straggler = undefined;
      return memory.move(...how);
    },
  });
  const missed = { policy: 'all', limit: 100, maxAgeMs: 7 * day, ratePerMinute: 10 } as const;
  const job = manifestJob({ schedule: cron('0,5,10 12 * * *'), timeoutMs: 14 * minute, missed });
  const made = new World(at('11:50'), [job], ledger);
  await made.sweep();
  const long = await deliver(made, job, at('12:00'));
  await made.sweepAt(at('12:08:30'));
  await succeed(made, long);
  await made.sweepAt(at('12:13:30'));
  expect(await made.lines()).toEqual(['12:00 succeeded', '12:05 waiting catch-up', '12:10 waiting catch-up']);
  expect((await memory.job(job.id))?.catchUp.waiting).toBe(2);
});

test('the slot of a dead run goes back also when the run took it in the midst of the sweep: its process had been frozen', async () => {
  const memory = memoryLedger();
  const job = manifestJob({ ...daily, crashed: 'park' });
  const made: World = new World(
    at('11:50'),
    [job],
    ledgerWith(memory, {
      open: async (...range) => {
        if (made.now === leaseEnd && (await made.runs()).length === 0) await deliver(made, job, at('12:00'));
        return memory.open(...range);
      },
    }),
  );
  await made.sweep();
  await made.sweepAt(leaseEnd);
  expect(await made.lines()).toEqual(['12:00 parked crashed']);
  expect(await memory.job(job.id)).not.toHaveProperty('slot');
});
