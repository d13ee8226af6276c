import pc from 'picocolors';
import { packageDir } from '../../functions/catalog/esbuild.ts';
import { type Check, checksOf } from './checks.ts';

/** Prints a line with its time, and below it what was found. */
async function report({ name, run }: Check): Promise<boolean> {
  const started = performance.now();
  const found = await run();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const sign = found.length === 0 ? pc.green('✓') : pc.red('✗');
  console.log(`${sign} ${name.padEnd(18)} ${pc.dim(`${seconds.padStart(5)} s`)}`);
  for (const line of found) console.log(`    ${line}`);
  return found.length === 0;
}

const passed = await Promise.all(checksOf(packageDir).map(report));
process.exitCode = passed.every(Boolean) ? 0 : 1;
