import type { Pause } from '../job-state.ts';
import type { Run } from '../run.ts';

/** What people are told of without asking, and what is known of it. */
export type Notice =
  /** A run that is not tried again, or that waits for a person. */
  | { readonly kind: 'failed' | 'parked'; readonly jobId: string; readonly run: Run }
  /** The job failed too often in a row. */
  | { readonly kind: 'paused'; readonly jobId: string; readonly pause: Pause }
  /** Fires that were missed and are not made up, though their job wants that done: `oldest` to `newest`. */
  | {
      readonly kind: 'missed';
      readonly jobId: string;
      readonly tooOld: number;
      readonly overLimit: number;
      readonly oldest: number;
      readonly newest: number;
    }
  /** Something lies on the control queue that is none of ours. */
  | { readonly kind: 'unreadable'; readonly messageId: string; readonly bytes: number }
  /** Since `since` no turn could record all fires that are past their grace. */
  | {
      readonly kind: 'ledger-gap';
      readonly fires: number;
      readonly jobIds: readonly string[];
      readonly since: number;
    };

export type NoticeKind = Notice['kind'];

/** Of which kind, and of which job if it is about one. */
export interface NoticeKey {
  readonly kind: NoticeKind;
  readonly jobId?: string;
}

/** Notices with the same key are told together when they are many. */
export function keyOf({ kind, jobId }: NoticeKey): string {
  return jobId === undefined ? kind : `${kind}#${jobId}`;
}

/** The inverse of `keyOf`. */
export function partsOf(key: string): NoticeKey {
  const [kind = '', jobId] = key.split('#');
  return { kind: kind as NoticeKind, ...(jobId !== undefined && { jobId }) };
}

/** Tells a notice from others of its key: one that comes twice is told once. */
export function idOf(notice: Notice): string {
  switch (notice.kind) {
    case 'failed':
    case 'parked':
      // A run that was released may be parked once more.
      return `${notice.run.key}.${notice.run.attempts.length}`;
    case 'paused':
      return String(notice.pause.at);
    case 'missed':
      return `${notice.oldest}-${notice.newest}`;
    case 'unreadable':
      return notice.messageId;
    case 'ledger-gap':
      return 'gap';
  }
}

/** How many runs, fires or messages it is about. */
export function sizeOf(notice: Notice): number {
  return notice.kind === 'missed' ? notice.tooOld + notice.overLimit : 1;
}
