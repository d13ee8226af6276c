import fc from 'fast-check';
import type { Manifest, ManifestJob } from '../../functions/domain/manifest.ts';
import type { Weights } from '../../functions/domain/pools.ts';
import type { Act, Body, Invoked, Script } from './acts.ts';
import { type Fault, faults, type Luck } from './process.ts';

/** Any two clocks are at most 30 s apart. */
const skew = fc.integer({ min: -15, max: 15 });

/** At most two of a process's first `calls` calls are struck. */
function lucky(calls: number, of: readonly Fault[], lags: readonly number[]): fc.Arbitrary<Luck> {
  const strike = fc.tuple(fc.nat(calls - 1), fc.constantFrom(...of));
  const lag = fc.constantFrom(0, ...lags);
  return fc.record({ skew, lag, faults: fc.array(strike, { maxLength: 2 }) });
}

/** A job's function makes a few calls, a sweep more than a dozen. Only the former outlives what is known of it. */
const luck = lucky(4, [...faults, 'freezes'], [0, 1, 3, 6]);
const mortal = lucky(16, faults, [0, 0, 1]);

const body: fc.Arbitrary<Body> = fc.record({
  steps: fc.nat(2),
  sleeps: fc.constantFrom(0, 0, 0, 20, 55, 70),
  ends: fc.constantFrom(
    ...(['returns', 'returns', 'returns', 'returns', 'throws', 'stops', 'hangs', 'dies', 'dies'] as const),
  ),
});
const invoked: fc.Arbitrary<Invoked> = fc.record({ luck, body, delay: fc.constantFrom(0, 0, 5, 90) });
const jump = fc.constantFrom('next' as const, 'next' as const, 2, 15, 45, 100, 240);

/** Seconds from noon, both inclusive. */
type Range = readonly [min: number, max: number];

function within([min, max]: Range): fc.Arbitrary<number> {
  return fc.integer({ min, max });
}

function deliveryBy(body: fc.Arbitrary<Body>, luck: fc.Arbitrary<Luck>) {
  return (
    jobId: string,
    fire: number,
    range: Range = [fire - 5, fire + 30],
    deploy = 0,
  ): fc.Arbitrary<Act> => {
    const kind = 'delivery' as const;
    return fc
      .record({ at: within(range), luck, body })
      .map((drawn) => ({ kind, jobId, fire, deploy, ...drawn }));
  };
}

/** What may begin within a range of time. */
export const acts = {
  delivery: deliveryBy(body, luck),
  /** Its process dies in the midst of the job's code. */
  dying: deliveryBy(
    body.map((one) => ({ ...one, ends: 'dies' })),
    luck,
  ),
  /** It goes on until it is told to stop. */
  lasting: deliveryBy(
    body.map((one) => ({ ...one, sleeps: 0, ends: 'stops' })),
    luck,
  ),
  /** Its process freezes when it is about to write its outcome, at once. */
  freezing: deliveryBy(
    body.map((one) => ({ ...one, sleeps: 0 })),
    luck.map((one) => ({ ...one, faults: [[1, 'freezes'], ...one.faults] })),
  ),
  sweep: (range: Range, deploy = 0): fc.Arbitrary<Act> =>
    fc.record({ at: within(range), luck: mortal }).map((drawn) => ({ kind: 'sweep', deploy, ...drawn })),
  release: (jobId: string, fire: number, range: Range): fc.Arbitrary<Act> =>
    fc
      .record({ at: within(range), as: fc.constantFrom('rerun' as const, 'fail' as const), luck: mortal })
      .map((drawn) => ({ kind: 'release', jobId, fire, ...drawn })),
  canceling: (jobId: string, fire: number, range: Range): fc.Arbitrary<Act> =>
    fc
      .record({ at: within(range), luck: mortal })
      .map((drawn) => ({ kind: 'cancel', jobId, fire, ...drawn })),
  pausing: (kind: 'pause' | 'resume', jobId: string, range: Range): fc.Arbitrary<Act> =>
    fc.record({ at: within(range), luck: mortal }).map((drawn) => ({ kind, jobId, ...drawn })),
};

/** `capacities`: of its pools, by name. */
export function deployed(jobs: readonly ManifestJob[], capacities: Weights = {}): Manifest {
  const pools = Object.entries(capacities).map(([name, capacity]) => [name, { capacity, describe: name }]);
  return { version: 1, jobs, ...(pools.length > 0 && { pools: Object.fromEntries(pools) }) };
}

export function scripted(
  deploys: Script['deploys'],
  played: readonly fc.Arbitrary<Act>[],
): fc.Arbitrary<Script> {
  return fc.record({
    deploys: fc.constant(deploys),
    acts: fc.tuple(...played),
    offers: fc.array(fc.array(invoked, { maxLength: 2 }), { maxLength: 4 }),
    jumps: fc.array(jump, { maxLength: 8 }),
    nudges: fc.nat(2),
  });
}
