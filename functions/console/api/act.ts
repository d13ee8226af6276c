import { checkInput } from '../../cli/check-input.ts';
import { fireBeside } from '../../cli/fire-beside.ts';
import { endOf } from '../../cli/instants.ts';
import type { Io } from '../../cli/io.ts';
import { makeUpSkipped } from '../../cli/make-up-skipped.ts';
import { pauseJson } from '../../cli/render/pause-json.ts';
import { runJson } from '../../cli/render/run-json.ts';
import type { Verdict } from '../../domain/release.ts';
import { cancel } from '../../operator/cancel.ts';
import { pause, resume } from '../../operator/pause.ts';
import { type Operator, Refused } from '../../operator/ports.ts';
import { redrive, type UnreadableQueue } from '../../operator/redrive.ts';
import { release, type SaidOfStep } from '../../operator/release.ts';
import { retry } from '../../operator/retry.ts';
import { trigger } from '../../operator/trigger.ts';
import type { ActRequests } from '../data.ts';
import { backfill, withdraw } from './backfill.ts';
import { type Body, bodyOf, flagIn, instantIn, noteIn, oneOf, textIn } from './bodies.ts';
import type { Feeds } from './feeds.ts';
import { findRun } from './run.ts';
import { AskedWrongly, deployedJobOf, manifestOf } from './view.ts';

/** With what a person at the page acts. */
export interface Hand {
  readonly operator: Operator;
  /** Where the job files are, by which inputs are checked. */
  readonly jobsDir?: string;
  readonly feeds: Feeds;
  /** Absent: no system runs on the ledger, and nothing is kept of its queues. */
  readonly unreadable?: UnreadableQueue;
  /** Resolves after so many milliseconds, or as soon as the signal aborts. */
  readonly sleep: Io['sleep'];
}

type Verb = keyof ActRequests;
type Act = (hand: Hand, body: Body) => Promise<unknown>;

const acts: Readonly<Record<Verb, { readonly fields: readonly string[]; readonly act: Act }>> = {
  trigger: { fields: ['jobId', 'at', 'input', 'note'], act: startByHand },
  retry: { fields: ['run', 'from', 'note'], act: runOnceMore },
  cancel: { fields: ['run', 'note'], act: endRun },
  release: { fields: ['run', 'as', 'stepDone', 'result', 'note'], act: decide },
  pause: { fields: ['jobId', 'until', 'note'], act: pauseJob },
  resume: { fields: ['jobId', 'catchUp', 'note'], act: resumeJob },
  backfill: {
    fields: ['jobId', 'from', 'to', 'only', 'order', 'rate', 'previewed', 'note'],
    act: backfill,
  },
  withdraw: { fields: ['jobId', 'at'], act: withdraw },
  redrive: { fields: ['dryRun', 'note'], act: sendBack },
};

/**
 * Does what a person pressed, as `fl` does. The run as it is then, or what the verb has to tell, as scripts read it.
 *
 * @throws AskedWrongly for a request that can't be read, Refused for one that can't be done; then nothing was written
 */
export async function act(hand: Hand, verb: string, body: unknown): Promise<unknown> {
  if (!isVerb(verb)) throw new AskedWrongly(`the verbs are ${Object.keys(acts).join(', ')}`, 404);
  const known = acts[verb];
  return known.act(hand, bodyOf(body, known.fields));
}

function isVerb(verb: string): verb is Verb {
  return Object.hasOwn(acts, verb);
}

async function startByHand({ operator, jobsDir }: Hand, body: Body): Promise<unknown> {
  const job = deployedJobOf(await manifestOf(operator.ledger), textIn(body, 'jobId'));
  const fireTime = instantIn(body, 'at', { timezone: job.spec.timezone, now: operator.clock() });
  const { input } = body;
  const warnings: string[] = [];
  await checkInput(job.id, input, { jobsDir, io: { warn: (text) => void warnings.push(text.trim()) } });
  const beside =
    fireTime === undefined
      ? null
      : await fireBeside(operator.ledger, job, { fireTime, now: operator.clock() });
  if (beside !== null) warnings.push(beside);
  const wish = { ...(fireTime !== undefined && { fireTime }), ...(input !== undefined && { input }) };
  return { ...runJson(await trigger(operator, job, { ...wish, ...noteIn(body) })), warnings };
}

async function runOnceMore({ operator }: Hand, body: Body): Promise<unknown> {
  const run = await findRun(operator.ledger, textIn(body, 'run'));
  const job = deployedJobOf(await manifestOf(operator.ledger), run.jobId);
  const from = body.from === undefined ? {} : { from: oneOf(body, 'from', ['beginning', 'last-step']) };
  return runJson(await retry(operator, run, job, { ...from, ...noteIn(body) }));
}

async function endRun({ operator }: Hand, body: Body): Promise<unknown> {
  const run = await findRun(operator.ledger, textIn(body, 'run'));
  return runJson(await cancel(operator, run, noteIn(body).note));
}

const verdicts: readonly Verdict[] = ['rerun', 'resume', 'fail'];

async function decide({ operator }: Hand, body: Body): Promise<unknown> {
  const verdict = oneOf(body, 'as', verdicts);
  const said = saidOf(body);
  const run = await findRun(operator.ledger, textIn(body, 'run'));
  return runJson(await release(operator, run, { verdict, said, ...noteIn(body) }));
}

function saidOf(body: Body): SaidOfStep | null {
  const done = flagIn(body, 'stepDone');
  const { result } = body;
  if (result !== undefined && done !== true)
    throw new AskedWrongly('result is what a step returned: it goes with stepDone: true');
  if (done === undefined) return null;
  return done && result !== undefined ? { done, result } : { done };
}

async function pauseJob({ operator }: Hand, body: Body): Promise<unknown> {
  const { id: jobId, spec } = deployedJobOf(await manifestOf(operator.ledger), textIn(body, 'jobId'));
  const at = { timezone: spec.timezone, start: operator.clock(), what: 'until' };
  const until = body.until === undefined ? undefined : endOf(textIn(body, 'until'), at);
  const paused = await pause(operator, jobId, { ...(until !== undefined && { until }), ...noteIn(body) });
  return { jobId, paused: pauseJson(paused) };
}

async function resumeJob({ operator }: Hand, body: Body): Promise<unknown> {
  const job = deployedJobOf(await manifestOf(operator.ledger), textIn(body, 'jobId'));
  const isWanted = flagIn(body, 'catchUp') ?? false;
  const was = await resume(operator, job.id, noteIn(body));
  const skipped = await makeUpSkipped(operator, job, { since: was.at, isWanted });
  return { jobId: job.id, was: pauseJson(was), ...skipped };
}

async function sendBack(
  { operator, unreadable }: Hand,
  body: Body,
): Promise<{ messages: number; isSentBack: boolean }> {
  if (unreadable === undefined)
    throw new Refused('no system runs on this ledger, and its queues are in memory: nothing is kept of them');
  const isSentBack = flagIn(body, 'dryRun') !== true;
  const messages = isSentBack ? await redrive(operator, unreadable, noteIn(body)) : await unreadable.count();
  return { messages, isSentBack };
}
