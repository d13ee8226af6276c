import type { ComparedOption, JobChange } from '../../domain/changes/index.ts';
import type { Weights } from '../../domain/pools.ts';
import { formatDuration } from '../../domain/schedule/index.ts';
import {
  crashedSentences,
  missedSentences,
  overlapSentences,
  pauseSentences,
  retrySentences,
  type Versions,
} from './plan-policies.ts';
import { type Sentence, say } from './plan-sentence.ts';
import { spanText } from './times.ts';

/** What other options mean, for fires to come and for what waits already. */
export function optionSentences(job: JobChange): Sentence[] {
  const { before, after, options } = job;
  if (before === undefined || after === undefined) return [];
  return options.flatMap((option) => words[option]({ before, after, job }));
}

const words: Readonly<Record<ComparedOption, (versions: Versions) => Sentence[]>> = {
  missed: missedSentences,
  crashed: crashedSentences,
  overlap: overlapSentences,
  retry: retrySentences,
  pauseAfter: pauseSentences,
  maxQueued: ({ before, after }) => changed('maxQueued', before.maxQueued, after.maxQueued),
  maxWaitMs: ({ before, after }) =>
    changed('maxWait', durationText(before.maxWaitMs), durationText(after.maxWaitMs)),
  pools: ({ before, after }) => weightSentences(before.pools ?? {}, after.pools ?? {}),
  priority: ({ before, after }) => changed('priority', before.priority ?? 0, after.priority ?? 0),
  notify: ({ after }) =>
    say(
      `${after.notify === false ? 'nobody is told any more' : 'people are told'} when it fails or is parked`,
    ),
  timeoutMs: timeoutSentences,
  graceMs: graceSentences,
  memoryMb: memorySentences,
  metrics: ({ after }) =>
    say(after.metrics ? 'it gets metrics of its own, which cost' : 'its own metrics end'),
  stages: ({ before, after }) =>
    changed('stages', before.stages?.join(', ') ?? 'all', after.stages?.join(', ') ?? 'all'),
  // What it reads more or less is told among its rights.
  secrets: ({ job: { rights } }) =>
    rights.newSecrets.length + rights.lostSecrets.length > 0
      ? []
      : say('its code calls its secrets by other names'),
  description: () => say('another description'),
};

function changed(
  option: string,
  from: string | number | undefined,
  to: string | number | undefined,
): Sentence[] {
  return say(`${option}: ${from ?? 'not set'} → ${to ?? 'not set'}`);
}

function weightSentences(old: Weights, fresh: Weights): Sentence[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].sort();
  const told = names
    .filter((name) => old[name] !== fresh[name])
    .map((name) => `${name} ${old[name] ?? 'none'} → ${fresh[name] ?? 'none'}`);
  return say(
    `pools: ${told.join(', ')}: what has started keeps what it took, what waits needs the new weight`,
  );
}

function graceSentences({ before, after }: Versions): Sentence[] {
  const change = `grace: ${formatDuration(before.graceMs)} → ${formatDuration(after.graceMs)}`;
  const isLonger = after.graceMs > before.graceMs;
  return say(
    `${change}: ${isLonger ? 'a missed fire is noticed later' : 'an alarm that comes later than that starts nothing'}`,
  );
}

function timeoutSentences({ before, after, job: { usual, looks } }: Versions): Sentence[] {
  const change = `timeout: ${formatDuration(before.timeoutMs)} → ${formatDuration(after.timeoutMs)}`;
  if (usual?.durationMs === undefined) return say(change);
  const successes = `95 of 100 of its last ${usual.samples} successes`;
  const took = `took up to ${spanText(usual.durationMs)}`;
  if (!looks.includes('timeout-too-short')) return say(`${change}: enough for ${successes}, which ${took}`);
  return say(`${change}: too short, since ${successes} ${took}`, 'timeout-too-short');
}

function memorySentences({ before, after, job: { usual, looks } }: Versions): Sentence[] {
  const change = `memory: ${before.memoryMb} → ${after.memoryMb} MB`;
  if (!looks.includes('memory-too-small')) return say(change);
  const held = `${Math.ceil(usual?.memoryMb ?? 0)} MB that a run has held`;
  return say(`${change}: less than the ${held}`, 'memory-too-small');
}

function durationText(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : formatDuration(ms);
}
