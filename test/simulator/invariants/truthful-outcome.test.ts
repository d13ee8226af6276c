import { describe, expect, it } from 'vitest';
import type { Run } from '../../../functions/domain/run.ts';
import { truthfulOutcome } from '../../../functions/simulator/invariants/truthful-outcome.ts';
import type { BodyEnd } from '../../../functions/simulator/observe.ts';
import { attempt, body, due, run, running, succeeded, watched } from './watched.ts';

const crashed = run({ state: 'offered', attempts: [attempt(1, { outcome: 'crashed' })], crashes: 1 });
const marked = running(1, { timedOutAt: due });

/** An execution ends, is recorded so, and its process is told so. */
function attempted(end: BodyEnd | null, record: Run, tell: string | null) {
  const told = watched(truthfulOutcome);
  const one = body();
  if (end !== null) told.bodyEnded(due, one, end);
  told.wroteRun(due, running(), record, false);
  if (tell !== null) told.finished(due, one, tell);
  return told.broken;
}

describe('what is recorded of an attempt is what happened', () => {
  it('holds for a success, a crash, a mark, and one that lost its fence', () => {
    expect(attempted('returned', succeeded(), 'succeeded')).toEqual([]);
    expect(attempted('killed', crashed, null)).toEqual([]);
    expect(attempted(null, marked, 'timed-out')).toEqual([]);
    expect(attempted('returned', crashed, 'lost')).toEqual([]);
  });

  it.each(['threw', 'killed'] as const)('is broken by a success of code that %s', (end) =>
    expect(attempted(end, succeeded(), null)).toEqual([
      expect.stringContaining(`is recorded as succeeded, and its execution ${end}`),
    ]),
  );
  it('is broken by a success of code that goes on', () =>
    expect(attempted(null, succeeded(), null)).toEqual([expect.stringContaining('is not over')]));
  it('is broken by a success without one of its attempts', () =>
    expect(attempted('returned', run({ state: 'succeeded' }), null)).toEqual([
      expect.stringContaining('is succeeded, and its last attempt is open'),
    ]));
});

describe('what a process was told is recorded is', () => {
  it('is broken by a success that is not on the record', () =>
    expect(attempted('returned', running(), 'succeeded')).toEqual([
      expect.stringContaining('was told that it is recorded as succeeded, and it is not'),
    ]));
  it('is broken by a crash afterwards', () => {
    const told = watched(truthfulOutcome);
    const one = body();
    told.bodyEnded(due, one, 'returned');
    told.wroteRun(due, running(), succeeded(), false);
    told.finished(due, one, 'succeeded');
    told.wroteRun(due, running(), crashed, false);
    expect(told.broken).toEqual([
      expect.stringContaining('is recorded as crashed, after it was told that it succeeded'),
    ]);
  });
});
