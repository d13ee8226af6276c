import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { drawToken } from '../handlers/machine.ts';
import type { Io } from './io.ts';
import { runCommand } from './program.ts';
import { lookOf } from './render/look.ts';
import { userName } from './user-name.ts';

const io: Io = {
  write: async (text) => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  },
  warn: (text) => void process.stderr.write(text),
  input: process.stdin,
  now: Date.now,
  // It rejects only when it is aborted.
  sleep: (ms, signal) => delay(ms, undefined, { ...(signal && { signal }) }).catch(() => {}),
  onInterrupt: (act) => {
    process.once('SIGINT', act);
    return () => process.off('SIGINT', act);
  },
  drawToken,
  user: userName,
  look: lookOf(process.stdout.columns, process.env.COLUMNS),
  ...(process.stderr.isTTY && { columns: process.stderr.columns }),
};

// Whoever reads may have seen enough, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const code = await runCommand(process.argv.slice(2), io);
// A job file may have left a timer running; what was written must still get out.
process.stdout.write('', () => process.exit(code));
