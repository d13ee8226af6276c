import { weightsText } from '../../cli/render/wanted-words.ts';
import type { ManifestJob } from '../../domain/manifest.ts';
import { formatDuration } from '../../domain/schedule/index.ts';

const missed: Readonly<Record<ManifestJob['missed']['policy'], string>> = {
  all: 'all are made up',
  latest: 'the latest is made up, and stands for the others',
  skip: 'none is made up',
};

const crashed: Readonly<Record<ManifestJob['crashed'], string>> = {
  rerun: 'run again, from the beginning',
  resume: 'run again, after the steps that were done',
  park: 'a person decides',
};

const overlap: Readonly<Record<ManifestJob['overlap'], string>> = {
  skip: 'a fire that finds the one before it going is skipped',
  queue: 'a fire waits for the one before it',
  'queue-one': 'the newest fire waits for the one before it',
  'cancel-running': 'a fire ends the one before it',
  allow: 'fires run side by side',
};

/** What a job wants done, in words. */
export function policiesOf(job: ManifestJob): (readonly [string, string])[] {
  const { retry, pools, maxWaitMs, pauseAfter, priority } = job;
  return [
    ['missed', missedText(job.missed)],
    ['crashed', crashed[job.crashed]],
    ['overlap', overlap[job.overlap]],
    ...(pools === undefined ? [] : [['pools', weightsText(pools)] as const]),
    ...(priority === undefined ? [] : [['priority', String(priority)] as const]),
    ...(maxWaitMs === undefined ? [] : [['waits at most', formatDuration(maxWaitMs)] as const]),
    ['timeout', formatDuration(job.timeoutMs)],
    ['grace', formatDuration(job.graceMs)],
    ...(retry === undefined ? [] : [['retry', retryText(retry)] as const]),
    ...(pauseAfter === undefined ? [] : [['paused after', `${pauseAfter} failures in a row`] as const]),
    ['memory', `${job.memoryMb} MB`],
  ];
}

function missedText({ policy, limit, maxAgeMs, ratePerMinute }: ManifestJob['missed']): string {
  if (policy === 'skip') return missed.skip;
  const bounds = `at most ${limit}, none older than ${formatDuration(maxAgeMs)}, ${ratePerMinute} a minute`;
  return `${missed[policy]} (${bounds})`;
}

function retryText({ attempts, backoffMs, capMs }: NonNullable<ManifestJob['retry']>): string {
  return `${attempts} attempts, after up to ${formatDuration(backoffMs)}, then twice as long each time, at most ${formatDuration(capMs)}`;
}
