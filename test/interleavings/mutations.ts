import type { Answer, Effect, Ledger } from '../../functions/domain/ledger.ts';
import type { RunRef } from '../../functions/domain/names.ts';
import { minute } from '../../functions/domain/time.ts';
import { ledgerWith } from '../runtime/world.ts';
import type { Mutate } from './play.ts';

export interface Mutant {
  /** The name of one that shows it. */
  readonly world: string;
  readonly mutate: Mutate;
}

export type Move = Parameters<Ledger['move']>;

/** Sweeps take each other's lease, so that several are at it at once. */
export const leaseless: Mutate = (ledger) =>
  ledgerWith(ledger, {
    acquire: (token, now, until) => ledger.acquire(token, now + 60 * minute, until),
  });

export function creating(
  create: (ledger: Ledger, ...how: Parameters<Ledger['create']>) => Promise<Answer>,
): Mutate {
  return (ledger) => ledgerWith(ledger, { create: (run, effect) => create(ledger, run, effect) });
}

export function moving(move: (ledger: Ledger, how: Move) => Promise<Answer>): Mutate {
  return (ledger) => ledgerWith(ledger, { move: (...how) => move(ledger, how) });
}

export function untallied({ require: { catchUp: _tally, ...require } = {}, ...effect }: Effect): Effect {
  return { ...effect, require };
}

export function isTaken(answer: Answer): boolean {
  return answer.kind === 'refused' && answer.run !== undefined;
}

export function isFinish({ settle }: Move[2]): boolean {
  return settle !== undefined && settle.outcome !== 'crashed';
}

export function isCrash({ settle }: Move[2]): boolean {
  return settle?.outcome === 'crashed';
}

/** Whatever fence the record has now. */
export async function standing(ledger: Ledger, ref: RunRef, fence: Move[1]): Promise<Move[1]> {
  const run = await ledger.run(ref);
  return run === null ? fence : { state: run.state, token: run.token };
}
