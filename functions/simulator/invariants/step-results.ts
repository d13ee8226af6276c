import { type RunRef, runId } from '../../domain/names.ts';
import type { StepRecord } from '../../domain/steps.ts';
import type { Body, Invariant, StepCall } from '../observe.ts';

export const stepResults: Invariant = {
  name: 'step-results',
  rule: 'what a step comes to is what its work returned, as was found out, or as a person said; and each later attempt is told the same',
  watch(violate) {
    /** What it may come to: by what a step is known by, and the item. */
    const possible = new Map<string, Set<unknown>>();
    const told = new Map<string, unknown>();
    const allow = (id: string, result: unknown) =>
      possible.set(id, (possible.get(id) ?? new Set()).add(result));
    const check = (run: RunRef, id: string, result: unknown) => {
      if (!possible.get(id)?.has(result))
        violate(`${id} came to ${result}, which no work of it returned`, run);
      if (told.has(id) && told.get(id) !== result)
        violate(`${id} came to ${result}, and had come to ${told.get(id)}`, run);
      told.set(id, result);
    };
    return {
      acted(_at, act) {
        if (act.kind === 'released' && act.step?.done)
          allow(idOf(act.run, { kind: 'once', name: act.step.name }, 0), act.step.result);
      },
      wroteStep(_at, run, _before, after, byOperator) {
        // It is written before it is told that a person did it.
        if (!byOperator) for (const [id, result] of resultsIn(run, after)) check(run, id, result);
      },
      atStep(_at, body, call, event) {
        if (call.kind === 'commit') return;
        if (event.what === 'done') allow(idOfBody(body, call, event.item), event.result);
        if (event.what === 'verified' && event.isDone) allow(idOfBody(body, call), event.result);
        if (event.what === 'returned') checkReturned(body, call, event.result);
      },
    };

    function checkReturned(body: Body, call: StepCall, result: unknown): void {
      if (call.items === undefined) check(body, idOfBody(body, call), result);
      for (const [index, item] of (call.items ?? []).entries())
        check(body, idOfBody(body, call, item), Array.isArray(result) && result[index]);
    }
  },
};

function idOfBody(body: Body, call: StepCall, item?: string): string {
  return idOf(body, call, body.restarts, item);
}

/** A `once` is the same one, however often its run was begun anew. */
function idOf(
  run: RunRef,
  { kind, name }: Pick<StepCall, 'kind' | 'name'>,
  restarts: number,
  item?: string,
): string {
  const beginning = kind === 'once' ? '' : ` (beginning ${restarts})`;
  return `${runId(run)} ${name}${item === undefined ? '' : `, ${item}`}${beginning}`;
}

function resultsIn(run: RunRef, { kind, state, name, restarts, result }: StepRecord): [string, unknown][] {
  if (state !== 'done' || kind === 'commit') return [];
  if (kind !== 'map') return [[idOf(run, { kind, name }, restarts), result]];
  const map = { kind, name: name.slice(0, name.lastIndexOf('#')) };
  const entries: (readonly [string, unknown])[] = Array.isArray(result) ? result : [];
  return entries.map(([item, value]) => [idOf(run, map, restarts, item), value]);
}
