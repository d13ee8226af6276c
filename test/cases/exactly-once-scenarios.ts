import { expect } from 'vitest';
import type { OfferPayload } from '../../functions/contract.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import { hour, minute, second } from '../../functions/domain/time.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import {
  fireTime,
  held,
  jobId,
  key,
  ledgerWith,
  type World,
  type WorldOptions,
  world,
} from '../runtime/world.ts';
import { World as Reconciler } from '../support/reconciler.ts';

const daily = { schedule: cron('0 3 * * *') };
const never = () => new Promise<never>(() => undefined);
const noTimers = () => () => undefined;

/** A sandbox of the job's function. Several on one ledger have clocks and lives of their own. */
function sandbox(options: WorldOptions): Promise<World> {
  return world({ ...options, job: { ...daily, ...options.job } });
}

/** One whose process is stopped once it has claimed its fire: killed, blocked or cut off, until `goOn`. */
async function stopped(options: WorldOptions) {
  const running = held();
  const w = await sandbox({ ...options, code: running.code, ports: () => ({ after: noTimers }) });
  const handled = w.deliver();
  await w.time.pass(0);
  const goOn = async () => {
    running.settle('by the first');
    return (await handled).outcome;
  };
  return { w, goOn };
}

/** The reconciler, which has seen the job before its fire was due. */
async function reconciler({ ledger, entry }: Pick<World, 'ledger' | 'entry'>): Promise<Reconciler> {
  const made = new Reconciler(fireTime - hour, [entry], ledger);
  await made.sweep();
  return made;
}

/** What the newest offer invokes the job's function with. */
function newestOffer({ invoked }: Reconciler): OfferPayload {
  const offer = invoked.at(-1);
  if (offer === undefined) throw new Error('the reconciler made no offer');
  return {
    fireledger: 'offer',
    jobId: offer.jobId,
    run: offer.key,
    token: offer.token,
    attempt: offer.attempts.length + 1,
  };
}

async function endOfLease(w: World): Promise<number> {
  return (await w.run()).attentionAt ?? Number.NaN;
}

/** A crash under a policy, and what the sweep at the end of the lease makes of it. */
async function crash(crashed: 'rerun' | 'park') {
  const ledger = memoryLedger();
  const first = await stopped({ ledger, job: { crashed } });
  const sweeps = await reconciler(first.w);
  const end = await endOfLease(first.w);
  await sweeps.sweepAt(end);
  const second = await sandbox({ ledger, job: { crashed }, now: end, code: () => 'by the second' });
  return { first, sweeps, second };
}

