import type { Look } from '../../cli/render/look.ts';
import { tableText } from '../../cli/render/table.ts';
import { counted } from '../../cli/render/text.ts';
import { type Case, replayCommand } from './case.ts';
import { huntJson } from './json.ts';
import type { Machine } from './machine.ts';
import { type Broken, type Hunted, hunt, unmutated } from './mutants.ts';
import type { MutantsRequest } from './options.ts';
import { headline } from './report.ts';

/** Tries mutants, and tells what caught them. Whether each was. */
export async function huntMutants(request: MutantsRequest, machine: Machine): Promise<boolean> {
  const { seeds, json, mutants: names } = request;
  const { say, progress, look } = machine;
  const chosen = machine.mutants.filter(({ name }) => names.includes(name));
  if (!json) say(`${counted(chosen.length, 'mutant')}. ${headline(seeds, request)}\n`);
  const hunted = await hunt(chosen, request, machine);
  const broken = await unmutated(hunted, request, machine);
  progress.clear();
  const survivors = hunted.filter(({ caught }) => caught === null);
  if (json) say(JSON.stringify(huntJson(hunted, broken)));
  else {
    say(tableOf(hunted, look));
    say(`\n${verdictText({ hunted, survivors, broken, request, look })}`);
  }
  return survivors.length === 0 && broken.length === 0;
}

function tableOf(hunted: readonly Hunted[], look: Look): string {
  const { red, green } = look.colors;
  const rows = hunted.map(({ mutant, caught }) => {
    const cells =
      caught === null
        ? [red(`✗ ${mutant.name}`), red('survived'), '-']
        : [`${green('✓')} ${mutant.name}`, caught.invariant, String(caught.seedsNeeded)];
    return { cells: [...cells, mutant.what] };
  });
  return tableText(['MUTANT', 'CAUGHT BY', 'SEEDS', 'WHAT IS WRONG IN IT'], rows, {
    look,
    wraps: ['WHAT IS WRONG IN IT'],
  });
}

function verdictText({
  hunted,
  survivors,
  broken,
  request,
  look,
}: {
  hunted: readonly Hunted[];
  survivors: readonly Hunted[];
  broken: readonly Broken[];
  request: MutantsRequest;
  look: Look;
}): string {
  const { red, green } = look.colors;
  const all =
    survivors.length === 0
      ? green(`✓ all ${hunted.length} caught`)
      : red(
          `✗ ${survivors.length} of ${hunted.length} survived: ${survivors.map(({ mutant }) => mutant.name).join(', ')}`,
        );
  const itself = broken.map(({ seed, invariant }) =>
    red(`✗ without any mutant seed ${seed} breaks ${invariant}: what it caught says nothing`),
  );
  return [...itself, all, ...exampleOf(hunted, request)].join('\n');
}

function exampleOf(hunted: readonly Hunted[], { days, faults }: MutantsRequest): string[] {
  const [first] = hunted.flatMap(({ mutant, caught }): Case[] =>
    caught === null ? [] : [{ seed: caught.seed, mutant: mutant.name, days, faults }],
  );
  return first === undefined ? [] : [`To see one: ${replayCommand(first)}`];
}
