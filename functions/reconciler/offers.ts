import type { DueFire } from '../domain/catch-up.ts';
import type { JobState } from '../domain/job-state.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import { queuedRun } from '../domain/queue.ts';
import type { Run } from '../domain/run.ts';
import { type Claim, decideStart, isDead, offerOf, type SkipReason, skippedRun } from '../domain/start.ts';
import { waitForPools } from '../domain/waiting.ts';
import type { ReconcilerPorts } from './ports.ts';
import type { Tally } from './tally.ts';

/** Until a fire that gave way is offered again. */
const lookAgainSeconds = 5;

/** Starts a live fire that no alarm starts. The same claim as a delivery's decides whether it may. False: not recorded. */
export async function offerLive(
  ports: ReconcilerPorts,
  job: ManifestJob,
  { fire, state, now, tally }: { fire: DueFire; state: JobState; now: number; tally: Tally },
): Promise<boolean> {
  const { ledger, drawToken } = ports;
  const claim = offerOf(job, fire, { token: drawToken(), now, catchUp: state.catchUp });
  const decision = decideStart(await ledger.create(claim.run, claim.effect), claim);
  switch (decision.kind) {
    case 'run':
      tally.add('offered');
      await invoke(ports, claim.run);
      return true;
    case 'duplicate':
      return true;
    case 'skip':
      // It is offered once this turn has decided about the dead run.
      if (
        decision.reason === 'overlap' &&
        isDead(await ledger.run({ jobId: job.id, key: decision.owner }), now)
      )
        return false;
      return recordSkip(ports, job, { fire, reason: decision.reason, now, tally });
    case 'queue':
      return recordWait(ports, fire, (by) => queuedRun(fire, claim.effect, by), now);
    case 'wait':
      return recordWait(ports, fire, (by) => waitForPools(claim, by), now);
    case 'conflict':
      await ports.nudger.nudge(`an offer of ${job.id} gave way to other writes`, lookAgainSeconds);
      return false;
    case 'excluded':
    case 'other-spec':
    case 'pause-over':
      return false;
  }
}

/** A live fire that has to wait for its job's slot or its pools. False: not recorded. */
async function recordWait(
  { ledger, drawToken, nudger }: ReconcilerPorts,
  { jobId }: DueFire,
  waiterOf: (by: { token: string; now: number }) => Claim,
  now: number,
): Promise<boolean> {
  const { run, effect } = waiterOf({ token: drawToken(), now });
  const answer = await ledger.create(run, effect);
  // Whoever gave something back may have looked before this was written.
  const what = run.reason === 'pool' ? 'pools' : 'slot';
  if (answer.kind === 'done') await nudger.nudge(`a fire of ${jobId} waits for its ${what}`);
  return answer.kind === 'done' || (answer.kind === 'refused' && Boolean(answer.run));
}

/** Records a fire that is not going to run. False: not recorded. */
export async function recordSkip(
  { ledger, drawToken }: ReconcilerPorts,
  job: ManifestJob,
  { fire, reason, now, tally }: { fire: DueFire; reason: SkipReason; now: number; tally: Tally },
): Promise<boolean> {
  const of = { id: job.id, specId: fire.specId };
  const answer = await ledger.create(skippedRun(of, fire.fireTime, { reason, token: drawToken(), now }));
  if (answer.kind === 'done') tally.add('skipped');
  return answer.kind !== 'conflict';
}

/** Hands an offer to the job's function. One that is not accepted stays on the record and is made anew when it expires. */
export async function invoke(
  { invoker, log }: ReconcilerPorts,
  run: Pick<Run, 'jobId' | 'key' | 'token' | 'attempts'>,
): Promise<void> {
  try {
    await invoker.invoke(run);
  } catch (error) {
    log.error('a job could not be invoked; its offer is made anew when it expires', {
      jobId: run.jobId,
      run: run.key,
      error,
    });
  }
}
