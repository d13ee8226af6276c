/** One mistake in one file. */
export interface Problem {
  /** The file's path from the jobs folder, `/`-separated: `../pools.ts` is beside it, `.` the folder itself. */
  readonly file: string;
  /** The option at fault, such as `missed.limit`; null when it is the file as a whole. */
  readonly option: string | null;
  /** The value as the author sees it, at most 80 characters; empty when there is none. */
  readonly value: string;
  /** A whole sentence: what is wrong, what is allowed, what to do. */
  readonly message: string;
}

/** Records that an option's value is refused. `why` continues the sentence "option: value …". */
export type Refuse = (option: string, value: unknown, why: string) => void;

/** Collects every mistake of a file. */
export interface Findings {
  readonly problems: Problem[];
  readonly refuse: Refuse;
  /** A mistake in a sentence of its own. Shows no value unless one is given. */
  readonly report: (option: string | null, message: string, value?: unknown) => void;
}

export function findingsOf(file: string): Findings {
  const problems: Problem[] = [];
  return {
    problems,
    refuse: (option, value, why) => {
      problems.push({ file, option, value: shown(value), message: `${option}: ${shown(value)} ${why}` });
    },
    report: (option, message, value) => {
      problems.push({ file, option, value: value === undefined ? '' : shown(value), message });
    },
  };
}

const longestShown = 80;

/** A value of any kind as short text without control characters. */
export function shown(value: unknown): string {
  const text = asText(value);
  return text.length > longestShown ? `${text.slice(0, longestShown - 1)}…` : text;
}

function asText(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) return String(value);
  try {
    return printable(JSON.stringify(value) ?? 'an object');
  } catch {
    return Array.isArray(value) ? 'an array' : 'an object';
  }
}

/** What kind of value it is, without showing it. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  return `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}

/** The text without what a terminal would obey. Line ends stay. */
export function printable(text: string): string {
  return text.replace(/[^\P{C}\n\u200d]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Job files that can't be used. `message` has every problem, grouped by file, ready for a terminal. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError';
  readonly problems: readonly Problem[];

  constructor(jobsDir: string, problems: readonly Problem[]) {
    super(describeProblems(jobsDir, problems));
    this.problems = problems;
  }
}

/** Every problem, grouped by file. */
export function describeProblems(jobsDir: string, problems: readonly Problem[]): string {
  const files = [...new Set(problems.map((problem) => problem.file))];
  const groups = files.map((file) => {
    const lines = problems.filter((problem) => problem.file === file).map(listed);
    return [file === '.' ? 'the folder' : printable(file), ...lines].join('\n');
  });
  const count = `${problems.length} problem${problems.length === 1 ? '' : 's'}`;
  return [`${count} under ${printable(jobsDir)}`, ...groups].join('\n\n');
}

function listed({ message }: Problem): string {
  return `  - ${message.replaceAll('\n', '\n    ')}`;
}
