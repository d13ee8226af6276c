import { minute, second } from '../domain/time.ts';
import type { BodyPlace, JobCode } from './bodies.ts';
import { busyJobId } from './draw-jobs.ts';
import type { Faults } from './faults.ts';
import type { Random } from './random.ts';
import { never } from './sandbox.ts';
import { die, failureOf, performWork, WorkFailed } from './work/perform.ts';
import { drawWork, type WorkPlan } from './work/plan.ts';

/** What becomes of one execution. */
type Conduct =
  | {
      readonly kind: 'returns' | 'throws' | 'leaks' | 'crashes';
      readonly afterMs: number;
      readonly atAbort: AtAbort;
    }
  /** Past its timeout; `hears` its abort, or not. */
  | { readonly kind: 'overruns'; readonly hears: boolean };

/** What it does about an abort before it is done: ends, brings its work to an end within seconds, or goes on. */
type AtAbort = 'ends' | 'hurries' | 'goes-on';

/** Modelled job code: it takes its time or does work in steps, and returns, throws, overruns, leaks an error or dies. */
export function modelledCode(random: Random, faults: Faults): JobCode {
  const plans = random.fork('work');
  return async (fire, ctx, place) => {
    const { job } = place;
    const own = random.fork(`${fire.id} ${place.attempt}`);
    const conduct = drawConduct(own, faults, job.timeoutMs);
    const plan = workOf(fire, plans.fork(fire.id));
    const mishap = () => befall(conduct, { faults, place, signal: ctx.signal });
    if (plan === null) {
      if (conduct.kind !== 'overruns') await takeTime(conduct, place, ctx.signal);
      await mishap();
      return { done: fire.id };
    }
    const at = own.whole(0, mostPlaces);
    const mishapAt = async (place: number, isLast: boolean) => {
      if (place === at || (isLast && at > place)) await mishap();
    };
    return performWork(plan, { fire, ctx, place, faults, mishapAt });
  };
}

const mostPlaces = 3;

/** Every other fire does work in steps; of a job that is due all the time one of five. Null: it only takes its time. */
function workOf({ jobId }: { readonly jobId: string }, random: Random): WorkPlan | null {
  return random.chance(jobId === busyJobId ? 0.2 : 0.5) ? drawWork(random) : null;
}

function drawConduct(random: Random, faults: Faults, timeoutMs: number): Conduct {
  if (faults.isCalm) return { kind: 'returns', afterMs: second, atAbort: 'ends' };
  if (faults.strikes('deaf-body')) return { kind: 'overruns', hears: false };
  if (faults.strikes('slow-body')) return { kind: 'overruns', hears: true };
  const longest = random.pick([second, second, 10 * second, minute, 9 * minute]);
  const afterMs = random.whole(10, Math.min(longest, timeoutMs - 5 * second));
  const atAbort = random.pick(['ends', 'ends', 'hurries', 'goes-on'] as const);
  if (faults.strikes('crash-in-body')) return { kind: 'crashes', afterMs, atAbort };
  if (faults.strikes('failing-body')) return { kind: 'throws', afterMs, atAbort };
  if (faults.strikes('leaking-body')) return { kind: 'leaks', afterMs, atAbort };
  return { kind: 'returns', afterMs, atAbort };
}

/** Takes its time, or less when its signal aborts. @throws when it ends for that */
async function takeTime(
  { afterMs, atAbort }: { readonly afterMs: number; readonly atAbort: AtAbort },
  { sandbox }: BodyPlace,
  signal: AbortSignal,
): Promise<void> {
  if (atAbort === 'goes-on') return sandbox.pause(afterMs);
  const isAborted = await new Promise<boolean>((resolve) => {
    const callOff = sandbox.after(afterMs, () => resolve(false));
    signal.addEventListener('abort', () => {
      callOff();
      resolve(true);
    });
  });
  if (!isAborted) return;
  await sandbox.pause(second);
  if (atAbort === 'ends') throw new WorkFailed('aborted');
}

/** What becomes of it, where it is now. */
async function befall(
  conduct: Conduct,
  { faults, place, signal }: { faults: Faults; place: BodyPlace; signal: AbortSignal },
): Promise<void> {
  switch (conduct.kind) {
    case 'returns':
      return;
    case 'crashes':
      return die(place);
    case 'throws':
      throw failureOf(faults.extent('failing-body'));
    case 'leaks':
      place.letEscape(new WorkFailed('escaped'));
      return place.sandbox.pause(second);
    case 'overruns':
      return overrun(conduct.hears, place, signal);
  }
}

/** A deaf one goes on until its process is killed. */
async function overrun(hears: boolean, { sandbox }: BodyPlace, signal: AbortSignal): Promise<never> {
  if (hears) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  else await never();
  await sandbox.pause(second);
  throw new WorkFailed('aborted');
}
