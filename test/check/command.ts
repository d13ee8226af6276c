import { spawn } from 'node:child_process';
import path from 'node:path';
import { packageDir } from '../../functions/catalog/esbuild.ts';

/** What an installed tool has to say when it finds something wrong; nothing when it is content. */
export async function complaintsOf(tool: string, args: readonly string[], dir: string): Promise<string[]> {
  const program = path.join(packageDir, 'node_modules/.bin', tool);
  const child = spawn(program, args, { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return [];
  const lines = Buffer.concat(said)
    .toString()
    .split('\n')
    .filter((line) => line.trim() !== '');
  return [...lines, `${tool} ended with ${code}`];
}

/** The project of a tsconfig.json. */
export function typeErrors(dir: string): Promise<string[]> {
  return complaintsOf('tsc', ['--project', dir, '--pretty', 'false'], dir);
}

/** Lint and format, by a biome.json. */
export async function lintErrors(dir: string): Promise<string[]> {
  const complaints = await complaintsOf('biome', ['check', '--error-on-warnings', '--colors=off', '.'], dir);
  return complaints.length === 0 ? [] : [...complaints, 'npx biome check --write fixes the format'];
}
