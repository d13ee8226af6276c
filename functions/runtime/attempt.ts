import { killMarginMs } from '../contract.ts';
import type { Bill } from '../domain/bill.ts';
import type { Outcome } from '../domain/finish.ts';
import type { Run } from '../domain/run.ts';
import type { Entry } from '../domain/start.ts';
import { toIso } from '../domain/time.ts';
import { waitedMsOf } from '../domain/waiting.ts';
import { openBill } from './bill.ts';
import type { Ending } from './execute.ts';
import { execute } from './execute.ts';
import type { FaultWatch } from './faults.ts';
import { watchFaults } from './faults.ts';
import { type Ended, finish, mark } from './finish.ts';
import { attemptNumber, contextOf, fireOf, readCovers } from './fire.ts';
import { escaped, fencedOff } from './interruption.ts';
import { withFields } from './log.ts';
import { errorOf } from './outcome.ts';
import { persevere } from './persevere.ts';
import type { LoadedJob, Ports } from './ports.ts';
import { openProgress } from './progress.ts';
import { watchRecord } from './record-watch.ts';
import { endingOf, openSteps, type StepScope, stepVerbs } from './steps/index.ts';
import { isNews, tell } from './tell.ts';

/** What became of an attempt. `mustExit`: job code may still be alive, or let an error escape. */
export interface Attempted {
  readonly kind: Outcome['kind'] | 'lost';
  readonly mustExit: boolean;
}

/** Runs a started run's code and writes its outcome. */
export async function attempt(
  run: Run,
  { entry, job, ports: outer }: { entry: Entry; job: LoadedJob; ports: Ports },
): Promise<Attempted> {
  const fields = { fireTime: toIso(run.fireTime), attempt: attemptNumber(run) };
  const ports = { ...outer, log: withFields(outer.log, fields) };
  const faults = watchFaults(ports.faults, ports.log);
  try {
    const { ending, endedBy, ...ran } = await runCode(run, { entry, job, ports, faults });
    if (ran.bill) ports.metrics.used(ran.bill);
    const { retry, pauseAfter, notify } = job.entry;
    const ended = { run, ...ran, retry, pauseAfter, notify, killedAt: entry.now + entry.remainingMs };
    const written = endedBy
      ? tellOfCommit(endedBy, ending, ended, ports)
      : await write(withinHops(ending, run), ended, ports);
    if (run.trigger === 'backfill') await ports.nudger.nudge(`${run.jobId} ended a made-up run`);
    return { kind: written, mustExit: ending.kind === 'ignored-abort' || faults.any() };
  } finally {
    faults.stop();
  }
}

interface Ran extends Pick<Ended, 'covers' | 'bill' | 'progress'> {
  readonly ending: Ending;
  /** The commit that has ended the run. */
  readonly endedBy?: string | undefined;
}

async function runCode(
  run: Run,
  { entry, job, ports, faults }: { entry: Entry; job: LoadedJob; ports: Ports; faults: FaultWatch },
): Promise<Ran> {
  const deadline = entry.now + Math.min(job.entry.timeoutMs, entry.remainingMs - killMarginMs);
  const { log } = ports;
  try {
    const read = () => readCovers(run, ports.ledger);
    const covers = await persevere('reading the covered fires', read, { until: deadline, ports });
    const fire = fireOf(run, covers, job);
    log.info('started', { trigger: run.trigger });
    const { meter, soFar, close } = openBill(ports.meter, waitedMsOf(run));
    const progress = openProgress(run, ports);
    const timeoutMs = deadline - entry.now;
    const spent = (bill: Bill) => ({ covers, bill, progress: progress.last() });
    const steps = openSteps(run, { deadline, ports, used: () => spent(soFar()) });
    const atHand = { deadline, timeoutMs, log, meter, progress: progress.report };
    const work = (signal: AbortSignal) =>
      job.run(fire, contextOf(run, { signal, ...atHand, steps: stepVerbs(steps, signal) }, ports));
    const ending = await executeWatched(work, run, { deadline, ports, faults, fenced: steps.fenced });
    return { ending: endingOf(ending, steps), endedBy: steps.endedBy, ...spent(close()) };
  } catch (error) {
    return { ending: { kind: 'failed', error: errorOf(error) }, covers: [] };
  }
}

/** More are a loop that makes no headway. */
const mostHops = 500;

function withinHops(ending: Ending, { hops = 0 }: Run): Ending {
  if (ending.kind !== 'continued' || hops < mostHops) return ending;
  const message = `went on ${mostHops} times already, which is the most; make its attempts longer, or split its work`;
  return { kind: 'failed', error: { name: 'RangeError', message }, again: 'never' };
}

async function executeWatched(
  work: (signal: AbortSignal) => Promise<unknown>,
  run: Run,
  {
    deadline,
    ports,
    faults,
    fenced,
  }: { deadline: number; ports: Ports; faults: FaultWatch; fenced: StepScope['fenced'] },
): Promise<Ending> {
  const record = watchRecord(run, ports);
  const interrupted = Promise.race([escaped(faults.first), record.interrupted, fenced.then(fencedOff)]);
  try {
    return await execute(work, { budgetMs: deadline - ports.clock(), interrupted }, ports);
  } finally {
    record.stop();
  }
}

async function write(ending: Ending, ended: Ended, ports: Ports): Promise<Attempted['kind']> {
  if (ending.kind === 'ignored-abort') return writeMark(ending, ended, ports);
  const finished = await finish(ending, ended, ports);
  if (finished === 'lost') return 'lost';
  tell(ending, { ...finished, bill: ended.bill }, ports);
  if (isNews(ending, finished) && ended.notify !== false) await ports.nudger.announce(ended.run);
  return ending.kind;
}

/** Its finish was in the commit. What the code came to after that changes nothing. */
function tellOfCommit(endedBy: string, ending: Ending, { bill }: Ended, ports: Ports): 'succeeded' {
  if (ending.kind !== 'succeeded')
    ports.log.warn(
      'the run had ended with its final commit; what its code came to after that counts for nothing',
      {
        commit: endedBy,
        came: ending.kind,
        ...('error' in ending && { error: ending.error }),
      },
    );
  tell({ kind: 'succeeded' }, { bill }, ports);
  return 'succeeded';
}

/** Job code is still alive, so the process ends even if the mark can't be written. */
async function writeMark(
  { of, error }: Extract<Ending, { kind: 'ignored-abort' }>,
  ended: Ended,
  ports: Ports,
): Promise<Attempted['kind']> {
  ports.log.error('the handler ignored its abort: the process ends', { error, bill: ended.bill });
  try {
    return (await mark(error, ended, ports)) === 'lost' ? 'lost' : of;
  } catch (rejection) {
    ports.log.error("the mark was not written: the run is settled at its lease's end", { error: rejection });
    return of;
  }
}
