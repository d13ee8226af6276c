import type { Clock, DrawToken } from '../domain/ports.ts';
import type { Look } from './render/look.ts';

/** What a command ends with. */
export const exitCodes = {
  fine: 0,
  /** It looked, and found something wrong. */
  foundWrong: 1,
  /** It needs a person, or was asked wrongly. */
  needsPerson: 2,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The outside of a command, so that one can be run within a test. */
export interface Io {
  /** Writes to standard output; resolves when more may be written. */
  readonly write: (text: string) => Promise<void>;
  /** Writes to standard error. */
  readonly warn: (text: string) => void;
  /** Standard input. */
  readonly input: NodeJS.ReadableStream;
  readonly now: Clock;
  /** Resolves after so many milliseconds, or as soon as the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** `act` is called when the person presses Ctrl-C, which else ends the command. Returns what makes it so again. */
  readonly onInterrupt: (act: () => void) => () => void;
  readonly drawToken: DrawToken;
  /** Who asks: the name of the operating system's user. */
  readonly user: () => string;
  readonly look: Look;
  /** Columns of the terminal that standard error is. Absent: it is none. */
  readonly columns?: number;
}

/** Writes one JSON value, readable by people, too. */
export function writeJson(io: Pick<Io, 'write'>, value: unknown): Promise<void> {
  return io.write(`${JSON.stringify(value, null, 2)}\n`);
}
