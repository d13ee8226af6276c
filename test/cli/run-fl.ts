import { Readable } from 'node:stream';
import { runCommand } from '../../functions/cli/program.ts';
import { plainLook } from '../../functions/cli/render/look.ts';

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line within this process, 100 columns wide unless told otherwise and without colours, at a fixed time. */
export async function runFl(
  words: readonly string[],
  { now, input = '', width = 100 }: { now: number; input?: string; width?: number },
): Promise<Ended> {
  let [out, err] = ['', ''];
  const code = await runCommand(words, {
    write: async (text) => {
      out += text;
    },
    warn: (text) => {
      err += text;
    },
    input: Readable.from([input]),
    now: () => now,
    drawToken: () => 'drawn-token',
    user: () => 'ops',
    look: plainLook(width),
  });
  return { code, out, err };
}
