import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process, told apart from a later one that was given the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When the system started it, in the system's own notation. Empty where it doesn't tell. */
  readonly started: string;
}

export function identify(pid: number): ProcessIdentity {
  return { pid, started: startOf(pid) ?? '' };
}

/** Whether what was read from a file names a process at all: a number of 0 or less would mean a whole group of them. */
export function isIdentity(read: unknown): read is ProcessIdentity {
  const { pid, started } = (read ?? {}) as Partial<Record<keyof ProcessIdentity, unknown>>;
  return Number.isSafeInteger(pid) && Number(pid) > 0 && typeof started === 'string';
}

/** Whether this very process is alive. A zombie isn't: it holds no file and no port any more. */
export function isAlive(process: ProcessIdentity): boolean {
  const started = startOf(process.pid);
  return started !== undefined && (process.started === '' || started === process.started);
}

/** Undefined when there is no such process. */
function startOf(pid: number): string | undefined {
  return process.platform === 'linux' ? startOnLinux(pid) : startElsewhere(pid);
}

function startOnLinux(pid: number): string | undefined {
  try {
    // The command's name stands in parentheses and may hold any character: read behind the last one.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticksSinceBoot = fields[19] ?? '';
    return fields[0] === 'Z' ? undefined : `${bootId()}/${ticksSinceBoot}`;
  } catch {
    return undefined;
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

function startElsewhere(pid: number): string | undefined {
  try {
    const [state, ...start] = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .trim()
      .split(/\s+/);
    return state?.startsWith('Z') ? undefined : start.join(' ');
  } catch {
    return undefined;
  }
}
