import { type OfferPayload, offerPayload } from '../contract.ts';
import { missedRun } from '../domain/catch-up.ts';
import type { Ledger } from '../domain/ledger.ts';
import type { Manifest, ManifestJob } from '../domain/manifest.ts';
import { fireKey } from '../domain/names.ts';
import type { Run } from '../domain/run.ts';
import { newRun } from '../domain/run.ts';
import { startEffect, taking } from '../domain/start.ts';

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
  });
  await ledger.create(offered, startEffect(job));
  return offerPayload(offered);
}

function firstFields({ id, specId }: ManifestJob, fireTime: number) {
  return { jobId: id, key: fireKey(fireTime), fireTime, specId, createdAt: fireTime };
}
