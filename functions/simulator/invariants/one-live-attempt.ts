import { runId } from '../../domain/names.ts';
import type { Body, Invariant } from '../observe.ts';

export const oneLiveAttempt: Invariant = {
  name: 'one-live-attempt',
  rule: 'no two executions of one run are alive at the same time',
  watch(violate) {
    const alive = new Map<string, Body>();
    return {
      bodyBegan(_at, body) {
        const other = alive.get(runId(body));
        if (other) violate(`attempt ${body.attempt} began while attempt ${other.attempt} was alive`, body);
        alive.set(runId(body), body);
      },
      bodyEnded(_at, body) {
        if (alive.get(runId(body))?.number === body.number) alive.delete(runId(body));
      },
    };
  },
};
