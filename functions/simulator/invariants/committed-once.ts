import { runId } from '../../domain/names.ts';
import type { Invariant } from '../observe.ts';
import { Living } from './models/living.ts';
import { stateText } from './models/records.ts';

export const committedOnce: Invariant = {
  name: 'committed-once',
  rule: 'what a commit writes is written once, whatever happens: never again, never in vain, and not at all when it is refused; a last one ends the run with it',
  watch(violate) {
    /** How often, by the id of the item that counts it: run and step. */
    const times = new Map<string, number>();
    const states = new Map<string, string>();
    /** The last commit of a run, once it was called. */
    const finals = new Map<string, string>();
    const living = new Living();
    return {
      bodyBegan: (_at, body) => living.began(body),
      bodyEnded: (_at, body) => living.ended(body),
      wroteItem(_at, _table, _before, after) {
        const id = String(after?.id);
        times.set(id, Number(after?.times));
        if (times.get(id) !== 1) violate(`${id} was committed ${times.get(id)} times`);
      },
      atStep(_at, body, { kind, name, isFinal }, event) {
        if (kind !== 'commit') return;
        const run = runId(body);
        const isThere = times.has(`${run} ${name}`);
        if (event.what === 'called' && isFinal) finals.set(run, name);
        if (event.what === 'returned' && !isThere) violate(`was told that ${name} is committed`, body);
        if (event.what === 'returned' && isFinal && states.get(run) !== 'succeeded')
          violate(`has made its last commit, and is ${states.get(run)}`, body);
        // One that was taken for dead may hear of it when another attempt has done it.
        if (event.what === 'threw' && isRefusal(event.error) && isThere && living.has(body))
          violate(`${name} was refused, and is committed`, body);
      },
      wroteRun(_at, _before, after) {
        if (after === null) return;
        const run = runId(after);
        states.set(run, stateText(after));
        const last = finals.get(run);
        if (after.state === 'succeeded' && last !== undefined && !times.has(`${run} ${last}`))
          violate(`succeeded without its last commit ${last}`, after);
      },
    };
  },
};

function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'fireledger' in error && error.fireledger === 'commit-refused';
}
