import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeJob } from '../support/jobs-folder.ts';
import { strictProject } from '../support/strict-project.ts';
import { checksOf } from './checks.ts';
import { sourcesOf } from './sources.ts';

function repository(files: Readonly<Record<string, string>>): string {
  const dir = strictProject(files);
  execFileSync('git', ['init', '-q'], { cwd: dir });
  return dir;
}

/** The names of the checks that found something. */
async function failing(dir: string): Promise<string[]> {
  const found = await Promise.all(checksOf(dir).map(async ({ name, run }) => ({ name, lines: await run() })));
  return found.filter(({ lines }) => lines.length > 0).map(({ name }) => name);
}

const tidy = { 'a.ts': 'export const a = 1;\n' };

describe('npm run check', () => {
  it('is content with a tidy repository', async () => {
    expect(await failing(repository(tidy))).toEqual([]);
  });

  it.each([
    ['types', { 'b.ts': "export const b: number = '1';\n" }],
    ['lint and format', { 'b.ts': 'export const b = "1"\n' }],
    ['import directions', { 'functions/domain/b.ts': "import 'node:fs';\n" }],
    ['spelling', { 'README.md': 'It was cancelled.\n' }],
    ['unfinished marks', { 'README.md': 'TODO\n' }],
    ['paths of machines', { 'README.md': 'See /home/ann/notes.\n' }],
  ])('fails by its %s alone', async (name, files) => {
    expect(await failing(repository({ ...tidy, ...files }))).toEqual([name]);
  });
});

it('its sources are what git has or would have, without what others wrote', async () => {
  const dir = repository({
    'kept.md': 'x',
    'removed.md': 'x',
    'new.md': 'x',
    'picture.png': '\0\0',
    'ignored/left.log': 'x',
    LICENSE: 'x',
    'package-lock.json': 'x',
    'test/cases/public.json': 'x',
  });
  writeJob(dir, '.gitignore', 'ignored/\n*.json\n');
  execFileSync('git', ['add', 'kept.md', 'removed.md'], { cwd: dir });
  execFileSync('rm', [path.join(dir, 'removed.md')]);
  expect((await sourcesOf(dir)).map((source) => source.path).sort()).toEqual([
    '.gitignore',
    'kept.md',
    'new.md',
  ]);
});
