import { describe, expect, it } from 'vitest';
import type { Run } from '../../../functions/domain/run.ts';
import { minute } from '../../../functions/domain/time.ts';
import { cancellation } from '../../../functions/simulator/invariants/cancellation.ts';
import { manifestJob } from '../../support/jobs.ts';
import { attempt, body, due, run, running, succeeded, sweep, watched, worldOf } from './watched.ts';

const operator = { at: due, by: 'ann', reason: 'operator' } as const;
const newer = { at: due, by: '2099-01-01T00:00:00Z', reason: 'superseded' } as const;
const replacing = worldOf([manifestJob({ overlap: 'cancel-running' })]);
const alive = running();

function asked(request: Run['cancelRequested'], byOperator: boolean, world = replacing) {
  const told = watched(cancellation, world);
  const after = { ...alive, ...(request && { cancelRequested: request }) };
  told.wroteRun(due, null, alive, false);
  told.wroteRun(due + 1, alive, after, byOperator);
  return { told, after };
}

describe('a run is asked to end by a person, or by a newer fire that is to replace it', () => {
  it('holds for both', () => {
    expect(asked(operator, true).told.broken).toEqual([]);
    expect(asked(newer, false).told.broken).toEqual([]);
  });
  it.each<[string, Run['cancelRequested'], boolean, typeof replacing]>([
    ['nobody in the name of a person', operator, false, replacing],
    ['a person in the name of a fire', newer, true, replacing],
    ['an older fire', { ...newer, by: '1999-01-01T00:00:00Z' }, false, replacing],
    ['a newer fire of a job that lets runs end', newer, false, worldOf([manifestJob()])],
  ])('is broken by %s', (_what, request, byOperator, world) =>
    expect(asked(request, byOperator, world).told.broken).toHaveLength(1),
  );
});

describe('once it is asked to end it never runs again', () => {
  it.each<[string, Run]>([
    [
      'canceled, though it crashed',
      run({ state: 'canceled', attempts: [attempt(1, { outcome: 'crashed' })] }),
    ],
    ['what its code came to before it heard', succeeded()],
  ])('holds for one that is %s', (_what, end) => {
    const { told, after } = asked(operator, true);
    told.wroteRun(due + 2, after, { ...end, cancelRequested: operator }, false);
    expect(told.broken).toEqual([]);
  });
  it.each(['offered', 'parked', 'failed'] as const)('is broken by one that crashed and is %s', (of) => {
    const { told, after } = asked(operator, true);
    const attempts = [attempt(1, { outcome: 'crashed' })];
    told.wroteRun(due + 2, after, { ...after, state: of, attempts }, false);
    expect(told.broken).toEqual([expect.stringContaining(`was asked to end, and became ${of}`)]);
  });
  it('is broken by another attempt', () => {
    const { told, after } = asked(operator, true);
    told.wroteRun(due + 2, after, { ...running(2), cancelRequested: operator }, false);
    expect(told.broken).toHaveLength(1);
  });
  it('is broken by a run that is canceled and was not asked', () => {
    const { told } = asked(undefined, false);
    told.wroteRun(due + 2, alive, run({ state: 'canceled', reason: 'operator' }), false);
    expect(told.broken).toEqual([expect.stringContaining('nobody asked for that')]);
  });
});

describe('an attempt hears of it within minutes', () => {
  const endedAfter = (minutes: number) => {
    const { told } = asked(operator, true);
    const own = body();
    for (let passed = 1; passed <= minutes; passed += 1)
      told.swept(due + 1 + passed * minute, sweep(due, {}));
    told.bodyEnded(due + minutes * minute, own, 'returned');
    return told.broken;
  };
  it('holds for one that ends then', () => expect(endedAfter(2)).toEqual([]));
  it('is broken by one that goes on', () =>
    expect(endedAfter(3)).toEqual([expect.stringContaining('its code went on for')]));
});
