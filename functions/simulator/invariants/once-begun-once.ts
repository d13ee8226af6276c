import { type RunRef, runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import type { Invariant, StepEvent } from '../observe.ts';
import { Living } from './models/living.ts';
import { stateText } from './models/records.ts';

/** What is known of a `once`: nothing before its work has begun, or since it was found out that it was not done. */
type Knowledge = 'begun' | 'done';

export const onceBegunOnce: Invariant = {
  name: 'once-begun-once',
  rule: 'a once is begun again only when it was found out, by its code or by a person, that it was not done; until then its run is parked',
  watch(violate) {
    const living = new Living();
    const known = new Map<string, Knowledge>();
    /** Runs whose code was told that nobody knows, and of which step. */
    const uncertain = new Map<string, string>();
    const find = (run: RunRef, name: string, isDone: boolean) => {
      if (isDone) known.set(idOf(run, name), 'done');
      else known.delete(idOf(run, name));
    };
    return {
      bodyBegan: (_at, body) => living.began(body),
      bodyEnded: (_at, body) => living.ended(body),
      atStep(_at, body, { kind, name }, event) {
        // The work of one that was taken for dead may begin when its intent had been on record.
        if (!living.has(body)) return;
        if (kind === 'once' && event.what === 'verified') find(body, name, event.isDone);
        if (kind === 'once' && event.what === 'returned') find(body, name, true);
        if (isDoubt(event)) uncertain.set(runId(body), name);
        if (kind !== 'once' || event.what !== 'begun') return;
        const before = known.get(idOf(body, name));
        if (before !== undefined) violate(`${name} was begun again, and was known as ${before}`, body);
        known.set(idOf(body, name), 'begun');
      },
      acted(_at, act) {
        if (act.kind === 'released' && act.step !== undefined) find(act.run, act.step.name, act.step.done);
      },
      wroteRun(_at, before, after) {
        if (after === null || before?.state === after.state) return;
        const doubt = uncertain.get(runId(after));
        uncertain.delete(runId(after));
        if (doubt !== undefined && !isStopped(before, after, doubt))
          violate(`nobody knows of ${doubt}, and it is ${stateText(after)}`, after);
        if (after.reason !== 'uncertain-step' || after.state !== 'parked') return;
        const step = after.uncertain ?? '';
        // Its work may not have begun: with the intent alone on record nobody knows.
        if (known.get(idOf(after, step)) === 'done') violate(`is parked for ${step}, which was done`, after);
      },
    };
  },
};

function idOf(run: RunRef, name: string): string {
  return `${runId(run)} ${name}`;
}

function isDoubt(event: StepEvent): boolean {
  if (event.what !== 'threw' || !(event.error instanceof Error)) return false;
  return 'fireledger' in event.error && event.error.fireledger === 'uncertain-step';
}

/** Parked for it; unless its attempt came to another end before, or to none. */
function isStopped(before: Run | null, after: Run, step: string): boolean {
  if (after.state === 'parked' && after.uncertain === step) return true;
  const outcome = after.attempts.at(-1)?.outcome;
  return before?.token !== after.token || outcome === 'canceled' || outcome === 'timed-out';
}
