import { Readable } from 'node:stream';
import { runCommand } from '../../functions/cli/program.ts';
import { plainLook } from '../../functions/cli/render/look.ts';

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface Surroundings {
  /** Epoch milliseconds; a function, where it changes while the command waits. */
  readonly now: number | (() => number);
  readonly input?: string;
  /** @default 100 */
  readonly width?: number;
  /** Columns of the terminal that standard error is. @default it is none */
  readonly columns?: number;
  /** What happens while the command sleeps. It may press Ctrl-C. @default it must not sleep */
  readonly meanwhile?: (ms: number, interrupt: () => void) => Promise<void>;
}

/** Runs a command line within this process, without colours, in virtual time. */
export async function runFl(
  words: readonly string[],
  { now, input = '', width = 100, columns, meanwhile = neverSleeps }: Surroundings,
): Promise<Ended> {
  let [out, err] = ['', ''];
  const interrupted = new Set<() => void>();
  const interrupt = () => {
    for (const act of interrupted) act();
  };
  const code = await runCommand(words, {
    write: async (text) => {
      out += text;
    },
    warn: (text) => {
      err += text;
    },
    input: Readable.from([input]),
    now: typeof now === 'number' ? () => now : now,
    sleep: (ms) => meanwhile(ms, interrupt),
    onInterrupt: (act) => {
      interrupted.add(act);
      return () => interrupted.delete(act);
    },
    drawToken: () => 'drawntoken',
    user: () => 'ops',
    look: plainLook(width),
    ...(columns !== undefined && { columns }),
  });
  return { code, out, err };
}

async function neverSleeps(ms: number): Promise<void> {
  throw new Error(`the command sleeps for ${ms} ms, and nothing would happen meanwhile`);
}
