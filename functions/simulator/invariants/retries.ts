import type { RetryPolicy } from '../../domain/manifest.ts';
import { runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import { second } from '../../domain/time.ts';
import type { Invariant, WorldView } from '../observe.ts';
import { functionsAt, versionsAt } from './models/deployed.ts';
import { isTerminal } from './models/records.ts';

/** Clocks are so far apart. */
const skewMs = 30 * second;
const shortestPauseMs = second;

/** What failing code said about trying again. */
type Word =
  | { readonly kind: 'never' }
  | { readonly kind: 'after'; readonly ms: number }
  | { readonly kind: 'nothing' };

export const retries: Invariant = {
  name: 'retries',
  rule: 'a run that fails is tried again as its job and its code say: as often, after no other pause, and not before that is over; a crash is no failure',
  watch(violate, world) {
    const dueAt = new Map<string, number>();
    /** How often a run was to be tried again. */
    const retried = new Map<string, number>();
    /** What the code of an attempt threw, by token. */
    const thrown = new Map<string, unknown>();
    return {
      bodyEnded(_at, { token }, end, came) {
        if (end === 'threw') thrown.set(token, came);
      },
      bodyBegan(at, body) {
        const due = dueAt.get(runId(body));
        if (due !== undefined && at < due - skewMs)
          violate(`attempt ${body.attempt} began ${due - at} ms before it was due`, body);
        dueAt.delete(runId(body));
      },
      wroteRun(at, before, after) {
        if (after === null) return;
        const hasFailed = after.state === 'retrying' || isGivenUp(after);
        if (before?.state === 'running' && hasFailed) failed(at, before, after);
        if (isTerminal(after)) for (const known of [dueAt, retried]) known.delete(runId(after));
      },
    };

    function failed(at: number, { token }: Run, after: Run): void {
      const id = runId(after);
      const failures = (retried.get(id) ?? 0) + 1;
      const said = { failures, word: wordOf(thrown.get(token)) };
      const problem = problemOf(after, policiesOf(world, after, at), said);
      if (problem !== null) violate(problem, after);
      thrown.delete(token);
      if (after.state !== 'retrying') return;
      retried.set(id, failures);
      dueAt.set(id, after.attentionAt ?? 0);
    }
  },
};

/** Failed for good, by its own code or by the clock. */
function isGivenUp({ state, reason }: Run): boolean {
  return state === 'failed' && (reason === 'error' || reason === 'timed-out');
}

/** By which an attempt goes that ends now, with the code with which it began, or the reconciler in its place; null: none. */
function policiesOf(world: WorldView, { jobId, attempts }: Run, at: number): (RetryPolicy | null)[] {
  const began = attempts.at(-1)?.startedAt ?? at;
  const jobs = [began, at].flatMap((instant) => functionsAt(world, jobId, instant));
  return [...jobs, ...versionsAt(world, jobId, at)].map((job) => job?.retry ?? null);
}

function problemOf(
  run: Run,
  policies: readonly (RetryPolicy | null)[],
  { failures, word }: { failures: number; word: Word },
): string | null {
  if (run.state === 'failed') {
    const mayFail = word.kind === 'never' || policies.some((policy) => failures >= (policy?.attempts ?? 1));
    return mayFail ? null : `has failed for good by failure ${failures}, and its job tries again`;
  }
  const pauseMs = (run.attentionAt ?? 0) - (run.attempts.at(-1)?.settledAt ?? 0);
  const isWanted = policies.some(
    (policy) => policy !== null && isAsSaid(policy, { failures, pauseMs, word }),
  );
  return isWanted ? null : `is tried again ${pauseMs} ms after failure ${failures}, and nobody wanted that`;
}

function isAsSaid(
  { attempts, backoffMs, capMs }: RetryPolicy,
  { failures, pauseMs, word }: { failures: number; pauseMs: number; word: Word },
): boolean {
  if (word.kind === 'never' || failures >= attempts) return false;
  if (word.kind === 'after') return pauseMs === word.ms;
  const longest = Math.max(shortestPauseMs, Math.min(capMs, backoffMs * 2 ** (failures - 1)));
  return shortestPauseMs <= pauseMs && pauseMs <= longest;
}

function wordOf(thrown: unknown): Word {
  if (!(thrown instanceof Error) || !('fireledger' in thrown)) return { kind: 'nothing' };
  if (thrown.fireledger === 'fatal') return { kind: 'never' };
  const isAfter = thrown.fireledger === 'retry' && 'afterMs' in thrown;
  return isAfter ? { kind: 'after', ms: Number(thrown.afterMs) } : { kind: 'nothing' };
}
