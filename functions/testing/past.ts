import { type OfferPayload, offerPayload } from '../contract.ts';
import { missedRun } from '../domain/catch-up.ts';
import type { Ledger } from '../domain/ledger.ts';
import type { Manifest, ManifestJob } from '../domain/manifest.ts';
import { fireKey } from '../domain/names.ts';
import type { Attempt, Run } from '../domain/run.ts';
import { newRun } from '../domain/run.ts';
import { startEffect, taking } from '../domain/start.ts';
import type { StepRecord } from '../domain/steps.ts';

/** What is on record of an attempt that died half-way. */
export interface LeftBehind {
  /** The results of its steps that were done, by name; those of commits are undefined. */
  readonly done?: Readonly<Record<string, unknown>>;
  /** The names of `once` steps that it had begun, and of which nobody knows whether they were done. */
  readonly begun?: readonly string[];
  /** The results of items of a map: by its name, which is `map` unless it was given one, then by the items' keys. */
  readonly mapped?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Has the ledger as if the jobs and their pools were deployed at `from`. */
export async function deploy(ledger: Ledger, { jobs, pools = {} }: Manifest, from: number): Promise<void> {
  for (const [name, { capacity }] of Object.entries(pools))
    await ledger.publishPool({ name, capacity }, null);
  for (const { id, spec, specId } of jobs) await ledger.publish({ jobId: id, from, spec, specId }, null);
}

/** Has the ledger as if an earlier fire had succeeded. */
export async function succeedBefore(
  ledger: Ledger,
  job: ManifestJob,
  { fireTime, result }: { fireTime: number; result: unknown },
): Promise<void> {
  await ledger.create(
    newRun({
      ...firstFields(job, fireTime),
      state: 'succeeded',
      trigger: 'schedule',
      token: 'of-an-earlier-run',
      settledAt: fireTime,
      ...(result !== undefined && { result }),
    }),
  );
}

/** Has the ledger as if fires had been missed, each superseded by the next one and the last by `standIn`. */
export async function supersede(
  ledger: Ledger,
  job: ManifestJob,
  { fireTimes, standIn }: { fireTimes: readonly number[]; standIn: number },
): Promise<void> {
  const oldestFirst = [...fireTimes].sort((a, b) => a - b);
  for (const [index, fireTime] of oldestFirst.entries()) {
    const by = fireKey(oldestFirst[index + 1] ?? standIn);
    const due = { jobId: job.id, fireTime, specId: job.specId };
    await ledger.create(missedRun(due, { kind: 'superseded', by }, { token: 'of-a-sweep', now: standIn }));
  }
}

/** Has the ledger as if the reconciler had offered a run, and gives what it then sends. */
export async function offer(
  ledger: Ledger,
  job: ManifestJob,
  { fireTime, trigger, input, coversFrom }: Pick<Run, 'fireTime' | 'trigger' | 'input' | 'coversFrom'>,
  left?: LeftBehind,
): Promise<OfferPayload> {
  const token = 'of-an-offer';
  const key = trigger === 'manual' ? `${fireKey(fireTime)}~manual-test` : fireKey(fireTime);
  const offered = newRun({
    ...firstFields(job, fireTime),
    key,
    state: 'offered',
    trigger,
    token,
    ...taking(job),
    ...(input !== undefined && { input }),
    ...(coversFrom !== undefined && { coversFrom }),
    ...(left && { crashes: 1, attempts: [died(fireTime)] }),
  });
  await ledger.create(offered, startEffect(job));
  if (left) await leaveBehind(ledger, offered, left);
  return offerPayload(offered);
}

const deadToken = 'of-a-dead-attempt';

function died(at: number): Attempt {
  const of = { number: 1, token: deadToken, requestId: 'test-dead', pid: 1 };
  return { ...of, startedAt: at, leaseUntil: at, settledAt: at, outcome: 'crashed' };
}

/** Has the ledger as if a dead attempt had come so far. */
async function leaveBehind(ledger: Ledger, run: Run, { done = {}, begun = [], mapped = {} }: LeftBehind) {
  const of = { state: 'done', at: run.fireTime, restarts: 0, token: deadToken } as const;
  const kept = (result: unknown) => (result === undefined ? {} : { result });
  const steps: StepRecord[] = [
    ...Object.entries(done).map(
      ([name, result]) => ({ ...of, name, kind: 'step', ...kept(result) }) as const,
    ),
    ...begun.map((name) => ({ ...of, name, kind: 'once', state: 'begun' }) as const),
    ...Object.entries(mapped).map(
      ([name, results]) =>
        ({ ...of, name: `${name}#0`, kind: 'map', result: Object.entries(results) }) as const,
    ),
  ];
  const { state, token } = run;
  for (const step of steps) await ledger.writeStep(run, { state, token }, { step, replaces: null });
}

function firstFields({ id, specId }: ManifestJob, fireTime: number) {
  return { jobId: id, key: fireKey(fireTime), fireTime, specId, createdAt: fireTime };
}
