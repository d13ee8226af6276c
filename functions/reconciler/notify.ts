import type { ReconcilerState } from '../domain/ledger.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import type { RunRef } from '../domain/names.ts';
import { due, type Noticed, type Telling, untold } from '../domain/notices/due.ts';
import { messageOf } from '../domain/notices/message.ts';
import type { Notice } from '../domain/notices/notice.ts';
import type { Run } from '../domain/run.ts';
import { minute } from '../domain/time.ts';
import type { NoticeBoard } from './notice-board.ts';
import type { ReconcilerPorts } from './ports.ts';
import { readableRuns } from './records.ts';

interface Around {
  /** The manifest's jobs, by id. */
  readonly jobs: ReadonlyMap<string, ManifestJob>;
  /** Over how many stacks they are spread. */
  readonly jobStacks: number;
  readonly now: number;
}

/** The next sweeps may find nothing in the way any more. */
const gapPatienceMs = 2 * minute;

/**
 * Tells people of what a turn came to, and returns what the state keeps of it. `before`: the state as it was; `gap`: fires
 * that the turn could not record, of the jobs `jobIds`.
 */
export async function tellOfTurn(
  ports: ReconcilerPorts,
  board: NoticeBoard,
  {
    before,
    gap,
    jobIds,
    ...around
  }: Around & { before: ReconcilerState; gap: number; jobIds: readonly string[] },
): Promise<Pick<ReconcilerState, 'gapSince' | 'noticed'>> {
  const since = gap === 0 ? undefined : (before.gapSince ?? around.now);
  if (since !== undefined && around.now - since >= gapPatienceMs)
    board.add({ kind: 'ledger-gap', fires: gap, jobIds, since });
  const noticed = await tellPeople(ports, board, { ...around, noticed: before.noticed ?? {} });
  return {
    ...(since !== undefined && { gapSince: since }),
    ...(Object.keys(noticed).length > 0 && { noticed }),
  };
}

/**
 * Tells people what is on the board, as far as it is due, and returns what was told within the hour. What could not be sent
 * counts as held back: the next turn tells how many there were. Never rejects: the ledger's work does not hang on it.
 */
async function tellPeople(
  ports: ReconcilerPorts,
  board: NoticeBoard,
  { noticed, ...around }: Around & { noticed: Noticed },
): Promise<Noticed> {
  const { notices, ended } = board.take();
  const all = [...notices, ...(await endedNotices(ports, ended))].filter((notice) =>
    isWanted(notice, around),
  );
  const { tell, noticed: after } = due(noticed, all, around.now);
  const failed = await sendAll(ports, tell, around);
  return failed.length === 0 ? after : untold(after, failed, around.now);
}

function isWanted(notice: Notice, { jobs }: Around): boolean {
  return !('jobId' in notice) || jobs.get(notice.jobId)?.notify !== false;
}

/** As their records stand by now: one about which somebody has decided meanwhile is no news any more. */
async function endedNotices(ports: ReconcilerPorts, ended: readonly RunRef[]): Promise<Notice[]> {
  if (ended.length === 0) return [];
  try {
    const runs = await readableRuns(ports, ended, 'a run that people are to be told of');
    return runs.flatMap((run) => endedNotice(run) ?? []);
  } catch (error) {
    ports.log.error('people could not be told of runs that failed or were parked', { runs: ended, error });
    return [];
  }
}

function endedNotice(run: Run): Notice | null {
  const { state, jobId, released } = run;
  if (state === 'parked') return { kind: 'parked', jobId, run };
  return state === 'failed' && released?.as !== 'fail' ? { kind: 'failed', jobId, run } : null;
}

/** Those that could not be sent. */
async function sendAll(
  { notifier, log, stage }: ReconcilerPorts,
  tell: readonly Telling[],
  around: Around,
): Promise<Telling[]> {
  const sent = await Promise.all(
    tell.map(async (telling) => {
      try {
        await notifier.notify(messageOf(telling, { stage, ...around }));
        return [];
      } catch (error) {
        log.error('a notice could not be sent; the next sweep tries again', { telling, error });
        return [telling];
      }
    }),
  );
  return sent.flat();
}
