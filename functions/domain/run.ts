import type { Bill } from './bill.ts';
import type { RunRef } from './names.ts';
import type { Weights } from './pools.ts';

/** States that still need somebody's attention. */
export const openStates = ['offered', 'waiting', 'running', 'retrying', 'parked'] as const;
/** States that never change but by an operator. */
export const terminalStates = ['succeeded', 'failed', 'canceled', 'skipped', 'missed'] as const;

export type OpenState = (typeof openStates)[number];
export type TerminalState = (typeof terminalStates)[number];
export type RunState = OpenState | TerminalState;

/** Why a run is in its state. `catch-up`: a missed fire waiting for its turn (order, rate, slot); `pool`: it has its slot, and waits for its pools. */
export type Reason =
  | 'overlap'
  | 'paused'
  | 'superseded'
  | 'edited'
  | 'excluded'
  | 'waited-too-long'
  | 'policy'
  | 'too-old'
  | 'over-limit'
  | 'error'
  | 'timed-out'
  | 'crashed'
  | 'slot'
  | 'pool'
  | 'catch-up'
  | 'uncertain-step'
  | 'operator'
  | 'removed';

export type Trigger = 'schedule' | 'backfill' | 'manual';

/** `continued`: it went on in another attempt, as its code asked. */
export type AttemptOutcome = 'succeeded' | 'failed' | 'timed-out' | 'crashed' | 'canceled' | 'continued';

/** One execution of the handler. Two of one run that were alive at once are a broken promise; the audit looks for it. */
export interface Attempt {
  readonly number: number;
  readonly token: string;
  /** The invocation's request id, by which Lambda's failure record and the log name it. */
  readonly requestId: string;
  /** The process that ran it; of use on one machine only. */
  readonly pid: number;
  readonly startedAt: number;
  /** Until when its owner may still be alive. Only this proves a death. */
  readonly leaseUntil: number;
  readonly settledAt?: number;
  readonly outcome?: AttemptOutcome;
  /** What was reported of its death before its lease proved it. */
  readonly suspected?: Suspicion;
  /** Written with its last write; one that crashed has none. */
  readonly bill?: Bill;
}

/** How far its code says that it is. */
export interface Progress {
  readonly done: number;
  readonly total?: number;
  readonly note?: string;
  readonly at: number;
}

export interface RunError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
}

/** What a run waits for, or waited for. */
export type WaitReason = 'slot' | 'pool' | 'catch-up';

/** A wait of a run that is over. `pools`: what it needed. */
export interface Wait {
  readonly reason: WaitReason;
  readonly from: number;
  readonly until: number;
  readonly pools?: Weights;
}

/** Somebody wants a run ended: a person, or a newer fire of its job (`superseded`, under `cancel-running`). */
export interface CancelRequest {
  readonly at: number;
  /** The name of the operating system's user; of a newer fire its run's key. */
  readonly by: string;
  readonly reason: 'operator' | 'superseded';
  readonly note?: string;
}

/** A person wants it run: started by hand, once more, or made up for though its time was over. */
export interface Requested {
  readonly at: number;
  readonly by: string;
  readonly note?: string;
}

/** A person's decision about a parked run. */
export interface Released {
  readonly at: number;
  /** Who decided: the name of the operating system's user. */
  readonly by: string;
  readonly as: 'rerun' | 'resume' | 'fail';
  /** What was said of the step of which nobody knew. */
  readonly step?: { readonly name: string; readonly done: boolean };
}

/** A death that somebody reported and nobody proved (Lambda's failure record). */
export interface Suspicion {
  readonly at: number;
  readonly requestId: string;
  readonly why: string;
}

/**
 * The ledger's one record of a fire. Its life, and who may write each line:
 *
 *     (absent) ──create──▶ running    the delivery that claimed the fire
 *     (absent) ──create──▶ offered    the reconciler, for a swept fire
 *     (absent) ──create──▶ waiting    the reconciler, for a missed fire to be made up; a delivery that has to queue
 *     (absent) ──create──▶ skipped · missed
 *     waiting  ──move────▶ offered · skipped        the reconciler
 *     offered  ──move────▶ running                  the invocation that carries the offer's token
 *     running  ──move────▶ succeeded · failed · canceled  the attempt that owns the token
 *     running  ──move────▶ retrying · offered · parked  the same: to be tried again, to go on, not to know about a step
 *     retrying ──move────▶ offered · waiting        the reconciler, once it is due
 *     running  ──move────▶ offered · parked · failed · retrying · canceled  the reconciler, once the lease has ended
 *     parked   ──move────▶ waiting · failed         a person
 *     waiting · offered · retrying · parked ──move────▶ canceled  a person; the reconciler, for a newer fire or a job that is gone
 *
 * Every move names the state and the token that it moves from (the fence), and whoever takes a run over replaces the
 * token; so of two writers that believe to own a run, one is refused.
 */
