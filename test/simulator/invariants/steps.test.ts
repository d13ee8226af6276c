import { describe, expect, it } from 'vitest';
import type { StepRecord } from '../../../functions/domain/steps.ts';
import { committedOnce } from '../../../functions/simulator/invariants/committed-once.ts';
import { onceBegunOnce } from '../../../functions/simulator/invariants/once-begun-once.ts';
import { stepFence } from '../../../functions/simulator/invariants/step-fence.ts';
import { stepRepeats } from '../../../functions/simulator/invariants/step-repeats.ts';
import { stepResults } from '../../../functions/simulator/invariants/step-results.ts';
import type { StepCall } from '../../../functions/simulator/observe.ts';
import { body, due, run, running, succeeded, watched } from './watched.ts';

const ref = run();
const commit: StepCall = { kind: 'commit', name: 'pay' };
const once: StepCall = { kind: 'once', name: 'tell' };
const step: StepCall = { kind: 'step', name: 'collect' };
const map: StepCall = { kind: 'map', name: 'pay', batch: 2, items: ['ada', 'bob', 'cid'] };

function record(more: Partial<StepRecord> = {}): StepRecord {
  return { name: 'collect', kind: 'step', state: 'done', at: due, restarts: 0, token: 'attempt-1', ...more };
}

describe('what a commit writes is written once', () => {
  const item = (times: number) => ({ id: `${ref.jobId}#${ref.key} pay`, times });

  it('holds when its caller is told so, once it is there', () => {
    const told = watched(committedOnce);
    told.wroteItem(due, 'effects', null, item(1));
    told.atStep(due, body(), commit, { what: 'returned', result: undefined });
    expect(told.broken).toEqual([]);
  });
  it('is broken by a second time', () => {
    const told = watched(committedOnce);
    told.wroteItem(due, 'effects', item(1), item(2));
    expect(told.broken).toEqual([expect.stringContaining('was committed 2 times')]);
  });
  it('is broken when its caller is told so in vain', () => {
    const told = watched(committedOnce);
    told.atStep(due, body(), commit, { what: 'returned', result: undefined });
    expect(told.broken).toEqual([expect.stringContaining('was told that pay is committed')]);
  });
  it('is broken when the last one has not ended its run', () => {
    const told = watched(committedOnce);
    told.wroteRun(due, null, running(), false);
    told.wroteItem(due, 'effects', null, item(1));
    told.atStep(due, body(), { ...commit, isFinal: true }, { what: 'called' });
    told.atStep(due, body(), { ...commit, isFinal: true }, { what: 'returned', result: undefined });
    expect(told.broken).toEqual([expect.stringContaining('has made its last commit, and is running')]);
  });
  it('is broken when its run succeeds without its last one', () => {
    const told = watched(committedOnce);
    told.atStep(due, body(), { ...commit, isFinal: true }, { what: 'called' });
    told.wroteRun(due, running(), succeeded(), false);
    expect(told.broken).toEqual([expect.stringContaining('succeeded without its last commit pay')]);
  });
});

describe('a once is begun once', () => {
  function begunTwice(between: (told: ReturnType<typeof watched>, second: ReturnType<typeof body>) => void) {
    const told = watched(onceBegunOnce);
    const [first, second] = [body(), body({ attempt: 2 })];
    told.bodyBegan(due, first);
    told.atStep(due, first, once, { what: 'begun' });
    told.bodyEnded(due, first, 'killed', undefined);
    told.bodyBegan(due, second);
    between(told, second);
    told.atStep(due, second, once, { what: 'begun' });
    return told.broken;
  }

  it('holds when its code, or a person, has found out that it was not done', () => {
    const verified = { what: 'verified', isDone: false } as const;
    expect(begunTwice((told, second) => told.atStep(due, second, once, verified))).toEqual([]);
    const released = {
      kind: 'released',
      run: ref,
      as: 'resume',
      step: { name: 'tell', done: false },
    } as const;
    expect(begunTwice((told) => told.acted(due, released))).toEqual([]);
  });
  it('is broken when nobody knows', () =>
    expect(begunTwice(() => {})).toEqual([expect.stringContaining('tell was begun again')]));
  it('is broken when its run goes on though nobody knows', () => {
    const told = watched(onceBegunOnce);
    const error = Object.assign(new Error('nobody knows'), { fireledger: 'uncertain-step' });
    told.atStep(due, body(), once, { what: 'called' });
    const alive = body();
    told.bodyBegan(due, alive);
    told.atStep(due, alive, once, { what: 'threw', error });
    told.wroteRun(due, running(), succeeded(), false);
    expect(told.broken).toEqual([expect.stringContaining('nobody knows of tell, and it is succeeded')]);
  });
});

