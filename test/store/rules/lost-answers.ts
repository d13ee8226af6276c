import { expect, it } from 'vitest';
import { decideFinish, finishedOrLost } from '../../../functions/domain/finish.ts';
import type { Run } from '../../../functions/domain/run.ts';
import { decideStart, takenOrLost, takeOffer } from '../../../functions/domain/start.ts';
import {
  claim,
  entry,
  fireTime,
  jobId,
  publishFirst,
  record,
  removal,
  stateOf,
  version,
} from '../../support/ledger-records.ts';
import type { Opener } from '../conformance.ts';

const error = { name: 'Error', message: 'no' };

function failure(run: Run) {
  return decideFinish(run, { outcome: { kind: 'failed', error }, attempt: 1, now: fireTime + 9_000 });
}

/** A writer that did not hear whether its write landed asks again, with the same words. */
export function lostAnswerRules(open: Opener): void {
  it('a claim whose answer was lost is recognised as its own, and there is one attempt', async () => {
    const { ledger, loseNextAnswer } = await open();
    await publishFirst(ledger);
    const { run, effect } = claim('a');
    loseNextAnswer();
    await expect(ledger.create(run, effect)).rejects.toThrow('lost');
    expect(decideStart(await ledger.create(run, effect), { run, effect })).toEqual({ kind: 'run' });
    expect(await ledger.run(run)).toEqual(run);
  });

  it('a claim whose answer was lost still beats every other delivery', async () => {
    const { ledger, loseNextAnswer } = await open();
    await publishFirst(ledger);
    const [mine, other] = [claim('a'), claim('b')];
    loseNextAnswer();
    await expect(ledger.create(mine.run, mine.effect)).rejects.toThrow('lost');
    const others = decideStart(await ledger.create(other.run, other.effect), other);
    expect(others).toEqual({ kind: 'duplicate', of: mine.run });
    const again = decideStart(await ledger.create(mine.run, mine.effect), mine);
    expect(again).toEqual({ kind: 'run' });
  });

  it('a refusal that was lost is a refusal again', async () => {
    const { ledger, loseNextAnswer } = await open();
    await publishFirst(ledger);
    const [winner, loser] = [claim('a'), claim('b')];
    await ledger.create(winner.run, winner.effect);
    loseNextAnswer();
    await expect(ledger.create(loser.run, loser.effect)).rejects.toThrow('lost');
    const again = decideStart(await ledger.create(loser.run, loser.effect), loser);
    expect(again).toEqual({ kind: 'duplicate', of: winner.run });
  });

  it('a plain record whose answer was lost is refused by itself', async () => {
    const { ledger, loseNextAnswer } = await open();
    const run = record(fireTime, { state: 'skipped', reason: 'overlap' });
    loseNextAnswer();
    await expect(ledger.create(run)).rejects.toThrow('lost');
    expect(await ledger.create(run)).toEqual({ kind: 'refused', run });
  });

  it('a taken offer whose answer was lost is recognised as its own, with one attempt', async () => {
    const { ledger, loseNextAnswer } = await open();
    const run = record(fireTime, { state: 'offered', token: 'offer', attentionAt: fireTime });
    await ledger.create(run);
    const { fence, change } = takeOffer({ token: 'offer', attempt: 1 }, entry('a'));
    loseNextAnswer();
    await expect(ledger.move(run, fence, change)).rejects.toThrow('lost');
    const taken = takenOrLost(await ledger.move(run, fence, change), 'a');
    expect(taken).toEqual({ ...run, ...change.set, attempts: [change.attempt] });
    const late = takeOffer({ token: 'offer', attempt: 1 }, entry('b'));
    expect(takenOrLost(await ledger.move(run, late.fence, late.change), 'b')).toBeNull();
  });

  it('a finish whose answer was lost is finished, and counts once', async () => {
    const { ledger, loseNextAnswer } = await open();
    await publishFirst(ledger);
    const { run, effect } = claim('a');
    await ledger.create(run, effect);
    const last = failure(run);
    const finish = () =>
      ledger.move(run, { state: 'running', token: 'a' }, last.change, {
        effect: last.effect,
        requestToken: 'a-finish',
      });
    loseNextAnswer();
    await expect(finish()).rejects.toThrow('lost');
    expect(finishedOrLost(await finish(), claim('a').run)).toBe('finished');
    expect((await stateOf(ledger)).failuresInARow).toBe(1);
  });

  it('a finish whose answer was lost does not free the slot of the next run', async () => {
    const { ledger, loseNextAnswer } = await open();
    await publishFirst(ledger);
    const [first, next] = [claim('a'), claim('b', {}, fireTime + 3_600_000)];
    await ledger.create(first.run, first.effect);
    const last = failure(first.run);
    const finish = () =>
      ledger.move(first.run, { state: 'running', token: 'a' }, last.change, { effect: last.effect });
    loseNextAnswer();
    await expect(finish()).rejects.toThrow('lost');
    await ledger.create(next.run, next.effect);
    expect(finishedOrLost(await finish(), claim('a').run)).toBe('finished');
    expect((await stateOf(ledger)).slot).toBe(next.run.key);
  });

  it('a finish after the fence moved is lost, whatever became of its first answer', async () => {
    const { ledger, loseNextAnswer } = await open();
    await publishFirst(ledger);
    const { run, effect } = claim('a');
    await ledger.create(run, effect);
    const takenOver = { set: { state: 'parked', token: 'reconciler' } } as const;
    await ledger.move(run, { state: 'running', token: 'a' }, takenOver);
    const last = failure(run);
    const finish = () =>
      ledger.move(run, { state: 'running', token: 'a' }, last.change, { effect: last.effect });
    loseNextAnswer();
    await expect(finish()).rejects.toThrow('lost');
    expect(finishedOrLost(await finish(), claim('a').run)).toBe('lost');
  });

  it('a published schedule whose answer was lost is in force', async () => {
    const { ledger, loseNextAnswer } = await open();
    for (const [next, replaces] of [
      [version('spec-1', fireTime), null] as const,
      [version('spec-2', fireTime + 1), 'spec-1'] as const,
      [removal(fireTime + 2), 'spec-2'] as const,
    ]) {
      loseNextAnswer();
      await expect(ledger.publish(next, replaces)).rejects.toThrow('lost');
      expect(await ledger.publish(next, replaces)).toBe('done');
    }
    expect((await ledger.specs(jobId)).map(({ specId }) => specId)).toEqual(['spec-1', 'spec-2', 'removed']);
  });
}
