import { counted, named } from '../../cli/render/text.ts';
import { agoText, spanText } from '../../cli/render/times.ts';
import { type RunRef, runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import { minute } from '../../domain/time.ts';
import { oldestWaitMs } from '../../domain/waiting.ts';
import type { ReconcilerStanding } from '../../store/dynamodb/index.ts';
import type { Health } from '../data.ts';

interface Standing {
  readonly standing: ReconcilerStanding | null;
  /** The newest failed run of each job that hasn't succeeded since. */
  readonly failing: readonly Run[];
  readonly parked: readonly Run[];
  /** Who has waited longest, first. */
  readonly waiting: readonly Run[];
  readonly now: number;
  /** No system runs on the ledger. */
  readonly isAlone: boolean;
}

/** A sweep comes each minute and takes up to one; without any for five minutes there is an alert, too. */
const lateMs = 2.5 * minute;
const silentMs = 5 * minute;
/** So many jobs are named. */
const mostNamed = 3;
/** Who waits longer is worth a look. */
const longWaitMs = 10 * minute;

/** The health strip, always in this order. */
export function healthOf(of: Standing): Health[] {
  return [sweepHealth(of), gapHealth(of), failingHealth(of), parkedHealth(of), waitingHealth(of)];
}

function sweepHealth({ standing, isAlone, now }: Standing): Health {
  const sweptAt = standing?.sweptAt;
  const name = 'last sweep';
  const value = sweptAt === undefined ? 'there was none' : agoText(sweptAt, now);
  const seen = { name, value, route: '#/ledger' } as const;
  if (isAlone)
    return {
      ...seen,
      level: 'warn',
      detail: 'No system runs on this ledger: end this console, and npm start.',
    };
  if (sweptAt === undefined)
    return {
      ...{ ...seen, level: 'bad' },
      detail:
        'A reconciler sweeps each minute. On this machine npm start runs it; of a stage fl doctor tells why not.',
    };
  const behindMs = now - sweptAt;
  if (behindMs > silentMs)
    return {
      ...{ ...seen, level: 'bad' },
      detail: 'The reconciler stands still, so missed fires and dead runs go unseen: fl doctor tells why.',
    };
  const detail = 'The reconciler sweeps each minute: it records what was missed and settles what died.';
  return { ...seen, level: behindMs > lateMs ? 'warn' : 'good', detail };
}

function gapHealth({ standing, now }: Standing): Health {
  const since = standing?.gapSince;
  const told = { name: 'ledger gap', route: '#/ledger' } as const;
  if (since === undefined)
    return {
      ...{ ...told, level: 'good', value: 'none' },
      detail: 'Every fire that the reconciler looked at has its record.',
    };
  return {
    ...{ ...told, level: 'bad', value: `for ${spanText(now - since)}` },
    detail: 'Fires could not be recorded since then: see the ledger, and fl doctor.',
  };
}

function failingHealth({ failing }: Standing): Health {
  const name = 'failing';
  const [newest] = [...failing].sort((a, b) => b.fireTime - a.fireTime);
  if (newest === undefined)
    return {
      ...{ level: 'good', name, value: 'no job', route: '#/jobs' },
      detail: 'No job’s newest run of the last 24 hours failed.',
    };
  const jobIds = failing.map(({ jobId }) => jobId);
  return {
    ...{ level: 'bad', name, value: counted(failing.length, 'job'), route: routeOf(newest) },
    detail: `${named(jobIds, mostNamed)}: failed, and not succeeded since.`,
  };
}

function parkedHealth({ parked }: Standing): Health {
  const name = 'parked';
  const [newest] = parked;
  if (newest === undefined)
    return {
      ...{ level: 'good', name, value: 'no run', route: '#/jobs' },
      detail: 'No run waits for a person’s decision.',
    };
  return {
    ...{ level: 'bad', name, value: counted(parked.length, 'run'), route: routeOf(newest) },
    detail: 'A person must decide whether they run again: open one, and release it.',
  };
}

function waitingHealth({ waiting, now }: Standing): Health {
  const name = 'waiting';
  const [longest] = waiting;
  if (longest === undefined)
    return {
      ...{ level: 'good', name, value: 'no run', route: '#/pools' },
      detail: 'Nothing waits for a slot or a pool.',
    };
  const ms = oldestWaitMs(waiting, now);
  return {
    ...{ level: ms > longWaitMs ? 'warn' : 'good', name, route: routeOf(longest) },
    value: `${counted(waiting.length, 'run')}, the first for ${spanText(ms)}`,
    detail: 'For its slot, its pools, or its turn among what is made up.',
  };
}

function routeOf(run: RunRef): string {
  return `#/runs/${encodeURIComponent(runId(run))}`;
}
