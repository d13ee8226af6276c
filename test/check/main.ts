import pc from 'picocolors';
import { packageDir } from '../../functions/catalog/esbuild.ts';
import { type Check, checksOf } from './checks.ts';

interface Done {
  readonly name: string;
  readonly found: readonly string[];
  readonly seconds: string;
}

async function timed({ name, run }: Check): Promise<Done> {
  const started = performance.now();
  const found = await run();
  return { name, found, seconds: ((performance.now() - started) / 1000).toFixed(1) };
}

/** Prints a line with its time, and below it what was found. */
function report({ name, found, seconds }: Done): boolean {
  const sign = found.length === 0 ? pc.green('✓') : pc.red('✗');
  console.log(`${sign} ${name.padEnd(18)} ${pc.dim(`${seconds.padStart(5)} s`)}`);
  for (const line of found) console.log(`    ${line}`);
  return found.length === 0;
}

// All at once, and told in their order: what the types say isn't to be looked for behind a long diff of the format.
const passed: boolean[] = [];
for (const check of checksOf(packageDir).map(timed)) passed.push(report(await check));
process.exitCode = passed.every(Boolean) ? 0 : 1;