export interface Run extends RunRef {
  readonly fireTime: number;
  readonly trigger: Trigger;
  readonly state: RunState;
  readonly reason?: Reason;
  /** The version of the schedule under which it was due. */
  readonly specId: string;
  /** The fence. Drawn at every handler entry, for every offer, and by whoever takes the run over. */
  readonly token: string;
  readonly createdAt: number;
  /**
   * Open runs only: when the reconciler must look. Running: the lease's end. Offered: the offer's expiry. Waiting: a place
   * in `waitingBand`.
   */
  readonly attentionAt?: number;
  readonly attempts: readonly Attempt[];
  /** It has its job's slot, and must give it back; its job's overlap may have been edited since. */
  readonly hasSlot: boolean;
  /**
   * What it took of pools when it was last started or offered. While it is offered or running it has that, and must give it
   * back, whatever its job's pools are by then; later it is for the record.
   */
  readonly holds?: Weights;
  /** Waiting for pools: what it needs, and at which it is counted. */
  readonly waitsFor?: Weights;
  /** Waiting: since when for what it now waits for; unless given, since it was created. */
  readonly waitingSince?: number;
  /** Since when it counts as waiting for pools, where a run that it took the place of had waited before it. */
  readonly seniority?: number;
  /** Its waits that are over, oldest first; the newest 20. */
  readonly waits?: readonly Wait[];
  /** Running: it is to end, and keeps slot and holds until it has. */
  readonly cancelRequested?: CancelRequest;
  /** Attempts that ended by the end of their lease. */
  readonly crashes: number;
  /** Attempts that failed or ran out of time. Absent: none. */
  readonly failures?: number;
  /** How often it was begun from its start again: plain steps of before count no more, and its cursor is gone. Absent: never. */
  readonly restarts?: number;
  /** How often it went on in another attempt as its code asked, and where that is to go on. Absent: never. */
  readonly hops?: number;
  readonly cursor?: unknown;
  /** Offered, and nobody carries the token yet: the reconciler sends it without waiting for its expiry. */
  readonly unsent?: true;
  readonly progress?: Progress;
  /** Parked: the step of which nobody knows whether it was done. */
  readonly uncertain?: string;
  /** Deliveries of this fire that were refused because it had its run. */
  readonly duplicates: number;
  /** How often its offer was made anew because nobody took it. */
  readonly reoffers: number;
  readonly suspected?: Suspicion;
  /** Its handler ignored the abort: settled as timed out when the lease ends. */
  readonly timedOutAt?: number;
  /** Superseded: the run that stands for this fire. */
  readonly supersededBy?: string;
  /**
   * It stands for other missed fires, none of them due before this: whatever its job's policy has become since. Read when
   * it starts.
   */
  readonly coversFrom?: number;
  /** The fires that it stands for. */
  readonly covers?: readonly number[];
  readonly settledAt?: number;
  readonly error?: RunError;
  readonly result?: unknown;
  /** Of a result that was too large to keep: its size, and how its JSON begins. */
  readonly resultTrimmed?: { readonly bytes: number; readonly text: string };
  readonly input?: unknown;
  /** It runs since a person wants it; the newest wish. */
  readonly requested?: Requested;
  /** The newest decision of a person about it. */
  readonly released?: Released;
  /** What that person said. */
  readonly note?: string;
}

export function isOpen(state: RunState): state is OpenState {
  return (openStates as readonly RunState[]).includes(state);
}

/** For open runs that only a person can move. */
export const neverNeedsAttention = 8_640_000_000_000_000;

/**
 * Runs that wait have no instant at which to look; they have a turn. On the index of open runs it is a place in a band above
 * every instant, so that they hide no ended lease, however many there are.
 */
export const waitingBand = { from: 4_000_000_000_000_000, until: 7_000_000_000_000_000 } as const;

/** A waiting run's place: those that have their slot first, missed fires last; of each the oldest fire first. */
export function turnOf(fireTime: number, reason: WaitReason): number {
  const { from, until } = waitingBand;
  const third = (until - from) / 3;
  return fireTime + { pool: from, slot: from + third, 'catch-up': from + 2 * third }[reason];
}

/** What a run that waits for its job's slot has, and since when. */
export function waitingForSlot(
  { fireTime }: Pick<Run, 'fireTime'>,
  now: number,
): Pick<Run, 'reason' | 'attentionAt' | 'hasSlot' | 'waitingSince'> & { readonly state: 'waiting' } {
  const attentionAt = turnOf(fireTime, 'slot');
  return { state: 'waiting', reason: 'slot', attentionAt, hasSlot: false, waitingSince: now };
}

/** Since when a waiting run waits for what it now waits for. */
export function waitsSince({ waitingSince, createdAt }: Pick<Run, 'waitingSince' | 'createdAt'>): number {
  return waitingSince ?? createdAt;
}

/** So many waits of a run are kept. */
const mostWaits = 20;

/** The waits of a run, once the one is over that it is in, if any. */
export function waitsAfter(run: Run, until: number): Pick<Run, 'waits'> {
  const { state, reason, waitsFor } = run;
  if (state !== 'waiting') return {};
  if (reason !== 'slot' && reason !== 'pool' && reason !== 'catch-up') return {};
  const pools = reason === 'pool' && waitsFor !== undefined ? { pools: waitsFor } : {};
  const wait: Wait = { reason, from: waitsSince(run), until, ...pools };
  return { waits: [...(run.waits ?? []), wait].slice(-mostWaits) };
}

/** A run's first record; what a state needs besides is added by the caller. */
export function newRun(
  of: Pick<Run, 'jobId' | 'key' | 'fireTime' | 'trigger' | 'state' | 'specId' | 'token' | 'createdAt'> &
    Partial<Run>,
): Run {
  return { hasSlot: false, attempts: [], crashes: 0, duplicates: 0, reoffers: 0, ...of };
}
