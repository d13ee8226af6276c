import { CommanderError } from 'commander';
import { exitCodes } from '../cli/io.ts';
import { lookOf } from '../cli/render/look.ts';
import { progressOn, silent } from '../cli/render/progress.ts';
import { type Request, readOptions } from './command/options.ts';
import { run } from './command/run.ts';
import { startWorkers } from './command/workers.ts';
import { invariants } from './invariants/index.ts';
import { mutants } from './mutants/index.ts';
import { simulate } from './simulate.ts';

async function main(request: Request): Promise<number> {
  const { stdout, stderr } = process;
  const workers = startWorkers(new URL('./simulate.ts', import.meta.url).href, request.workers);
  const progress = request.json
    ? silent
    : progressOn({
        write: (text) => void stderr.write(text),
        columns: stderr.isTTY ? stderr.columns : undefined,
        now: () => performance.now(),
      });
  try {
    const isFine = await run(request, {
      simulate,
      workers,
      invariants,
      mutants,
      say: (text) => void stdout.write(`${text}\n`),
      progress,
      look,
      now: () => performance.now(),
    });
    return isFine ? exitCodes.fine : exitCodes.foundWrong;
  } finally {
    progress.clear();
    workers.close();
  }
}

// Whoever reads may have seen enough, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const look = lookOf(process.stdout.columns);
try {
  const request = readOptions(process.argv.slice(2), { mutants: mutants.map(({ name }) => name), look });
  process.exitCode = await main(request);
} catch (error) {
  const isTold = error instanceof CommanderError;
  if (!isTold) console.error(error instanceof Error ? error.message : error);
  process.exitCode = isTold && error.exitCode === 0 ? exitCodes.fine : exitCodes.needsPerson;
}
