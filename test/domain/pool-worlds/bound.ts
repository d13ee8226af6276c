import { patienceMs } from '../../../functions/domain/admission.ts';
import { runId } from '../../../functions/domain/names.ts';
import { offerLifeMs } from '../../../functions/domain/offer.ts';
import { type Run, waitsSince } from '../../../functions/domain/run.ts';
import { leaseMarginMs } from '../../../functions/domain/start.ts';
import { minute } from '../../../functions/domain/time.ts';
import type { Plan, PlannedRun } from './plan.ts';

/** An invocation reaches its function after so long. */
export const invocationMs = 500;
/** The reconciler looks at least so often. */
export const sweepMs = minute;

/**
 * How long a run may wait for its pools, at most. From the instant at which it is past its patience only those waiters go
 * before it that are older: k, whose number never grows. So take the oldest. From the next look of the reconciler on
 * (one interval of sweeps, and the writes of the look before) it reserves; whoever takes something of its pools leaves it
 * what it needs. So once all who hold something at that look have given it back (the longest hold), it fits, unless a
 * deploy took capacity away: then once all who hold something at the deploy have. The look after admits it. Hence
 *
 *     patience + (1 + k + deploys since then) × (longest hold + 2 × (interval of sweeps + 2 × writes of a look))
 *
 * How fast others come, how light they are and what their priority is does not occur in it.
 */
export class Bound {
  readonly #plan: Plan;
  readonly #stepMs: number;
  /** By run id: the instant at which it was past its patience, and how many older ones waited then. */
  readonly #overdue = new Map<string, { readonly from: number; readonly older: number }>();
  /** Of those that were past their patience: waits, as parts of what they might have been. */
  readonly parts: number[] = [];

  constructor(plan: Plan) {
    this.#plan = plan;
    const lookMs = plan.runs.length * plan.writeMs;
    this.#stepMs = longestHoldMs(plan, lookMs) + 2 * (sweepMs + 2 * lookMs);
  }

  /** It waits still, and is past its patience from now on. */
  becomesOverdue(run: Run, waiting: Iterable<Run>, now: number): void {
    const older = [...waiting].filter((other) => isOlder(other, run)).length;
    this.#overdue.set(runId(run), { from: now, older });
  }

  /** @throws when it has waited for longer, whether it is served now or waits still */
  check(run: Run, now: number): void {
    const overdue = this.#overdue.get(runId(run));
    if (overdue === undefined) return;
    const { from, older } = overdue;
    const deploys = this.#plan.deploys.filter(({ at }) => from <= at && at <= now).length;
    const most = (1 + older + deploys) * this.#stepMs;
    if (run.state !== 'waiting') this.parts.push((patienceMs + now - from) / (patienceMs + most));
    if (now - from <= most) return;
    throw new Error(
      `${runId(run)} was past its patience, behind ${older} older ones, for ${now - from} ms; at most ${most} are allowed.`,
    );
  }
}

function isOlder(one: Run, than: Run): boolean {
  const [a, b] = [waitsSince(one), waitsSince(than)];
  return a < b || (a === b && runId(one) < runId(than));
}

/** From the offer or start of a run to the end of its last attempt, whatever befalls it. */
function longestHoldMs({ deploys, runs }: Plan, lookMs: number): number {
  const [{ jobs }] = deploys;
  const foundMs = sweepMs + 2 * lookMs + invocationMs;
  const expiryMs = offerLifeMs(jobs[0]?.graceMs ?? 0) + foundMs;
  const holdMs = ({ durationMs, crashes, isOfferLost }: PlannedRun) =>
    invocationMs +
    (isOfferLost ? expiryMs : 0) +
    (crashes ? durationMs + leaseMarginMs + foundMs : 0) +
    durationMs;
  return Math.max(...runs.map(holdMs));
}
