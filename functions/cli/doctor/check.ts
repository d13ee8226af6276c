import { type ExitCode, exitCodes } from '../io.ts';

/**
 * `note`: worth knowing, and nothing is to be mended. `person`: all works, and somebody has to decide something. `unknown`:
 * it could not be looked at, for a reason that another check gives.
 */
export type Verdict = 'fine' | 'note' | 'person' | 'wrong' | 'unknown';

/** One thing that was looked at. */
export interface Check {
  /** One word or two, the same in every version: scripts find a check by it. */
  readonly name: string;
  readonly verdict: Verdict;
  /** How it is, in one sentence without a full stop. */
  readonly says: string;
  /** The jobs, runs or files that it is about. */
  readonly items?: readonly string[];
  /** What to do about it. */
  readonly todo?: string;
}

export interface CheckGroup {
  readonly title: string;
  readonly checks: readonly Check[];
}

/** What is wrong comes before what waits for a person: a broken system may be why somebody has to decide at all. */
export function exitCodeOf(groups: readonly CheckGroup[]): ExitCode {
  const verdicts = groups.flatMap(({ checks }) => checks.map(({ verdict }) => verdict));
  if (verdicts.includes('wrong')) return exitCodes.foundWrong;
  return verdicts.includes('person') ? exitCodes.needsPerson : exitCodes.fine;
}

export function fine(name: string, says: string): Check {
  return { name, verdict: 'fine', says };
}

export function unknown(name: string, says: string): Check {
  return { name, verdict: 'unknown', says };
}

/** Of what was found, `fine` when there is nothing. */
export function foundNone(items: readonly string[], check: Check, otherwise: string): Check {
  return items.length === 0 ? fine(check.name, otherwise) : { ...check, items };
}
