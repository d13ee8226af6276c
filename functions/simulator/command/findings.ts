import type { Look } from '../../cli/render/look.ts';
import { counted, oneLine } from '../../cli/render/text.ts';
import { spanText } from '../../cli/render/times.ts';
import { toIso } from '../../domain/time.ts';
import type { Invariant } from '../observe.ts';
import { type Case, replayCommand } from './case.ts';
import type { Shrunk, Size } from './shrink.ts';
import type { Story } from './story.ts';
import { storyText } from './story-text.ts';
import type { Found } from './summary.ts';

/** An invariant that was broken, told by one seed that breaks it. */
export interface Finding {
  readonly found: Found;
  /** The other seeds that break it. */
  readonly alsoSeeds: readonly number[];
  /** The case in which it was found. */
  readonly case: Case;
  /** Null: it was not broken again. */
  readonly shrunk: Shrunk | null;
  readonly tookMs: number;
  readonly story: Story;
}

/** The broken promises by invariant, each told by the seed in which the least struck. */
export function byInvariant(
  violations: readonly Found[],
  strikesOf: (seed: number) => number,
): { found: Found; alsoSeeds: number[] }[] {
  const names = [...new Set(violations.map(({ invariant }) => invariant))];
  return names.map((name) => {
    const all = violations.filter(({ invariant }) => invariant === name);
    const found = all.reduce((best, one) => (strikesOf(one.seed) < strikesOf(best.seed) ? one : best));
    return { found, alsoSeeds: all.filter((one) => one !== found).map(({ seed }) => seed) };
  });
}

/** What to type to see it again, as small as it is known. */
export function commandOf({ case: one, shrunk }: Finding): string {
  return replayCommand(shrunk?.smallest ?? one);
}

export function findingText(
  finding: Finding,
  { look, invariants }: { look: Look; invariants: readonly Invariant[] },
): string {
  const { found, shrunk, story } = finding;
  const { colors } = look;
  const { at, what, run } = shrunk === null ? found : { ...found, ...shrunk.violation };
  const rule = invariants.find(({ name }) => name === found.invariant)?.rule;
  const heading = colors.red(colors.bold(`✗ ${found.invariant}`));
  const about = [
    what === '' ? '' : oneLine(what),
    `seed ${found.seed}${at === undefined ? '' : `, ${toIso(at)}`}${run === undefined ? '' : `, ${run}`}`,
    alsoText(finding.alsoSeeds),
    shrunkText(finding),
  ].filter((line) => line !== '');
  const violation = at === undefined ? undefined : { invariant: found.invariant, at, what };
  return [
    [rule === undefined ? heading : `${heading}: ${rule}`, ...about.map((line) => `  ${line}`)].join('\n'),
    ...(story.lines.length === 0 ? [] : [storyText(story, look, violation)]),
    `Again:  ${colors.bold(commandOf(finding))}`,
  ].join('\n\n');
}

const mostSeedsNamed = 8;

function alsoText(seeds: readonly number[]): string {
  if (seeds.length === 0) return '';
  const named = seeds.slice(0, mostSeedsNamed).join(', ');
  const more = seeds.length - mostSeedsNamed;
  return `also in seed${seeds.length === 1 ? '' : 's'} ${named}${more > 0 ? ` and ${more} more` : ''}`;
}

function shrunkText({ shrunk, tookMs }: Finding): string {
  if (shrunk === null) return 'not shrunk: under a plan of its own faults the seed did not break it again';
  const { from, to, replays, isCutShort } = shrunk;
  const sizes = [
    changeText(from, to, 'strikes', 'strike'),
    changeText(from, to, 'faults', 'fault'),
    changeText(from, to, 'days', 'day'),
  ].join(', ');
  const effort = `${counted(replays, 'replay')} in ${spanText(tookMs)}`;
  return `shrunk to ${sizes} (${effort}${isCutShort ? ', then time was up' : ''})`;
}

function changeText(from: Size, to: Size, key: keyof Size, noun: string): string {
  return `${counted(to[key], noun)} of ${from[key].toLocaleString('en-US')}`;
}
