import { type Explanation, explain } from '../../cli/explanation.ts';
import { authorsStack } from '../../cli/render/authors-stack.ts';
import { runJson } from '../../cli/render/run-json.ts';
import { whyFacts } from '../../cli/render/why-text.ts';
import { parseRunId, runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import type { StepRecord } from '../../domain/steps.ts';
import { toIso } from '../../domain/time.ts';
import type { RunAnswer } from '../data.ts';
import { billRows } from './bill-rows.ts';
import { briefOf, isoOr } from './brief.ts';
import { logUrlOf } from './log-url.ts';
import { verbsFor } from './verbs-for.ts';
import { AskedWrongly, jobsById, knownOr, manifestOf, type View } from './view.ts';

const mostBeside = 50;

/** Everything about one run. */
export async function runAnswer({ place, now }: View, id: string): Promise<RunAnswer> {
  const { ledger } = place;
  const [run, manifest] = await Promise.all([findRun(place.ledger, id), manifestOf(ledger)]);
  const jobs = jobsById(manifest);
  const job = knownOr(jobs, run.jobId);
  const deployed = manifest.jobs.find((one) => one.id === run.jobId);
  const [explanation, steps] = await Promise.all([
    explain(run, { ledger, manifest, now }),
    ledger.steps(run),
  ]);
  return {
    ...{ run: briefOf(run, job), record: runJson(run), timezone: job.timezone },
    attempts: attemptsOf(explanation, place),
    steps: [...steps].sort((a, b) => a.at - b.at).map(stepOf),
    waits: waitsOf(explanation),
    facts: whyFacts(explanation, job).filter(([, sentences]) => sentences.length > 0),
    culprit: culpritOf(explanation),
    overlapping: explanation.overlaps
      .slice(0, mostBeside)
      .map((overlap) => briefOf(overlap.run, knownOr(jobs, overlap.run.jobId))),
    result: shownJson(run.result),
    uncertain: run.uncertain ?? null,
    retriesFrom: deployed?.crashed === 'resume' ? 'last-step' : 'beginning',
    error: errorOf(run),
    can: verbsFor(run, { isDeployed: deployed !== undefined, now }),
  };
}

/** @throws AskedWrongly where there is none */
export async function findRun(ledger: View['place']['ledger'], id: string): Promise<Run> {
  const ref = parseRunId(id);
  if (ref === null)
    throw new AskedWrongly(
      'that names no run; a run is JOB#TIME, such as reports/inventory#2026-12-01T03:00:00Z',
    );
  const run = await ledger.run(ref);
  if (run === null) throw new AskedWrongly(`there is no run ${runId(ref)}`, 404);
  return run;
}

function culpritOf({ verdict }: Explanation): RunAnswer['culprit'] {
  return verdict?.kind === 'culprit' ? runId(verdict.suspect.run) : null;
}

/** The last one is compared with earlier runs. */
function attemptsOf(
  { run: { jobId, attempts }, earlier, now }: Explanation,
  { stage, deployed }: View['place'],
): RunAnswer['attempts'] {
  return attempts.map((attempt, index) => ({
    number: attempt.number,
    startedAt: toIso(attempt.startedAt),
    settledAt: isoOr(attempt.settledAt),
    tookMs: attempt.settledAt === undefined ? null : attempt.settledAt - attempt.startedAt,
    outcome: attempt.outcome ?? null,
    bill: billRows(attempt, index === attempts.length - 1 ? { earlier, now } : null),
    log: attempt.requestId,
    logUrl:
      stage === undefined || deployed === undefined
        ? null
        : logUrlOf(attempt, { ...deployed, stage, jobId, now }),
  }));
}

/** So much of a result is shown; `fl show` has it whole. */
const mostShown = 2_000;

function shownJson(value: unknown): string | null {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  return text.length > mostShown ? `${text.slice(0, mostShown).toWellFormed()}…` : text;
}

function stepOf({ name, kind, state, at, result }: StepRecord): RunAnswer['steps'][number] {
  return { name, kind, state, at: toIso(at), result: shownJson(result) };
}

function waitsOf({ waits }: Explanation): RunAnswer['waits'] {
  return waits.map(({ wait, behind }) => ({
    reason: wait.reason,
    from: toIso(wait.from),
    until: toIso(wait.until),
    behind: behind.map(({ run }) => runId(run)),
  }));
}

function errorOf({ error }: Run): RunAnswer['error'] {
  if (error === undefined) return null;
  const { name, message, stack = '' } = error;
  return { name, message, stack: authorsStack(stack) || null };
}
