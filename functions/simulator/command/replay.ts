import { counted, oneLine } from '../../cli/render/text.ts';
import { toIso } from '../../domain/time.ts';
import type { Simulated } from '../simulate.ts';
import type { TraceLine } from '../trace.ts';
import { type Case, replayCommand } from './case.ts';
import { replayJson } from './json.ts';
import type { Machine } from './machine.ts';
import type { ReplayRequest } from './options.ts';
import { countsLine, headline } from './report.ts';
import { StoryTeller } from './story.ts';
import { lineText, storyText } from './story-text.ts';

/** Simulates one seed again, and tells its trace. Whether nothing was wrong. */
export async function replay(request: ReplayRequest, machine: Machine): Promise<boolean> {
  const { json, trace: run } = request;
  const { say, look } = machine;
  const one = caseOf(request);
  const teller = new StoryTeller(run);
  const everyLine = (line: TraceLine) => say(lineText(line, look));
  if (!json) say(`${headingOf(one)}\n`);
  const simulated = await machine.simulate({
    ...one,
    trace: run === undefined && !json ? everyLine : teller.listen,
  });
  const { story } = teller;
  const [violation] = simulated.violations;
  if (json) say(JSON.stringify(replayJson(simulated, story)));
  else {
    if (run !== undefined)
      say(story.isTold ? storyText(story, look, violation) : `Nothing is told of ${run}.`);
    say(`\n${verdictText(simulated, { one, told: run, machine })}`);
  }
  return violation === undefined;
}

function caseOf({ seed, days, faults, plan, mutant }: ReplayRequest): Case {
  return {
    seed,
    days,
    faults,
    ...(plan === undefined ? {} : { plan }),
    ...(mutant === undefined ? {} : { mutant }),
  };
}

function headingOf(one: Case): string {
  const { seed, mutant } = one;
  return `${headline([seed], one)}${mutant === undefined ? '' : `, with the mutant ${mutant}`}`;
}

function verdictText(
  simulated: Simulated,
  { one, told, machine }: { one: Case; told: string | undefined; machine: Machine },
): string {
  const { colors } = machine.look;
  const { violations, strikes, hash } = simulated;
  const struck = Object.values(strikes).reduce((sum, count) => sum + count, 0);
  const broken = violations.flatMap(({ invariant, what, at, run }) => [
    colors.red(`✗ ${invariant}: ${oneLine(what)}`),
    `  ${toIso(at)}${run === undefined ? '' : `, ${run}`}`,
    ...(run === undefined || run === told ? [] : [`  of it alone: ${replayCommand(one)} --trace ${run}`]),
  ]);
  return [
    `${countsLine(simulated)}, ${counted(struck, 'strike')}`,
    ...(broken.length === 0 ? [colors.green('✓ 0 promises broken')] : broken),
    colors.dim(`hash ${hash}`),
  ].join('\n');
}
