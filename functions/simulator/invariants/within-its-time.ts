import { runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import { second } from '../../domain/time.ts';
import type { Body, Invariant, Violate, WorldView } from '../observe.ts';
import { functionsAt, versionsAt } from './models/deployed.ts';

/** A delivery may be this early by its own clock; and clocks are this far apart. */
const earlyMs = 30 * second;
const skewMs = 30 * second;
/** From a handler's entry to the beginning of its body: the start may be written again for 2 s, and answers may be slow. */
const startMs = 10 * second;

export const withinItsTime: Invariant = {
  name: 'within-its-time',
  rule: 'nothing begins before it is due, nothing after its grace without an offer, and nothing is missed within its grace',
  watch(violate, world) {
    const queued = new Set<string>();
    return {
      bodyBegan(at, body) {
        if (body.trigger === 'manual') return;
        // A delivery may have come early, and had to queue.
        const leastMs = queued.has(runId(body)) ? -skewMs - earlyMs : -skewMs;
        if (body.byOffer) checkOffered(at - body.fireTime, leastMs, { body, violate });
        else checkDelivered(at, body, violate);
      },
      wroteRun(at, before, after) {
        if (before !== null || after === null) return;
        checkJudged(at, after, { violate, world });
        if (waitsForPlace(after)) queued.add(runId(after));
      },
    };
  },
};

function checkOffered(
  late: number,
  leastMs: number,
  { body, violate }: { body: Body; violate: Violate },
): void {
  if (late < leastMs) violate(`was offered and began ${-late} ms early`, body);
}

function checkDelivered(at: number, body: Body, violate: Violate): void {
  const late = at + body.skewMs - body.fireTime;
  if (late < -earlyMs) violate(`a delivery began it ${-late} ms early by its clock`, body);
  if (late > body.job.graceMs + startMs) violate(`a delivery began it ${late} ms late by its clock`, body);
}

/** What the reconciler finds without a record it offers within the grace, and calls missed after it, by its clock. */
function checkJudged(at: number, run: Run, { violate, world }: { violate: Violate; world: WorldView }): void {
  const graces = versionsAt(world, run.jobId, at).flatMap((job) => job?.graceMs ?? []);
  if (graces.length === 0 || run.trigger === 'manual') return;
  const late = run.createdAt - run.fireTime;
  if (waitsForPlace(run)) {
    // It is the job's function that has it wait.
    const itsGraces = functionsAt(world, run.jobId, at).flatMap((job) => job?.graceMs ?? []);
    if (late < -earlyMs || late > Math.max(...itsGraces, ...graces))
      violate(`had to wait ${late} ms after it was due`, run);
  }
  const isMissed = run.reason === 'catch-up' || run.state === 'missed' || run.reason === 'superseded';
  if (isMissed && late <= Math.min(...graces)) violate(`is missed ${late} ms after it was due`, run);
  if (run.state === 'offered' && (late < 0 || late > Math.max(...graces)))
    violate(`was offered as a live fire ${late} ms after it was due`, run);
}

function waitsForPlace({ state, reason }: Run): boolean {
  return state === 'waiting' && (reason === 'slot' || reason === 'pool');
}
