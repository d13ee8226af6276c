import type { JobChange } from '../../domain/changes/index.ts';
import {
  type ManifestJob,
  type MissedPolicy,
  queues,
  type RetryPolicy,
  takesSlot,
} from '../../domain/manifest.ts';
import { formatDuration } from '../../domain/schedule/index.ts';
import { amount, either, type Sentence, say } from './plan-sentence.ts';
import { counted } from './text.ts';

/** A job as it is deployed, and as the working copy has it. */
export interface Versions {
  readonly before: ManifestJob;
  readonly after: ManifestJob;
  readonly job: JobChange;
}

export function missedSentences({ before, after, job }: Versions): Sentence[] {
  const waiting = job.state?.catchUp.waiting ?? 0;
  const they = `${counted(waiting, 'missed fire')} that ${either(waiting, 'waits', 'wait')} already`;
  const still = waiting > 0 ? `; ${they} ${either(waiting, 'is', 'are')} made up all the same` : '';
  const change = `missed: ${missedText(before.missed, after.missed)}`;
  return say(`${change}: decides about what is missed, and has no record yet${still}`);
}

function missedText(old: MissedPolicy, fresh: MissedPolicy): string {
  const shown = (missed: MissedPolicy) =>
    [
      ['', missed.policy],
      ['limit ', String(missed.limit)],
      ['maxAge ', formatDuration(missed.maxAgeMs)],
      ['rate a minute ', String(missed.ratePerMinute)],
    ] as const;
  const values = shown(fresh).map(([, value]) => value);
  return shown(old)
    .flatMap(([name, value], index) =>
      value === values[index] ? [] : [`${name}${value} → ${values[index]}`],
    )
    .join(', ');
}

export function crashedSentences({ before, after, job: { runs } }: Versions): Sentence[] {
  const { running = [], staying = [] } = runs ?? {};
  const goOn = `${amount(running, 'run')} that ${either(running, 'goes', 'go')} on now included`;
  const parked = staying.some(({ state }) => state === 'parked') ? '; what is parked stays so' : '';
  const decides = `decides about whatever dies from now on${running.length > 0 ? `, ${goOn}` : ''}${parked}`;
  return say(`crashed: ${before.crashed} → ${after.crashed}: ${decides}`);
}

export function overlapSentences({ before, after, job: { runs } }: Versions): Sentence[] {
  const { running = [], staying = [] } = runs ?? {};
  const waiting = staying.filter(({ reason }) => reason === 'slot');
  const change = `overlap: ${before.overlap} → ${after.overlap}`;
  const they = `${amount(waiting, 'run')} that ${either(waiting, 'waits', 'wait')} for the slot`;
  if (waiting.length > 0 && !takesSlot(after))
    return say(`${change}: ${they} ${either(waiting, 'starts', 'start')} at once`);
  if (waiting.length > 0 && queues(before) && !queues(after))
    return say(`${change}: ${they} still ${either(waiting, 'runs', 'run')}, one after the other`);
  const slotless = `${amount(running, 'run')} that ${either(running, 'goes', 'go')} on now took no slot`;
  if (running.length > 0 && !takesSlot(before))
    return say(`${change}: ${slotless}, so the next may run beside ${either(running, 'it', 'them')}`);
  return say(change);
}

export function retrySentences({ before, after, job: { runs } }: Versions): Sentence[] {
  const waiting = runs?.staying.filter(({ state }) => state === 'retrying') ?? [];
  const they = `; ${amount(waiting, 'run')} to be tried again ${either(waiting, 'is', 'are')}, at least once`;
  const change = `retry: ${retryText(before.retry)} → ${retryText(after.retry)}`;
  return say(`${change}${waiting.length > 0 ? they : ''}`);
}

function retryText(retry: RetryPolicy | undefined): string {
  if (retry === undefined) return 'one attempt';
  return `${retry.attempts} attempts from ${formatDuration(retry.backoffMs)} on`;
}

export function pauseSentences({ before, after, job: { state, looks } }: Versions): Sentence[] {
  const change = `pauseAfter: ${before.pauseAfter ?? 'not set'} → ${after.pauseAfter ?? 'not set'}`;
  if (!looks.includes('pauses-at-once')) return say(change);
  const failed = `it has failed ${counted(state?.failuresInARow ?? 0, 'time')} in a row`;
  return say(`${change}: ${failed}, so it is paused at once`, 'pauses-at-once');
}
