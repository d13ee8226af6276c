import { type RunRef, runId } from '../../domain/names.ts';
import type { StepRecord } from '../../domain/steps.ts';
import type { Body, Invariant, StepCall } from '../observe.ts';
import { Living } from './models/living.ts';

/** What is known of a piece of work: a step, or an item of a map. */
interface Piece {
  /** It is on record, or its code was told of it. */
  isKept: boolean;
  /** Who did it, oldest first. */
  readonly by: Body[];
}

/**
 * So a plain step is done at most once more than there were attempts that died, or failed, between its work and its record;
 * and of a map at most a batch is done again for each of them.
 */
export const stepRepeats: Invariant = {
  name: 'step-repeats',
  rule: 'plain work is done again only when it was not on record: once more for each attempt that ended over it, of a map a batch; unless its run was begun anew',
  watch(violate) {
    const living = new Living();
    const pieces = new Map<string, Piece>();
    /** Items of a body's map that another attempt did as well. */
    const repeated = new Map<string, Set<string>>();
    /** What executions did that had been taken for dead. */
    const late = new Map<number, number>();
    const pieceOf = (id: string) => {
      const known = pieces.get(id) ?? { isKept: false, by: [] };
      pieces.set(id, known);
      return known;
    };
    const keep = (id: string) => {
      pieceOf(id).isKept = true;
    };
    return {
      bodyBegan: (_at, body) => living.began(body),
      bodyEnded: (_at, body) => living.ended(body),
      wroteStep(_at, run, _before, after) {
        for (const id of recordedIn(run, after)) keep(id);
      },
      atStep(_at, body, call, event) {
        if (call.kind !== 'step' && call.kind !== 'map') return;
        if (event.what === 'returned' && living.has(body))
          for (const item of call.items ?? [undefined]) keep(idOf(body, call, item));
        if (event.what === 'done') checkDone(body, call, event.item);
      },
    };

    function checkDone(body: Body, call: StepCall, item: string | undefined): void {
      const piece = pieceOf(idOf(body, call, item));
      const { name, batch = 1 } = call;
      const which = item === undefined ? name : `${name}, ${item},`;
      // What it does late is bounded by itself, and no attempt in its place is to blame.
      if (!living.has(body)) {
        checkLate(body, batch);
        return;
      }
      if (piece.isKept) violate(`${which} was done again, and had been kept`, body);
      if (piece.by.includes(body)) violate(`${which} was done twice by one attempt`, body);
      for (const other of piece.by) {
        const id = `${other.number} ${name}`;
        const again = (repeated.get(id) ?? new Set()).add(idOf(body, call, item));
        repeated.set(id, again);
        if (again.size > batch)
          violate(`${again.size} of attempt ${other.attempt} were done again, and ${batch} may be`, body);
      }
      piece.by.push(body);
    }

    /** It is told that it lost its run by the first record that it writes. */
    function checkLate(body: Body, most: number): void {
      const count = (late.get(body.number) ?? 0) + 1;
      late.set(body.number, count);
      if (count > most)
        violate(`attempt ${body.attempt} was dead, and did ${count} more pieces of work`, body);
    }
  },
};

function idOf(body: Body, { name }: StepCall, item: string | undefined): string {
  return pieceId(body, body.restarts, name, item);
}

function pieceId(run: RunRef, restarts: number, name: string, item: string | undefined): string {
  return `${runId(run)} ${restarts} ${name}${item === undefined ? '' : ` ${item}`}`;
}

function recordedIn(run: RunRef, { kind, name, restarts, result }: StepRecord): string[] {
  if (kind === 'step') return [pieceId(run, restarts, name, undefined)];
  if (kind !== 'map' || !Array.isArray(result)) return [];
  const map = name.slice(0, name.lastIndexOf('#'));
  return result.map(([item]: readonly [string]) => pieceId(run, restarts, map, item));
}
