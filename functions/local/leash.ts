import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

const LEASH = 3;

/**
 * The shell becomes the program, and a second shell waits on descriptor 3, whose other end only we hold. When we die,
 * however we die, that read ends without a line, and the program is killed: busy, stopped or deaf as it may be.
 */
const DIE_WITH_PARENT =
  '(read -r line <&3 || kill -9 $$) >/dev/null 2>&1 </dev/null 4<&- & exec "$@" 3<&- </dev/null';

export interface LeashedProgram {
  /** Absolute. */
  readonly program: string;
  readonly args: readonly string[];
  /** The whole environment. @default - ours */
  readonly env?: Readonly<Record<string, string>>;
  /** @default - ours */
  readonly cwd?: string;
  /** A channel for messages, which Node programs understand. @default false */
  readonly ipc?: boolean;
}

/**
 * Starts a program that can't outlive us, even when we are killed. It has no input, and a process group of its own:
 * Ctrl-C in the terminal is for us, who may have something to drain. Throws when the system has no process left.
 */
export function spawnLeashed(options: LeashedProgram): ChildProcess {
  const { program, args, env, ipc } = options;
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])];
  const child = spawn('/bin/sh', ['-c', DIE_WITH_PARENT, 'sh', program, ...args], {
    stdio,
    detached: true,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(env === undefined ? {} : { env: { ...env } }),
  });
  if (child.pid === undefined) {
    const refused = new Error(`Can't start ${program}: the system gave no process.`);
    child.once('error', (cause) => Object.assign(refused, { cause }));
    throw refused;
  }
  child.once('exit', () => endGroup(child));
  return child;
}

/** What the program started itself, and the waiting shell, go with it. */
function endGroup(child: ChildProcess): void {
  const leash = child.stdio[LEASH] as Writable | null | undefined;
  leash?.on('error', () => {});
  // A line says that all is well: nobody is to be killed under a number that another process may have by now.
  leash?.end('\n');
  killGroup(child);
}

/** Kills the program with all that it started. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