/** Cases that are played through the real runtime and the real reconciler, in virtual time. */
export const scenarios: Readonly<Record<string, () => Promise<void>>> = {
  async B002() {
    for (const remainingMs of [0, 1, -5]) {
      const ledger = memoryLedger();
      const killed = await sandbox({ ledger: ledgerWith(ledger, { move: never }) });
      const sweeps = await reconciler({ ...killed, ledger });
      void killed.deliver({ remainingMs });
      await killed.time.pass(0);
      const end = await endOfLease(killed);
      expect(end).toBe(killed.time.clock() + Math.max(0, remainingMs) + minute);
      await sweeps.sweepAt(end);
      const next = await sandbox({ ledger, now: end });
      expect(await next.send(newestOffer(sweeps))).toMatchObject({ outcome: 'succeeded' });
    }
  },

  async B003() {
    const again = await crash('rerun');
    await again.second.send(newestOffer(again.sweeps));
    expect(again.second.started).toHaveLength(1);
    const once = await crash('park');
    expect(once.sweeps.invoked).toEqual([]);
    expect(await once.second.run()).toMatchObject({ state: 'parked', reason: 'crashed' });
  },

  async B014() {
    const { first, sweeps, second } = await crash('rerun');
    await second.send(newestOffer(sweeps));
    expect(await first.goOn()).toBe('lost');
    expect(await second.run()).toMatchObject({
      state: 'succeeded',
      result: 'by the second',
      attempts: [{ outcome: 'crashed' }, { outcome: 'succeeded' }],
    });
    expect(first.w.recording.logs.at(-1)).toMatchObject({ level: 'error' });
  },

  async B018() {
    const ledger = memoryLedger();
    const create = () => Promise.reject(new Error('ConnectionError'));
    const cutOff = await sandbox({ ledger: ledgerWith(ledger, { create }) });
    const sweeps = await reconciler({ ...cutOff, ledger });
    await expect(cutOff.time.until(cutOff.deliver())).rejects.toThrow('ConnectionError');
    expect(cutOff.started).toEqual([]);
    const graceEnd = fireTime + cutOff.entry.graceMs + minute;
    await sweeps.sweepAt(graceEnd);
    await sweeps.sweepAt(graceEnd + minute);
    const later = await sandbox({ ledger, now: graceEnd + minute });
    expect(await later.send(newestOffer(sweeps))).toMatchObject({ outcome: 'succeeded' });
    expect(later.started).toMatchObject([{ trigger: 'backfill' }]);
  },

  async B020() {
    for (const skew of [-30 * second, -2 * second, 2 * second, 30 * second]) {
      const ledger = memoryLedger();
      const nodes = [
        await sandbox({ ledger, now: fireTime }),
        await sandbox({ ledger, now: fireTime + skew }),
      ];
      const outcomes = [];
      for (const node of nodes) outcomes.push((await node.deliver()).outcome);
      expect(outcomes).toEqual(['succeeded', 'duplicate']);
    }
  },

  async B021() {
    const ledger = memoryLedger();
    const pause = held();
    const create = async (...claim: Parameters<typeof ledger.create>) => {
      await pause.promise;
      return ledger.create(...claim);
    };
    const slow = await sandbox({ ledger: ledgerWith(ledger, { create }) });
    const first = slow.deliver();
    const fast = await sandbox({ ledger, now: fireTime + 8 * second });
    expect(await fast.deliver()).toMatchObject({ outcome: 'succeeded' });
    pause.settle();
    expect(await first).toMatchObject({ outcome: 'duplicate' });
    expect(slow.started).toEqual([]);
  },

  async B025() {
    const ledger = memoryLedger();
    const before = await sandbox({ ledger, now: fireTime });
    await before.deliver();
    const setBack = await sandbox({ ledger, now: fireTime - 10 * second });
    expect(await setBack.deliver()).toMatchObject({ outcome: 'duplicate' });
    await setBack.time.pass(10 * second);
    expect(await setBack.deliver()).toMatchObject({ outcome: 'duplicate' });
    expect(setBack.started).toEqual([]);
  },

  async B031() {
    const w = await sandbox({ now: fireTime - 6 * hour });
    expect(await w.deliver()).toEqual({ outcome: 'stray' });
    expect(await w.ledger.run({ jobId, key })).toBeNull();
    await w.time.pass(6 * hour);
    expect(await w.deliver()).toMatchObject({ outcome: 'succeeded' });
    expect(w.started).toHaveLength(1);
  },

  async B034() {
    const { sweeps, second } = await crash('rerun');
    await second.send(newestOffer(sweeps));
    const { attempts } = await second.run();
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['crashed', 'succeeded']);
  },

  async B035() {
    const { sweeps, second } = await crash('park');
    expect(await second.run()).toMatchObject({ state: 'parked', attempts: [{ outcome: 'crashed' }] });
    expect(await second.ledger.job(jobId)).not.toHaveProperty('slot');
    expect(sweeps.reports.at(-1)).toMatchObject({ parked: 1 });
  },

  async B039() {
    const w = await sandbox({ code: () => Promise.reject(new Error('no')) });
    const outcomes = [];
    for (const wait of [0, minute, minute]) {
      await w.time.pass(wait);
      outcomes.push((await w.deliver()).outcome);
    }
    expect(outcomes).toEqual(['failed', 'duplicate', 'duplicate']);
    expect(w.started).toHaveLength(1);
  },

  async B042() {
    const running = held();
    const w = await sandbox({ code: running.code, job: { timeoutMs: 14 * minute } });
    const sweeps = await reconciler(w);
    const handled = w.deliver();
    for (let minutes = 1; minutes <= 11; minutes += 1) {
      await w.time.pass(minute);
      await sweeps.sweepAt(w.time.clock());
      expect(await w.run()).toMatchObject({ state: 'running', crashes: 0 });
    }
    running.settle('done');
    expect(await handled).toMatchObject({ outcome: 'succeeded' });
    expect(sweeps.invoked).toEqual([]);
  },

  async B043() {
    const ledger = memoryLedger();
    const old = await world({ ledger, job: { schedule: cron('0 * * * *') } });
    const { spec, specId } = (await world({ job: { schedule: cron('0 1/2 * * *') } })).entry;
    await ledger.publish({ jobId, from: fireTime - minute, spec, specId }, old.entry.specId);
    const current = await world({ ledger, job: { spec } });
    expect(await old.deliver()).toEqual({ outcome: 'stray' });
    expect(await current.deliver()).toMatchObject({ outcome: 'succeeded' });
    expect(await old.deliver()).toMatchObject({ outcome: 'duplicate' });
    await old.time.pass(hour);
    expect(await old.deliver({ scheduledTime: '2026-12-01T04:00:00Z' })).toEqual({ outcome: 'stray' });
    expect(old.started).toEqual([]);
  },

  async B044() {
    const ledger = memoryLedger();
    const deployments = [await sandbox({ ledger }), await sandbox({ ledger })];
    const outcomes = await Promise.all(deployments.map((one) => one.deliver()));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['duplicate', 'succeeded']);
  },
};
