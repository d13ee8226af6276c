import { runId } from '../../domain/names.ts';
import type { Invariant } from '../observe.ts';

export const oneSuccess: Invariant = {
  name: 'one-success',
  rule: 'a run succeeds at most once, and nothing of it runs afterwards',
  watch(violate) {
    const told = new Set<string>();
    const recorded = new Set<string>();
    return {
      finished(_at, body, outcome) {
        if (outcome !== 'succeeded') return;
        if (told.has(runId(body))) violate(`attempt ${body.attempt} succeeded after another one had`, body);
        told.add(runId(body));
      },
      wroteRun(_at, _before, after) {
        if (after === null) return;
        const successes = after.attempts.filter(({ outcome }) => outcome === 'succeeded').length;
        if (successes > 1) violate(`${successes} attempts are recorded as succeeded`, after);
        if (after.state === 'succeeded') recorded.add(runId(after));
      },
      bodyBegan(_at, body) {
        if (recorded.has(runId(body)))
          violate(`attempt ${body.attempt} began after the run had succeeded`, body);
      },
    };
  },
};
