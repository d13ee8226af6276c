import { existsSync } from 'node:fs';
import path from 'node:path';
import { describeMessage, isBuildFailure } from '../../functions/catalog/build-errors.ts';
import { lintErrors, typeErrors } from './command.ts';
import { importGraph } from './import-graph.ts';
import { wrongWay } from './import-rules.ts';
import { machinePaths } from './machine-paths.ts';
import { marks } from './marks.ts';
import { type Source, sourcesOf } from './sources.ts';
import { spelling } from './spelling.ts';
import { brokenRules, type TextRule } from './text-rules.ts';

export interface Check {
  readonly name: string;
  /** What it found, a line each. */
  readonly run: () => Promise<readonly string[]>;
}

/** Everything that `npm run check` looks at in a repository. */
export function checksOf(dir: string): Check[] {
  const sources = sourcesOf(dir);
  const textCheck = (name: string, rules: readonly TextRule[], own: RegExp): Check => ({
    name,
    run: async () =>
      brokenRules(
        (await sources).filter(({ path }) => !own.test(path)),
        rules,
      ),
  });
  return [
    { name: 'types', run: async () => (await Promise.all(projectsIn(dir).map(typeErrors))).flat() },
    { name: 'lint and format', run: () => lintErrors(dir) },
    { name: 'import directions', run: async () => importErrors(dir, await sources) },
    textCheck('spelling', spelling, /^test\/check\/(spelling|checks\.test)/),
    textCheck('unfinished marks', marks, /^test\/check\/(marks|checks\.test)/),
    textCheck('paths of machines', machinePaths(dir), /^test\/check\/(machine-paths|checks\.test)/),
  ];
}

/** What runs in Node, and what runs in a browser and knows other globals. */
function projectsIn(dir: string): string[] {
  return [dir, path.join(dir, 'functions/console/web')].filter((project) =>
    existsSync(path.join(project, 'tsconfig.json')),
  );
}

/** Imports that go the wrong way, or nowhere. */
export async function importErrors(dir: string, sources: readonly Source[]): Promise<string[]> {
  const files = sources
    .map(({ path }) => path)
    .filter((file) => /^(functions|infra|test)\/.*\.tsx?$/.test(file));
  try {
    return wrongWay(await importGraph(dir, files));
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    return error.errors.map(describeMessage);
  }
}
