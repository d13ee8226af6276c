import type { KnownJob } from '../../cli/known-jobs.ts';
import { counted, named } from '../../cli/render/text.ts';
import type { Span } from '../../domain/contention/span.ts';
import type { SpecVersion } from '../../domain/job-state.ts';
import { clockChanges, localTime } from '../../domain/schedule/index.ts';
import { second, toIso } from '../../domain/time.ts';
import type { TimelineAnswer } from '../data.ts';

type Line = TimelineAnswer['lines'][number];

/** Each change of the clocks in any of the jobs' zones. */
export function clockLines(jobs: readonly KnownJob[], { from, until }: Span): Line[] {
  const zones = [...new Set(jobs.map(({ timezone }) => timezone))];
  return zones.flatMap((timezone) =>
    clockChanges({ schedules: [], timezone }, from, until).map(({ at, before, after }) => {
      const way = after > before ? 'forward' : 'back';
      const [old, now] = [at - 1, at].map((instant) => localTime(instant, timezone).slice(19));
      return {
        at: toIso(at),
        kind: 'clock' as const,
        text: `${timezone}: clocks go ${way}, ${old} → ${now}`,
      };
    }),
  );
}

const mostNamed = 3;

/** Each instant at which versions of schedules took force: those of one sweep lie within a second. */
export function deployLines(
  jobs: readonly { readonly id: string; readonly versions: readonly SpecVersion[] }[],
  { from, until }: Span,
): Line[] {
  const ids = new Map<number, string[]>();
  for (const { id, versions } of jobs)
    for (const version of versions) {
      if (version.from < from || version.from > until) continue;
      const at = Math.floor(version.from / second) * second;
      ids.set(at, [...(ids.get(at) ?? []), version.spec === null ? `${id} removed` : id]);
    }
  return [...ids].map(([at, of]) => ({
    ...{ at: toIso(at), kind: 'deploy' as const },
    text: `schedules of ${counted(of.length, 'job')} changed: ${named(of, mostNamed)}`,
  }));
}
