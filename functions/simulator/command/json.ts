import { toIso } from '../../domain/time.ts';
import type { Simulated } from '../simulate.ts';
import { planText } from './case.ts';
import { commandOf, type Finding } from './findings.ts';
import type { Hunted } from './mutants.ts';
import type { Story } from './story.ts';
import { preciseIso } from './story-text.ts';
import type { Found, Summary } from './summary.ts';

/** What scripts read of a run of many seeds. */
export function summaryJson(summary: Summary, findings: readonly Finding[]) {
  const { dead, violations, hash, ...counts } = summary;
  return {
    ...counts,
    dead,
    violations: violations.map((found) => violationJson(found, findings)),
    hash,
  };
}

/** The first of each invariant is shrunk. */
function violationJson(found: Found, findings: readonly Finding[]) {
  const { at, ...rest } = found;
  const finding = findings.find((one) => one.found === found);
  return {
    ...rest,
    ...(at === undefined ? {} : { at: toIso(at) }),
    ...(finding === undefined ? {} : findingJson(finding)),
  };
}

function findingJson(finding: Finding) {
  const { shrunk, story } = finding;
  return {
    replay: commandOf(finding),
    ...(shrunk === null
      ? {}
      : { shrunk: { ...shrunk.to, plan: planText(shrunk.smallest.plan ?? {}), replays: shrunk.replays } }),
    trace: traceJson(story),
  };
}

function traceJson({ lines }: Story) {
  return lines.map(({ at, strike, ...line }) => ({
    at: preciseIso(at),
    ...line,
    ...(strike === undefined ? {} : { strike: strike.place + 1, fault: strike.fault }),
  }));
}

/** What scripts read of one seed. */
export function replayJson({ violations, strikes, ...rest }: Simulated, story: Story) {
  return {
    ...rest,
    faults: strikes,
    violations: violations.map(({ at, ...violation }) => ({ ...violation, at: toIso(at) })),
    trace: traceJson(story),
  };
}

/** What scripts read of a hunt. */
export function huntJson(hunted: readonly Hunted[], broken: readonly object[]) {
  return {
    mutants: hunted.map(({ mutant: { name, what }, caught }) => ({
      name,
      what,
      isCaught: caught !== null,
      ...caught,
    })),
    survivors: hunted.filter(({ caught }) => caught === null).map(({ mutant }) => mutant.name),
    unmutatedViolations: broken,
  };
}
