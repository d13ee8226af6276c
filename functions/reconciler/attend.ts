import { takeOver } from '../domain/attention.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import { runId } from '../domain/names.ts';
import { isDue } from '../domain/retry.ts';
import type { Run } from '../domain/run.ts';
import { stepInDoubt } from '../domain/steps.ts';
import { admitWaiting, type Turn } from './admit.ts';
import { guarded } from './guarded.ts';
import type { Observation } from './observe.ts';
import { invoke } from './offers.ts';
import type { ReconcilerPorts } from './ports.ts';
import { poolsOf, statesOf } from './records.ts';
import type { Tally } from './tally.ts';

/**
 * Open runs that need attention, each on its own: one that can't be written is told and stops no other. `startsSoon`: a run
 * waits for another run's slot, or for the other fires of its outage.
 */
export async function attendAll(
  ports: ReconcilerPorts,
  { open, byId }: Pick<Observation, 'open' | 'byId'>,
  turn: Turn,
): Promise<{ readonly startsSoon: boolean }> {
  const { now, tally } = turn;
  const isDueAgain = (run: Run) => isDue(run, now) && run.cancelRequested === undefined;
  const isWaiting = (run: Run) => (run.state === 'waiting' || isDueAgain(run)) && byId.has(run.jobId);
  const others = open.filter((run) => !isWaiting(run));
  const [states, pools] = await Promise.all([statesOf(ports, others), poolsOf(ports, others)]);
  await Promise.all(
    others.map((run) => {
      const of = { job: byId.get(run.jobId) ?? null, state: states.get(run.jobId) ?? null };
      return guarded(ports, runId(run), attend(ports, run, { ...of, pools, now, tally }));
    }),
  );
  return admitWaiting(ports, { open: open.filter(isWaiting), byId }, turn);
}

/** Offers that expired and leases that ended. Each move is fenced, so a run that went on meanwhile is left alone. */
async function attend(
  ports: ReconcilerPorts,
  run: Run,
  { tally, ...seen }: Omit<Parameters<typeof takeOver>[1], 'token' | 'uncertain'> & { tally: Tally },
): Promise<void> {
  const token = ports.drawToken();
  const decided = takeOver(run, { ...seen, token, uncertain: await stepToAskFor(ports, run, seen.job) });
  if (decided === null) return;
  const answer = await ports.ledger.move(run, decided.fence, decided.change, {
    ...(decided.effect ? { effect: decided.effect } : {}),
    requestToken: token,
  });
  if (answer.kind !== 'done') return;
  const isUsual = decided.what === 'continued';
  ports.log[isUsual ? 'info' : 'warn'](`a run was taken over: ${decided.what}`, {
    jobId: run.jobId,
    run: run.key,
    state: decided.change.set.state,
    attempt: run.attempts.length,
  });
  if (decided.what === 'reoffered' || decided.what === 'crashed') tally.add(decided.what);
  const { state: became } = decided.change.set;
  if (became === 'canceled') tally.add(became);
  if (became === 'failed' || became === 'parked') {
    tally.add(became);
    tally.board.addEnded(run);
  }
  if (decided.invoke) await invoke(ports, { ...run, token });
}

/** Steps are read of a run alone that a person may have to decide about. */
async function stepToAskFor(
  { ledger }: ReconcilerPorts,
  run: Run,
  job: ManifestJob | null,
): Promise<string | undefined> {
  if (run.state !== 'running' || job?.crashed !== 'park') return undefined;
  return stepInDoubt(await ledger.steps(run));
}
