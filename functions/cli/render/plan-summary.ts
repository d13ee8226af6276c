import { type Changes, type JobChange, needsLook } from '../../domain/changes/index.ts';
import type { Look } from './look.ts';
import { counted } from './text.ts';
import { wrapped } from './wrapped.ts';

type Kind = JobChange['kind'];

/** What changes in numbers, and whether a person should look. */
export function summaryLines(changes: Changes, { width, colors }: Look): string[] {
  const { jobs, pools, same, jobStacks } = changes;
  const changed = [
    ...kindCounts(
      jobs.map(({ kind }) => kind),
      'job',
    ),
    ...kindCounts(pools.map(kindOfPool), 'pool'),
    ...(jobStacks === undefined ? [] : ['another number of stacks']),
  ];
  const rest = `${counted(same, 'job')} as ${same === 1 ? 'it is' : 'they are'}`;
  const fires = firesText(changes);
  const counts = [...changed, ...(same > 0 ? [rest] : [])].join(', ');
  const what =
    changed.length === 0 ? `Nothing changes: ${rest}` : `${counts}${fires === '' ? '' : `; ${fires}`}`;
  const verdict = needsLook(changes)
    ? colors.yellow('A person should look.')
    : colors.green('Nothing that a person must look at.');
  return [...wrapped(`${what}.`, width, '', '  '), verdict];
}

/** `1 job removed`, `2 pools changed` */
function kindCounts(kinds: readonly Kind[], noun: string): string[] {
  return (['removed', 'changed', 'added'] as const).flatMap((kind) => {
    const count = kinds.filter((one) => one === kind).length;
    return count === 0 ? [] : [`${counted(count, noun)} ${kind}`];
  });
}

export function kindOfPool({ from, to }: Changes['pools'][number]): Kind {
  if (from === undefined) return 'added';
  return to === undefined ? 'removed' : 'changed';
}

/** `7 fires moved, 1 fire vanished` */
function firesText({ jobs }: Changes): string {
  return (['moved', 'vanished', 'appeared'] as const)
    .map((what) => [jobs.reduce((sum, { fires }) => sum + (fires?.[what].length ?? 0), 0), what] as const)
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${counted(count, 'fire')} ${what}`)
    .join(', ');
}
