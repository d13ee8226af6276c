import { runRoute } from '../router.ts';
import type { Found } from './hit.ts';
import type { VerticalLine } from './paint-lanes.ts';

const local = new Intl.DateTimeFormat('en-GB', {
  ...{ weekday: 'short', day: 'numeric', month: 'short' },
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
});

/** What a run on the timeline is, as a tooltip and a screen reader tell it. */
export function foundText({ jobId, key, state, runs, start, end }: Found): string {
  if (runs > 1)
    return `${jobId} · ${runs} runs, ${state}\nfrom ${local.format(start)} on\npress to look closer`;
  const length = end > start ? `, ${lengthText(end - start)}` : '';
  return `${jobId} · ${state}${length}\nbegan ${local.format(start)}\nfire ${key}`;
}

export function lineText({ at, text }: VerticalLine): string {
  return `${local.format(at)}\n${text}`;
}

/** `45 s`, `12 min`, `3.5 h`, `2.1 d` */
export function lengthText(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 36 * 3_600) return `${Math.round(seconds / 360) / 10} h`;
  return `${Math.round(seconds / 8_640) / 10} d`;
}

export function instantText(at: number): string {
  return local.format(at);
}

/** Of several that lie too near to be told apart it is the first one's. */
export function routeOf({ jobId, key }: Pick<Found, 'jobId' | 'key'>): string {
  return runRoute(`${jobId}#${key}`);
}
