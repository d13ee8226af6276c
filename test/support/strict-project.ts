import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { jobsFolder, writeJob } from './jobs-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * A folder of these files under the repository's own rules of types, lint and format, until the test is over. One of them
 * may stand for `#pools`.
 */
export function strictProject(files: Readonly<Record<string, string>>, pools?: string): string {
  const dir = jobsFolder(files);
  const compilerOptions = {
    typeRoots: [path.join(root, 'node_modules/@types')],
    paths: {
      '#job': [path.join(root, 'functions/job.ts')],
      '#testing': [path.join(root, 'functions/testing/index.ts')],
      '#pools': [pools === undefined ? path.join(root, 'functions/pools.ts') : path.join(dir, pools)],
    },
  };
  const tsconfig = { extends: path.join(root, 'tsconfig.json'), compilerOptions, include: ['*.ts'] };
  writeJob(dir, 'package.json', '{"type":"module"}');
  writeJob(dir, 'tsconfig.json', JSON.stringify(tsconfig));
  writeJob(dir, '.gitignore', '*.json\n');
  copyFileSync(path.join(root, 'biome.json'), path.join(dir, 'biome.json'));
  return dir;
}
