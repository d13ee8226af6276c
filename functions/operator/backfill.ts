import type { Action } from '../domain/action.ts';
import { madeUp, runAgain } from '../domain/again.ts';
import {
  type Backfill,
  type BackfillKind,
  type BackfillRange,
  type FireToMakeUp,
  mostDue,
  planBackfill,
} from '../domain/backfill.ts';
import { cancelRun } from '../domain/cancel.ts';
import type { Answer } from '../domain/ledger.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import type { RunRef } from '../domain/names.ts';
import type { Run } from '../domain/run.ts';
import { toIso } from '../domain/time.ts';
import { type Operator, Refused } from './ports.ts';

/** So many fires at most are made up at once: more is a mistake more often than not. */
export const mostFires = 10_000;

/**
 * What a backfill of a range would make up: nothing is written.
 *
 * @throws Refused for more than `mostFires`
 */
export async function previewBackfill(
  { ledger, clock }: Pick<Operator, 'ledger' | 'clock'>,
  job: ManifestJob,
  { range, only }: { readonly range: BackfillRange; readonly only: BackfillKind },
): Promise<Backfill> {
  const versions = await ledger.specs(job.id);
  const runs: Run[] = [];
  for await (const run of ledger.history(job.id, range)) runs.push(run);
  const plan = planBackfill(job, { versions, runs, range, only, now: clock() });
  if (plan.isCut)
    throw new Refused(`${job.id} has more than ${mostDue} fires in this range; say a shorter one`);
  if (plan.fires.length > mostFires)
    throw new Refused(
      `${plan.fires.length} fires of ${job.id} would be made up; at most ${mostFires} are at once. Say a shorter range`,
    );
  return plan;
}

export interface Begin {
  readonly range: BackfillRange;
  readonly only: BackfillKind;
  readonly note?: string | undefined;
  readonly order?: 'oldest-first' | 'newest-first';
  /** Called before each fire but the first; the next one is written when it resolves, none any more when it says so. */
  readonly goOn?: (written: readonly RunRef[]) => Promise<boolean>;
}

/**
 * Has fires made up: they wait behind all other runs of their job, and go through its slot, its pools and its rate. Who
 * asked for it goes on the log once, and on each run. A fire that has been decided otherwise meanwhile is left alone. The
 * runs that wait now.
 */
export async function beginBackfill(
  operator: Operator,
  job: ManifestJob,
  { fires }: Backfill,
  { range, only, note, order = 'oldest-first', goOn = async () => true }: Begin,
): Promise<RunRef[]> {
  const { ledger, clock, by, nudge } = operator;
  const said = { at: clock(), by, ...(note !== undefined && { note }) };
  const details = { from: toIso(range.from), to: toIso(range.to), only, order, fires: fires.length };
  const action: Action = { ...said, verb: 'backfill', jobId: job.id, details };
  if (fires.length === 0) throw new Refused(`there is nothing to make up of ${job.id} in this range`);
  await ledger.log(action);
  const written: RunRef[] = [];
  for (const fire of order === 'oldest-first' ? fires : fires.toReversed()) {
    if (written.length > 0 && !(await goOn(written))) break;
    const answer = await write(operator, job, fire, said);
    if (answer === null || answer.kind === 'refused') continue;
    if (answer.kind === 'conflict')
      throw new Error(`${job.id}#${fire.key} is being written by others; run it again for what is left`);
    written.push({ jobId: job.id, key: fire.key });
    if (written.length === 1) await nudge(`fires of ${job.id} are made up`);
  }
  return written;
}

async function write(
  { ledger, drawToken }: Operator,
  { id: jobId, crashed }: ManifestJob,
  { key, fireTime, specId, run }: FireToMakeUp,
  requested: NonNullable<Run['requested']>,
): Promise<Answer | null> {
  const token = drawToken();
  if (run === undefined) {
    const made = madeUp({ jobId, key }, { fireTime, specId, requested, token });
    return ledger.create(made.run, made.effect);
  }
  const keepsSteps = crashed === 'resume';
  const again = runAgain(run, { haste: 'backfill', keepsSteps, requested, token });
  if (again.kind === 'refused') return null;
  const { fence, change, effect } = again;
  return ledger.move(run, fence, change, { effect });
}

/** Takes back what of a backfill still waits; how many. What runs goes on. One line of the log tells it. */
export async function withdrawBackfill(
  { ledger, clock, drawToken, by, nudge }: Operator,
  jobId: string,
  refs: readonly RunRef[],
): Promise<number> {
  const at = clock();
  const request = { at, by, reason: 'operator', note: 'its backfill was taken back' } as const;
  const state = await ledger.job(jobId);
  let withdrawn = 0;
  for (const run of await ledger.runs(refs)) {
    if (run.state !== 'waiting') continue;
    const decided = cancelRun(run, request, { state, token: drawToken() });
    if (decided.kind === 'refused') continue;
    const { fence, change, effect = {} } = decided;
    // One that is refused has begun meanwhile.
    if ((await ledger.move(run, fence, change, { effect })).kind === 'done') withdrawn += 1;
  }
  if (withdrawn > 0) await ledger.log({ at, by, verb: 'cancel', jobId, details: { backfilled: withdrawn } });
  await nudge(`fires of ${jobId} are made up no more`);
  return withdrawn;
}
