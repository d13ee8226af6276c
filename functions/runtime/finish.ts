import type { Bill } from '../domain/bill.ts';
import type { LastWrite, Outcome } from '../domain/finish.ts';
import { decideFinish, finishedOrLost, markTimedOut, thoughOthersWait } from '../domain/finish.ts';
import { type Answer, type Effect, type Fence, type RunChange, Unwritable } from '../domain/ledger.ts';
import type { RetryPolicy } from '../domain/manifest.ts';
import type { Progress, Run, RunError } from '../domain/run.ts';
import { second } from '../domain/time.ts';
import { attemptNumber } from './fire.ts';
import { shortToken } from './log.ts';
import { persevere } from './persevere.ts';
import type { Ports } from './ports.ts';

/** Kept at the invocation's end for the log and the metrics. */
const lastWordsMs = second;

/**
 * `covers`, `bill` and `progress` go on the record with the attempt's last write; `bill` is absent when no code ran.
 * `killedAt`: when the invocation's time is over (epoch milliseconds). `retry`, `pauseAfter`, `notify`: as its job says.
 */
export interface Ended {
  readonly run: Run;
  readonly covers: readonly number[];
  readonly bill?: Bill;
  readonly progress?: Progress | undefined;
  readonly retry?: RetryPolicy | undefined;
  readonly pauseAfter?: number | undefined;
  readonly notify?: false | undefined;
  readonly killedAt: number;
}

/** `retryAt`: when the run is tried again, in epoch milliseconds; absent: it isn't. */
export interface Finished {
  readonly retryAt?: number;
}

/**
 * Writes an attempt's outcome, and gives its slot and its holds back. `lost`: the fence moved, somebody else decides about the run, and
 * the outcome is written nowhere. Of what the store can't take the bare outcome is kept.
 *
 * @throws the store's last rejection when the invocation's time ran out: the lease's end settles the run
 */
export async function finish(outcome: Outcome, ended: Ended, ports: Ports): Promise<Finished | 'lost'> {
  const { run } = ended;
  const retry = { policy: ended.retry, random: ports.random() };
  const write = async (what: 'finish' | 'bare', written: Outcome) => {
    const now = ports.clock();
    const last = decideFinish(run, { outcome: written, attempt: attemptNumber(run), now, retry });
    if ((await lastWrite(what, last, ended, ports)) === 'lost') return 'lost';
    return askForNext(ended, last.change.set, { now, ports });
  };
  try {
    return await write('finish', outcome);
  } catch (error) {
    if (!(error instanceof Unwritable)) throw error;
    ports.log.error('the outcome can not be recorded as it is; what was returned or thrown is left out', {
      error,
    });
    return write('bare', bareOf(outcome));
  }
}

function bareOf(outcome: Outcome): Outcome {
  if (outcome.kind === 'succeeded') return { kind: outcome.kind };
  // A cursor is JSON, and the store takes that.
  return outcome.kind === 'continued' ? outcome : { ...outcome, error: unwritableError };
}

/** SQS holds a message back no longer; the sweep after the pause finds the run as well. */
const longestDelaySeconds = 900;

/**
 * The reconciler makes the run's next attempt, if it is to have one: at once where it goes on, else after its pause. And it
 * pauses a job that fails too often.
 */
async function askForNext(
  { run: { jobId }, pauseAfter }: Ended,
  { state, attentionAt }: RunChange['set'],
  { now, ports }: { now: number; ports: Ports },
): Promise<Finished> {
  if (state === 'failed' && pauseAfter !== undefined) await ports.nudger.nudge(`${jobId} failed`);
  if (attentionAt === undefined || (state !== 'offered' && state !== 'retrying')) return {};
  const delaySeconds = Math.ceil((attentionAt - now) / second);
  const why = state === 'offered' ? `a run of ${jobId} goes on` : `a run of ${jobId} is tried again`;
  if (delaySeconds <= longestDelaySeconds) await ports.nudger.nudge(why, delaySeconds);
  return state === 'retrying' ? { retryAt: attentionAt } : {};
}

const unwritableError: RunError = {
  name: 'UnwritableError',
  message: 'the ledger could not record the error that was thrown; the log has it',
};

/** Marks a run whose handler may still be alive: slot, holds and lease are kept until nobody can be. */
export async function mark(error: RunError, ended: Ended, ports: Ports): Promise<'finished' | 'lost'> {
  return lastWrite('mark', { change: markTimedOut(ports.clock(), error), effect: {} }, ended, ports);
}

async function lastWrite(
  what: 'finish' | 'bare' | 'mark',
  { change, effect }: LastWrite,
  ended: Ended,
  ports: Ports,
): Promise<'finished' | 'lost'> {
  const { run, killedAt } = ended;
  const fence: Fence = { state: 'running', token: run.token };
  const last = lastChange(change, ended);
  let awaited: string[] = [];
  const once = (name: string, effect: Effect) => {
    const isAny = Object.keys(effect).length > 0;
    const options = { requestToken: `${run.token}-${name}`, ...(isAny && { effect }) };
    return ports.ledger.move(run, fence, last, options);
  };
  const write = async () => {
    let answer = await once(what, effect);
    if (finishedOrLost(answer, run) === 'others-wait') {
      awaited = awaitedIn(answer);
      answer = await once(`${what}-q`, thoughOthersWait(effect));
    }
    const came = finishedOrLost(answer, run);
    if (came === 'lost') reportLost(what, ended, answer, ports);
    if (came === 'conflict' || came === 'others-wait') throw new Error('the write collided with others');
    return came;
  };
  const came = await persevere(`the ${what}`, write, { until: killedAt - lastWordsMs, ports });
  if (came === 'finished') await tellOf(awaited, run, ports);
  return came;
}

/** What others wait for of what a finish gives back. */
export function awaitedIn(answer: Answer): string[] {
  if (answer.kind !== 'refused') return [];
  return [...(answer.job ? ['its slot'] : []), ...Object.keys(answer.pools ?? {})];
}

/** The reconciler is told of what was given back, and others wait for. */
export async function tellOf(
  awaited: readonly string[],
  { jobId }: Run,
  { nudger }: Pick<Ports, 'nudger'>,
): Promise<void> {
  if (awaited.length > 0)
    await nudger.nudge(`${jobId} gave back what others wait for: ${awaited.join(', ')}`);
}

export function lastChange(
  change: RunChange,
  { run, covers, bill, progress }: Pick<Ended, 'run' | 'covers' | 'bill' | 'progress'>,
): RunChange {
  const kept = { ...(covers.length > 0 && { covers }), ...(progress && { progress }) };
  return {
    ...change,
    set: { ...change.set, ...kept },
    ...(bill && { measured: { number: attemptNumber(run), bill } }),
  };
}

function reportLost(what: string, { run, bill }: Ended, answer: Answer, ports: Ports): void {
  const { run: now, job, pools } = answer.kind === 'refused' ? answer : {};
  ports.log.error(`the fence moved: this attempt's ${what} was refused and counts for nothing`, {
    ours: shortToken(run.token),
    theirs: shortToken(now?.token),
    state: now?.state,
    slot: job?.slot,
    ...(pools && { pools: Object.keys(pools) }),
    bill,
  });
}
