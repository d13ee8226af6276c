import type { ComparedOption, JobChange } from '../../domain/changes/index.ts';
import type { ManifestJob, MissedPolicy, RetryPolicy } from '../../domain/manifest.ts';
import { queues, takesSlot } from '../../domain/manifest.ts';
import { formatDuration } from '../../domain/schedule/index.ts';
import { either, type Sentence } from './plan-sentence.ts';
import { counted } from './text.ts';
import { spanText } from './times.ts';

interface Versions {
  readonly before: ManifestJob;
  readonly after: ManifestJob;
  readonly job: JobChange;
}

/** What other policies mean, for fires to come and for what waits already. */
export function optionSentences(job: JobChange): Sentence[] {
  const { before, after, options } = job;
  if (before === undefined || after === undefined) return [];
  return options.flatMap((option) => words[option]({ before, after, job }));
}

const words: Readonly<Record<ComparedOption, (versions: Versions) => Sentence[]>> = {
  missed: missedSentences,
  crashed: ({ before, after, job: { runs } }) => {
    const running = runs?.running.length ?? 0;
    const isParked = runs?.staying.some(({ state }) => state === 'parked') ?? false;
    const included =
      running === 0
        ? ''
        : `, ${counted(running, 'run')} that ${either(running, 'goes', 'go')} on now included`;
    const decides = `decides about whatever dies from now on${included}${isParked ? '; what is parked stays so' : ''}`;
    return [{ text: `crashed: ${before.crashed} → ${after.crashed}: ${decides}` }];
  },
  overlap: overlapSentences,
  maxQueued: ({ before, after }) =>
    plain('maxQueued', numberText(before.maxQueued), numberText(after.maxQueued)),
  maxWaitMs: ({ before, after }) =>
    plain('maxWait', durationText(before.maxWaitMs), durationText(after.maxWaitMs)),
  pools: ({ before, after }) => weightSentences(before.pools ?? {}, after.pools ?? {}),
  priority: ({ before, after }) =>
    plain('priority', String(before.priority ?? 0), String(after.priority ?? 0)),
  retry: ({ before, after, job }) => {
    const waiting = job.runs?.staying.filter(({ state }) => state === 'retrying').length ?? 0;
    const these =
      waiting > 0
        ? `; ${counted(waiting, 'run')} to be tried again ${either(waiting, 'is', 'are')}, at least once`
        : '';
    return [{ text: `retry: ${retryText(before.retry)} → ${retryText(after.retry)}${these}` }];
  },
  pauseAfter: pauseSentences,
  notify: ({ after }) => [
    {
      text:
        after.notify === false
          ? 'nobody is told any more when it fails or is parked'
          : 'people are told from now on when it fails or is parked',
    },
  ],
  timeoutMs: timeoutSentences,
  graceMs: ({ before, after }) => {
    const later =
      after.graceMs > before.graceMs
        ? 'a missed fire is noticed later'
        : 'an alarm that comes later than that makes its fire a missed one';
    return [
      { text: `grace: ${formatDuration(before.graceMs)} → ${formatDuration(after.graceMs)}: ${later}` },
    ];
  },
  memoryMb: memorySentences,
  metrics: ({ after }) => [
    { text: after.metrics ? 'it gets metrics of its own, which cost' : 'its own metrics end' },
  ],
  stages: ({ before, after }) =>
    plain('stages', before.stages?.join(', ') ?? 'all', after.stages?.join(', ') ?? 'all'),
  secrets: ({ job: { rights } }) =>
    rights.newSecrets.length + rights.lostSecrets.length > 0
      ? []
      : [{ text: 'its code calls its secrets by other names' }],
  description: () => [{ text: 'another description' }],
};

function plain(option: string, from: string, to: string): Sentence[] {
  return [{ text: `${option}: ${from} → ${to}` }];
}

function missedSentences({ before: { missed: old }, after: { missed: fresh }, job }: Versions): Sentence[] {
  const waiting = job.state?.catchUp.waiting ?? 0;
  const they = `${counted(waiting, 'missed fire')} that ${either(waiting, 'waits', 'wait')} already ${either(waiting, 'is', 'are')} made up all the same`;
  const then = waiting > 0 ? `; ${they}` : '';
  return [
    { text: `missed: ${missedText(old, fresh)}: decides about what is missed, and has no record yet${then}` },
  ];
}