describe('a step is written by the attempt that owns its run', () => {
  function written(after: StepRecord, before: StepRecord | null = null, byOperator = false) {
    const told = watched(stepFence);
    told.wroteRun(due, null, running(), false);
    told.wroteStep(due, ref, before, after, byOperator);
    return told.broken;
  }

  it('holds for the owner, and its second beginning of a plain step', () =>
    expect(written(record())).toEqual([]));
  it('is broken by another attempt', () =>
    expect(written(record({ token: 'attempt-0' }))).toEqual([
      expect.stringContaining('its run is owned by another attempt'),
    ]));
  it('is broken by what tells another beginning', () =>
    expect(written(record({ restarts: 1 }))).toHaveLength(1));
  it('is broken by one that was done', () => expect(written(record(), record())).toHaveLength(1));
  it('is broken by a person, unless it is parked', () =>
    expect(written(record(), null, true)).toEqual([expect.stringContaining('does not wait for a person')]));
});

describe('plain work is done again only when it was not on record', () => {
  const done = (item?: string) => ({ what: 'done', result: 1, ...(item !== undefined && { item }) }) as const;

  it('holds for one that died between its work and its record', () => {
    const told = watched(stepRepeats);
    for (const one of [body(), body({ attempt: 2 })]) {
      told.bodyBegan(due, one);
      told.atStep(due, one, step, done());
      told.bodyEnded(due, one, 'killed', undefined);
    }
    expect(told.broken).toEqual([]);
  });
  it('is broken by what was on record', () => {
    const told = watched(stepRepeats);
    const second = body({ attempt: 2 });
    told.wroteStep(due, ref, null, record(), false);
    told.bodyBegan(due, second);
    told.atStep(due, second, step, done());
    expect(told.broken).toEqual([expect.stringContaining('collect was done again, and had been kept')]);
  });
  it('is broken when more than a batch is done again', () => {
    const told = watched(stepRepeats);
    for (const one of [body(), body({ attempt: 2 })]) {
      told.bodyBegan(due, one);
      for (const item of map.items ?? []) told.atStep(due, one, map, done(item));
      told.bodyEnded(due, one, 'killed', undefined);
    }
    expect(told.broken).toEqual([expect.stringContaining('3 of attempt 1 were done again, and 2 may be')]);
  });
});

describe('what a step comes to is what its work returned', () => {
  it('holds for the record, and for each that is told', () => {
    const told = watched(stepResults);
    told.atStep(due, body(), step, { what: 'done', result: 7 });
    told.wroteStep(due, ref, null, record({ result: 7 }), false);
    told.atStep(due, body({ attempt: 2 }), step, { what: 'returned', result: 7 });
    expect(told.broken).toEqual([]);
  });
  it('is broken by another result', () => {
    const told = watched(stepResults);
    told.atStep(due, body(), step, { what: 'done', result: 7 });
    told.wroteStep(due, ref, null, record({ result: 8 }), false);
    expect(told.broken).toEqual([expect.stringContaining('came to 8, which no work of it returned')]);
  });
  it('is broken when two are told different ones', () => {
    const told = watched(stepResults);
    for (const result of [7, 8]) told.atStep(due, body(), step, { what: 'done', result });
    for (const result of [7, 8]) told.atStep(due, body(), step, { what: 'returned', result });
    expect(told.broken).toEqual([expect.stringContaining('came to 8, and had come to 7')]);
  });
});
