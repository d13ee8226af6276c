import { isOpen, type Run } from '../../domain/run.ts';
import { oneLine } from './text.ts';

export interface TimelineEvent {
  readonly at: number;
  readonly what: string;
}

/** What happened to a run, oldest first, as far as its record tells. */
export function timelineOf(run: Run): TimelineEvent[] {
  const { fireTime, createdAt, settledAt, suspected, timedOutAt } = run;
  const events: TimelineEvent[] = [
    { at: fireTime, what: 'due' },
    { at: createdAt, what: run.trigger === 'backfill' ? 'recorded as missed' : 'recorded' },
    ...run.attempts.flatMap(attemptEvents),
  ];
  if (suspected !== undefined)
    events.push({ at: suspected.at, what: `suspected dead: ${oneLine(suspected.why)}` });
  if (timedOutAt !== undefined) events.push({ at: timedOutAt, what: 'over its timeout, and did not stop' });
  if (settledAt !== undefined && !isOpen(run.state)) events.push({ at: settledAt, what: run.state });
  return events.sort((a, b) => a.at - b.at);
}

function attemptEvents({ number, startedAt, settledAt, outcome }: Run['attempts'][number]): TimelineEvent[] {
  const started = { at: startedAt, what: `attempt ${number} started` };
  if (settledAt === undefined) return [started];
  return [started, { at: settledAt, what: `attempt ${number} ${outcome ?? 'settled'}` }];
}
