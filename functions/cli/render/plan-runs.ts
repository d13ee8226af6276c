import type { DroppedFire, JobChange, TouchedRuns } from '../../domain/changes/index.ts';
import type { Run } from '../../domain/run.ts';
import {
  amount,
  either,
  mostNamed,
  type Sentence,
  say,
  sayOf,
  type Told,
  unbroken,
} from './plan-sentence.ts';
import { named } from './text.ts';
import { nearText } from './times.ts';

interface Shown {
  readonly timezone: string;
  readonly now: number;
}

/** What becomes of runs that are not over. */
export function runSentences({ kind, before, runs }: JobChange, { now }: Told): Sentence[] {
  if (runs === null || before === undefined) return [];
  const shown = { timezone: before.spec.timezone, now };
  return kind === 'removed' ? ofRemoved(runs, shown) : ofChanged(runs, shown);
}

function ofRemoved({ running, canceled, dropped }: TouchedRuns, shown: Shown): Sentence[] {
  const look = 'run-loses-its-job';
  const more = running.slice(mostNamed);
  const become = `${amount(canceled, 'run')} ${either(canceled, 'becomes', 'become')} canceled: removed`;
  return [
    ...running.slice(0, mostNamed).flatMap((run) => say(runningText(run, shown), look)),
    ...sayOf(more, `and so ${either(more, 'does', 'do')} ${amount(more, 'more run')}`, look),
    ...sayOf(canceled, `${become}: ${statesText(canceled)} (${firesText(canceled, shown)})`, look),
    ...droppedSentences(dropped, shown),
  ];
}

/** Nothing stops it. But the role by which it writes goes with its function, so its end may not be written. */
function runningText({ fireTime, attempts }: Run, { timezone, now }: Shown): string {
  const lease = attempts.at(-1)?.leaseUntil ?? now;
  const run = `its run of ${unbroken(nearText(fireTime, timezone, now))} goes on, though its function and role go`;
  const end = `unless it can still write its end, it becomes canceled: removed when its lease ends, ${unbroken(nearText(lease, timezone, now))}`;
  return `${run}: ${end}. Wait for it, or end it first with fl cancel`;
}

function ofChanged({ running, dropped, replaced, staying }: TouchedRuns, shown: Shown): Sentence[] {
  const goOn = `${amount(running, 'run')} ${either(running, 'goes', 'go')} on with the code that ${either(running, 'it', 'they')} began with`;
  const stay = `${amount(staying, 'run')} ${either(staying, 'stays', 'stay')}, and ${either(staying, 'goes', 'go')} on by the new version`;
  return [
    ...(replaced === null ? [] : replacedSentences(replaced, shown)),
    ...droppedSentences(dropped, shown),
    ...sayOf(running, `${goOn}: ${firesText(running, shown)}`),
    ...sayOf(staying, `${stay}: ${statesText(staying)} (${firesText(staying, shown)})`),
  ];
}

function replacedSentences({ state, fireTime }: Run, { timezone, now }: Shown): Sentence[] {
  const ends = state === 'running' ? 'is asked to end' : 'is canceled';
  const run = `its run of ${unbroken(nearText(fireTime, timezone, now))}`;
  return say(`${run} ${ends}, since a newer one waits for the slot`, 'run-gives-way');
}

const why: Readonly<Record<DroppedFire['reason'], string>> = {
  removed: 'due within the last hour, and not started',
  edited: 'due within the last hour, not started, and no fire of the new schedule',
  excluded: 'due within the last hour, not started, and excepted by the new schedule',
  superseded: 'more wait than may by the new version',
  'waited-too-long': 'waiting for longer than the new version allows',
};

function droppedSentences(dropped: readonly DroppedFire[], shown: Shown): Sentence[] {
  return Object.entries(why).flatMap(([reason, words]): Sentence[] => {
    const fires = dropped.filter((fire) => fire.reason === reason);
    const state = reason === 'removed' ? 'canceled' : 'skipped';
    const become = `${amount(fires, 'fire')} ${either(fires, 'becomes', 'become')} ${state}: ${reason}`;
    return sayOf(fires, `${become} (${words}): ${firesText(fires, shown)}`, 'fires-dropped');
  });
}

/** `2 waiting, 1 parked` */
function statesText(runs: readonly Run[]): string {
  const states = [...new Set(runs.map(({ state }) => state))];
  return states.map((state) => `${runs.filter((run) => run.state === state).length} ${state}`).join(', ');
}

function firesText(fires: readonly { readonly fireTime: number }[], { timezone, now }: Shown): string {
  return named(
    fires.map(({ fireTime }) => unbroken(nearText(fireTime, timezone, now))),
    mostNamed,
  );
}
