import { expect, it } from 'vitest';
import { decideStart, openingOf } from '../../../functions/domain/start.ts';
import {
  all,
  claim,
  entry,
  fireTime,
  job,
  jobId,
  publishFirst,
  record,
  refused,
  spec,
  stateOf,
  version,
} from '../../support/ledger-records.ts';
import type { Opener } from '../conformance.ts';

const pause = { at: fireTime, by: 'ops', note: 'bank holiday' };

export function startRules(open: Opener): void {
  it('gives a fire one run, and hands the loser the record of the winner', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const [first, second] = [claim('a', { overlap: 'allow' }), claim('b', { overlap: 'allow' })];
    expect(await ledger.create(first.run, first.effect)).toEqual({ kind: 'done' });
    const answer = await ledger.create(second.run, second.effect);
    expect(answer).toEqual({ kind: 'refused', run: first.run });
    expect(decideStart(answer, second)).toEqual({ kind: 'duplicate', of: first.run });
    expect(await ledger.run(first.run)).toEqual(first.run);
  });

  it('creates once without an effect too', async () => {
    const { ledger } = await open();
    const run = record(fireTime);
    expect(await ledger.create(run)).toEqual({ kind: 'done' });
    expect(await ledger.create({ ...run, token: 'late' })).toEqual({ kind: 'refused', run });
  });

  it('takes the slot with the claim, and names what stood in the way of the next fire', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const [first, next] = [claim('a'), claim('b', {}, fireTime + 3_600_000)];
    await ledger.create(first.run, first.effect);
    expect((await stateOf(ledger)).slot).toBe(first.run.key);
    const answer = refused(await ledger.create(next.run, next.effect));
    expect(answer).toEqual({ kind: 'refused', job: await stateOf(ledger) });
    const owner = first.run.key;
    expect(decideStart(answer, next)).toEqual({ kind: 'skip', reason: 'overlap', owner });
    expect(await ledger.run(next.run)).toBeNull();
  });

  it('tells of both halves of a start that were refused', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const [first, second] = [claim('a'), claim('b')];
    await ledger.create(first.run, first.effect);
    const answer = await ledger.create(second.run, second.effect);
    expect(answer).toEqual({ kind: 'refused', run: first.run, job: await stateOf(ledger) });
  });

  it('does not start a paused job', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    await ledger.setPause(jobId, pause);
    const { run, effect } = claim('a');
    const answer = await ledger.create(run, effect);
    expect(decideStart(answer, { run, effect })).toEqual({ kind: 'skip', reason: 'paused' });
    expect(refused(answer)).toEqual({ kind: 'refused', job: await stateOf(ledger) });
    expect(await ledger.run(run)).toBeNull();
    expect(await stateOf(ledger)).not.toHaveProperty('slot');
  });

  it('does not start under a schedule that is not in force', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    await ledger.publish(version('spec-2', fireTime), 'spec-1');
    const { run, effect } = claim('a');
    const answer = await ledger.create(run, effect);
    expect(decideStart(answer, { run, effect })).toEqual({ kind: 'other-spec' });
    expect(refused(answer).job?.specId).toBe('spec-2');
    expect(await all(ledger.history(jobId, { from: 0, to: fireTime }))).toEqual([]);
  });

  it('does not start a fire that was due before its schedule took force', async () => {
    const { ledger } = await open();
    await ledger.publish(version('spec-1', fireTime), null);
    const [before, after] = [claim('a'), claim('b', {}, fireTime + 1)];
    const answer = await ledger.create(before.run, before.effect);
    expect(decideStart(answer, before)).toEqual({ kind: 'other-spec' });
    expect(await ledger.run(before.run)).toBeNull();
    expect(decideStart(await ledger.create(after.run, after.effect), after)).toEqual({ kind: 'run' });
  });

  it('records an excluded fire, paused or not and whoever has the slot, if the version that excludes it is in force', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const running = claim('a', {}, fireTime - 60_000);
    await ledger.create(running.run, running.effect);
    await ledger.setPause(jobId, pause);
    const excluding = { ...job, spec: { ...spec, except: ['2026-12-01'] } };
    const excluded = openingOf(excluding, fireTime, entry('b'));
    const other = openingOf({ ...excluding, specId: 'spec-2' }, fireTime, entry('c'));
    const refusal = await ledger.create(other.run, other.effect);
    expect(decideStart(refusal, other)).toEqual({ kind: 'other-spec' });
    const written = await ledger.create(excluded.run, excluded.effect);
    expect(decideStart(written, excluded)).toEqual({ kind: 'excluded' });
    expect(await ledger.run(excluded.run)).toMatchObject({ state: 'skipped', reason: 'excluded' });
    const again = await ledger.create(excluded.run, excluded.effect);
    expect(decideStart(again, excluded)).toEqual({ kind: 'excluded' });
    expect((await stateOf(ledger)).slot).toBe(running.run.key);
  });

  it.each(['skip', 'allow'] as const)(
    'does not start a job that nobody published (overlap: %s)',
    async (overlap) => {
      const { ledger } = await open();
      const { run, effect } = claim('a', { overlap });
      const answer = await ledger.create(run, effect);
      expect(answer).toEqual({ kind: 'refused', job: null });
      expect(decideStart(answer, { run, effect })).toEqual({ kind: 'other-spec' });
      expect(await ledger.job(jobId)).toBeNull();
      expect(await ledger.run(run)).toBeNull();
    },
  );

  it('lets runs of a job without a slot start side by side', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    for (const [token, at] of [['a', fireTime] as const, ['b', fireTime + 60_000] as const]) {
      const { run, effect } = claim(token, { overlap: 'allow' }, at);
      expect(await ledger.create(run, effect)).toEqual({ kind: 'done' });
    }
    expect(await stateOf(ledger)).not.toHaveProperty('slot');
  });

  it('decides a race for one fire for exactly one delivery', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const tokens = Array.from({ length: 12 }, (_, n) => `racer-${n}`);
    const decisions = await Promise.all(
      tokens.map(async (token) => {
        const { run, effect } = claim(token);
        return decideStart(await ledger.create(run, effect), { run, effect }).kind;
      }),
    );
    expect(decisions.filter((kind) => kind === 'run')).toHaveLength(1);
    expect(decisions.filter((kind) => kind === 'duplicate')).toHaveLength(11);
  });
}
