import { counted } from '../../cli/render/text.ts';
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
/** Who waits longer is worth a look. */
const longWaitMs = 10 * minute;

/** The health strip, always in this order. */
export function healthOf(of: Standing): Health[] {
  return [sweepHealth(of), gapHealth(of), failingHealth(of), parkedHealth(of), waitingHealth(of)];
}

function sweepHealth({ standing, isAlone, now }: Standing): Health {
  const sweptAt = standing?.sweptAt;
  const name = 'last sweep';
  const value = sweptAt === undefined ? 'never' : agoText(sweptAt, now);
  if (isAlone)
    return told({ level: 'warn', name, value, detail: 'No system runs on this ledger: npm start runs it.' });
  const behindMs = now - (sweptAt ?? Number.NEGATIVE_INFINITY);
  if (behindMs > silentMs)
    return told({
      ...{ level: 'bad', name, value },
      detail: 'The reconciler stands still, so missed fires and dead runs go unseen: fl doctor tells why.',
    });
  const detail = 'The reconciler sweeps each minute: it records what was missed and settles what died.';
  return told({ level: behindMs > lateMs ? 'warn' : 'good', name, value, detail });
}

function gapHealth({ standing, now }: Standing): Health {
  const since = standing?.gapSince;
  const name = 'ledger gap';
  if (since === undefined)
    return told({
      ...{ level: 'good', name, value: 'none' },
      detail: 'Every fire that the reconciler looked at has its record.',
    });
  return told({
    ...{ level: 'bad', name, value: spanText(now - since), route: '#/ledger' },
    detail: 'Fires could not be recorded since then: see the ledger, and fl doctor.',
  });
}

function failingHealth({ failing }: Standing): Health {
  const name = 'failing';
  const [newest] = [...failing].sort((a, b) => b.fireTime - a.fireTime);
  if (newest === undefined)
    return told({
      ...{ level: 'good', name, value: 'none' },
      detail: 'No job’s newest run of the last 24 hours failed.',
    });
  return told({
    ...{ level: 'bad', name, value: counted(failing.length, 'job'), route: routeOf(newest) },
    detail: `${failing.map(({ jobId }) => jobId).join(', ')}: failed, and not succeeded since.`,
  });
}

function parkedHealth({ parked }: Standing): Health {
  const name = 'parked';
  const [newest] = parked;
  if (newest === undefined)
    return told({ level: 'good', name, value: 'none', detail: 'No run waits for a person’s decision.' });
  return told({
    ...{ level: 'bad', name, value: counted(parked.length, 'run'), route: routeOf(newest) },
    detail: 'A person must decide whether they run again: open one, and release it.',
  });
}

function waitingHealth({ waiting, now }: Standing): Health {
  const name = 'waiting';
  const [longest] = waiting;
  if (longest === undefined)
    return told({ level: 'good', name, value: 'none', detail: 'Nothing waits for a slot or a pool.' });
  const ms = oldestWaitMs(waiting, now);
  return told({
    ...{ level: ms > longWaitMs ? 'warn' : 'good', name, route: routeOf(longest) },
    value: `${counted(waiting.length, 'run')}, ${spanText(ms)}`,
    detail: 'How many wait, and how long the first has for its slot or its pools.',
  });
}

function told({ route, ...health }: Omit<Health, 'route'> & { readonly route?: string }): Health {
  return { ...health, route: route ?? null };
}

function routeOf(run: RunRef): string {
  return `#/runs/${encodeURIComponent(runId(run))}`;
}
