import { CommanderError } from 'commander';
import { bundleWeb } from './bundle.ts';
import { openConsole } from './open.ts';
import { readConsoleOptions } from './options.ts';

async function main(): Promise<void> {
  const { json, port, ...ledger } = readConsoleOptions(process.argv.slice(2));
  const opened = await openConsole({
    ...{ ledger, bundle: await bundleWeb(), port },
    warn: (text) => void process.stderr.write(text),
  });
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  const { url, name, isAlone } = opened;
  if (json) console.log(JSON.stringify({ kind: 'ready', url, place: name, isAlone }));
  else console.log(`${url}\nThe console of ${name}. Ctrl-C stops it.`);
  if (isAlone) console.error(aloneText);
  await stopped;
  await opened.close();
}

/** Not on the standard output: a script that reads the address there must not take it for one. */
const aloneText = 'No system runs on it, and npm start can’t start while this is open.';

try {
  await main();
} catch (error) {
  const wasTold = error instanceof CommanderError;
  if (!wasTold) console.error(`npm run console: ${error instanceof Error ? error.message : error}`);
  process.exitCode = wasTold && error.exitCode === 0 ? 0 : 2;
}
