import { takeOver } from '../domain/attention.ts';
import { admissible, admissionEffect, waitsForSlot } from '../domain/catch-up.ts';
import type { JobState } from '../domain/job-state.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import { runId } from '../domain/names.ts';
import { offerLifeMs } from '../domain/offer.ts';
import type { Run } from '../domain/run.ts';
import type { Observation } from './observe.ts';
import { invoke } from './offers.ts';
import type { ReconcilerPorts } from './ports.ts';
import type { Tally } from './tally.ts';

/**
 * Open runs that need attention, each on its own: one that can't be written is told and stops no other. `waitsForSlot`:
 * a run could start as soon as another run of its job ends.
 */
export async function attendAll(
  ports: ReconcilerPorts,
  { open, byId, states }: Pick<Observation, 'open' | 'byId' | 'states'>,
  { now, tally, caughtUp }: { now: number; tally: Tally; caughtUp: boolean },
): Promise<{ readonly waitsForSlot: boolean }> {
  const guarded = (work: Promise<void>, what: string) =>
    work.catch((error: unknown) => ports.log.error('an open run could not be attended to', { what, error }));
  const isWaiting = (run: Run) => run.state === 'waiting' && byId.has(run.jobId);
  await Promise.all(
    open
      .filter((run) => !isWaiting(run))
      .map((run) => {
        const of = { job: byId.get(run.jobId) ?? null, state: states.get(run.jobId) ?? null };
        return guarded(attend(ports, run, { ...of, now, tally }), runId(run));
      }),
  );
  const waiting = open.filter(isWaiting);
  const fresh = await ports.ledger.jobs([...new Set(waiting.map((run) => run.jobId))]);
  const blocked = await Promise.all(
    [...fresh.values()].map(async (state) => {
      const job = byId.get(state.jobId);
      const mine = waiting.filter((run) => run.jobId === state.jobId);
      if (job === undefined) return false;
      await guarded(admit(ports, job, { state, waiting: mine, now, caughtUp, tally }), state.jobId);
      return waitsForSlot(job, state, mine, { now, caughtUp });
    }),
  );
  return { waitsForSlot: blocked.includes(true) };
}

/** Offers that expired and leases that ended. Each move is fenced, so a run that went on meanwhile is left alone. */
async function attend(
  ports: ReconcilerPorts,
  run: Run,
  { job, state, now, tally }: { job: ManifestJob | null; state: JobState | null; now: number; tally: Tally },
): Promise<void> {
  const token = ports.drawToken();
  const decided = takeOver(run, { job, state, now, token });
  if (decided === null) return;
  const answer = await ports.ledger.move(run, decided.fence, decided.change, {
    ...(decided.effect ? { effect: decided.effect } : {}),
    requestToken: token,
  });
  if (answer.kind !== 'done') return;
  ports.log.warn(`a run was taken over: ${decided.what}`, {
    jobId: run.jobId,
    run: run.key,
    state: decided.change.set.state,
    attempt: run.attempts.length,
  });
  if (decided.what === 'reoffered' || decided.what === 'crashed') tally.add(decided.what);
  const { state: became } = decided.change.set;
  if (became === 'failed' || became === 'parked') tally.add(became);
  if (decided.invoke) await invoke(ports, { ...run, token });
}

/** Waiting runs of a job whose turn has come: slot and offer in one transaction, then the invocation. */
async function admit(
  ports: ReconcilerPorts,
  job: ManifestJob,
  {
    state,
    waiting,
    now,
    caughtUp,
    tally,
  }: { state: JobState; waiting: readonly Run[]; now: number; caughtUp: boolean; tally: Tally },
): Promise<void> {
  let catchUp = state.catchUp;
  for (const run of admissible(job, state, waiting, { now, caughtUp })) {
    const token = ports.drawToken();
    const effect = admissionEffect(run, job, { catchUp, now });
    const set = {
      state: 'offered',
      token,
      attentionAt: now + offerLifeMs(job.graceMs),
      hasSlot: job.overlap !== 'allow',
    } as const;
    const answer = await ports.ledger.move(
      run,
      { state: 'waiting', token: run.token },
      { set, clear: ['reason'] },
      { effect, requestToken: token },
    );
    if (answer.kind !== 'done') return;
    catchUp = effect.set?.catchUp ?? catchUp;
    tally.add('admitted');
    await invoke(ports, { ...run, token });
  }
}