function missedText(old: MissedPolicy, fresh: MissedPolicy): string {
  const parts = [
    old.policy === fresh.policy ? '' : `${old.policy} → ${fresh.policy}`,
    old.limit === fresh.limit ? '' : `limit ${old.limit} → ${fresh.limit}`,
    old.maxAgeMs === fresh.maxAgeMs
      ? ''
      : `maxAge ${formatDuration(old.maxAgeMs)} → ${formatDuration(fresh.maxAgeMs)}`,
    old.ratePerMinute === fresh.ratePerMinute
      ? ''
      : `rate ${old.ratePerMinute} → ${fresh.ratePerMinute} a minute`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function overlapSentences({ before, after, job }: Versions): Sentence[] {
  const change = `overlap: ${before.overlap} → ${after.overlap}`;
  const waiting = job.runs?.staying.filter(({ reason }) => reason === 'slot').length ?? 0;
  const running = job.runs?.running.length ?? 0;
  const these = `${counted(waiting, 'run')} that ${either(waiting, 'waits', 'wait')} for the slot`;
  if (waiting > 0 && !takesSlot(after))
    return [{ text: `${change}: ${these} ${either(waiting, 'starts', 'start')} at once` }];
  if (waiting > 0 && queues(before) && !queues(after))
    return [{ text: `${change}: ${these} still ${either(waiting, 'runs', 'run')}, one after the other` }];
  if (running > 0 && !takesSlot(before))
    return [
      {
        text: `${change}: ${counted(running, 'run')} that ${either(running, 'goes', 'go')} on now took no slot, so the next may run beside ${either(running, 'it', 'them')}`,
      },
    ];
  return [{ text: change }];
}

function weightSentences(
  old: Readonly<Record<string, number>>,
  fresh: Readonly<Record<string, number>>,
): Sentence[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].sort();
  const changed = names.filter((name) => old[name] !== fresh[name]);
  const told = changed.map((name) => `${name} ${old[name] ?? 'none'} → ${fresh[name] ?? 'none'}`);
  return [
    {
      text: `pools: ${told.join(', ')}: what has started keeps what it took, what waits needs the new weight`,
    },
  ];
}

function pauseSentences({ before, after, job: { state, looks } }: Versions): Sentence[] {
  const change = `pauseAfter: ${numberText(before.pauseAfter)} → ${numberText(after.pauseAfter)}`;
  if (!looks.includes('pauses-at-once')) return [{ text: change }];
  return [
    {
      text: `${change}: it has failed ${counted(state?.failuresInARow ?? 0, 'time')} in a row, so it is paused at once`,
      look: 'pauses-at-once',
    },
  ];
}

function timeoutSentences({ before, after, job: { usual, looks } }: Versions): Sentence[] {
  const change = `timeout: ${formatDuration(before.timeoutMs)} → ${formatDuration(after.timeoutMs)}`;
  if (usual?.durationMs === undefined) return [{ text: change }];
  const successes = `95 of 100 of its last ${usual.samples} successes`;
  const took = `took up to ${spanText(usual.durationMs)}`;
  if (!looks.includes('timeout-too-short'))
    return [{ text: `${change}: enough for ${successes}, which ${took}` }];
  return [{ text: `${change}: too short, since ${successes} ${took}`, look: 'timeout-too-short' }];
}

function memorySentences({ before, after, job: { usual, looks } }: Versions): Sentence[] {
  const change = `memory: ${before.memoryMb} → ${after.memoryMb} MB`;
  if (!looks.includes('memory-too-small')) return [{ text: change }];
  return [
    {
      text: `${change}: less than the ${Math.ceil(usual?.memoryMb ?? 0)} MB that a run has held`,
      look: 'memory-too-small',
    },
  ];
}

function retryText(retry: RetryPolicy | undefined): string {
  return retry === undefined
    ? 'one attempt'
    : `${retry.attempts} attempts from ${formatDuration(retry.backoffMs)} on`;
}

function numberText(value: number | undefined): string {
  return value === undefined ? 'not set' : String(value);
}

function durationText(ms: number | undefined): string {
  return ms === undefined ? 'not set' : formatDuration(ms);
}
