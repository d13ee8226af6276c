import { cron, type Dst } from '../../domain/schedule/index.ts';
import type { Found, Reading, Refused } from './found.ts';
import { programName } from './program-name.ts';

const field = '[-\\w*,/?#~]+';
const entryShape = new RegExp(`^(@\\w+|-?${Array(5).fill(field).join('\\s+')})\\s+(\\S.*)$`, 's');
const variableShape = /^(?:"([^"]+)"|'([^']+)'|([A-Za-z_]\w*))\s*=\s*(.*)$/s;

/** Whether any line is an entry: five fields, or an `@` word, and a command. */
export function looksLikeCrontab(text: string): boolean {
  return text.split('\n').some((line) => entryOf(line.trim()) !== null);
}

interface Entry {
  readonly expression: string;
  /** All that stands behind it. */
  readonly rest: string;
}

function entryOf(line: string): Entry | null {
  if (!/^[-\d*@]/.test(line)) return null;
  const [, expression, rest] = entryShape.exec(line) ?? [];
  if (expression === undefined || rest === undefined) return null;
  // A minus in front keeps cron's own log quiet.
  return { expression: expression.replace(/^-/, '').split(/\s+/).join(' '), rest: rest.trimEnd() };
}

/** What the lines above an entry say about it. */
interface Above {
  /** Comments directly above, without what is no sentence. */
  readonly comments: readonly string[];
  readonly variables: ReadonlyMap<string, string>;
}

const nothingAbove: Above = { comments: [], variables: new Map() };

/** A user's crontab or one of the system, in which a user's name stands before the command. */
export function readCrontab(text: string, path: string): Reading {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const isSystem = hasUsers(lines, path);
  const [found, refused]: [Found[], Refused[]] = [[], []];
  let above = nothingAbove;
  for (const [index, line] of lines.entries()) {
    const entry = entryOf(line);
    const at = { line: index + 1, above, isSystem };
    if (entry === null) {
      above = readAbove(line, above);
      if (isUnreadable(line)) refused.push({ line: index + 1, what: line, why: notAnEntry });
    } else {
      if (entry.expression === '@reboot') refused.push({ line: index + 1, what: line, why: reboot });
      else found.push(foundEntry(entry, at));
      above = { ...above, comments: [] };
    }
  }
  return { found, refused };
}

const notAnEntry = 'is no entry: five fields (or a word such as @daily) and a command';
const reboot =
  'is no time: nothing boots here; for a job that is only started by hand write schedule: manual()';

function isUnreadable(line: string): boolean {
  return line !== '' && !line.startsWith('#') && !variableShape.test(line);
}

function readAbove(line: string, { comments, variables }: Above): Above {
  const [, double, single, bare, value = ''] = line.startsWith('#') ? [] : (variableShape.exec(line) ?? []);
  const name = double ?? single ?? bare;
  if (name !== undefined)
    return { comments: [], variables: new Map(variables).set(name, value.replace(/^(["'])(.*)\1$/s, '$2')) };
  if (!line.startsWith('#')) return { comments: [], variables };
  const comment = line.replace(/^#+\s*/, '');
  return { comments: isSentence(comment) ? [...comments, comment] : [], variables };
}

/** Not so: rulers, the names of the columns, and entries that were commented out. */
function isSentence(comment: string): boolean {
  return /\p{L}{2}/u.test(comment) && !/\bdow\b/i.test(comment) && entryOf(comment) === null;
}

/**
 * Whether a user's name stands before each command: in /etc/crontab and /etc/cron.d, where the names of the columns say
 * so, and where root, which is no command, stands there.
 */
function hasUsers(lines: readonly string[], path: string): boolean {
  return (
    /(^|[\\/])(etc[\\/]crontab|cron\.d[\\/][^\\/]+)$/.test(path) ||
    lines.some((line) => /^#.*\bdow\b.*\buser/i.test(line) || /^root\s/.test(entryOf(line)?.rest ?? ''))
  );
}

function foundEntry(
  { expression, rest }: Entry,
  { line, above, isSystem }: { line: number; above: Above; isSystem: boolean },
): Found {
  const [, user, run] = (isSystem ? /^(\S+)\s+(.*)$/s.exec(rest) : null) ?? [undefined, undefined, rest];
  const { command, input } = commandOf(run ?? rest);
  const timezone = above.variables.get('CRON_TZ')?.replace(/^:/, '');
  const dst = dstOf(expression);
  const name = programName(command);
  return {
    system: 'cron',
    line,
    name,
    // Not the command: a description is shown in many places, and commands hold passwords.
    description: above.comments.join(' ') || `Run ${name}`,
    schedules: [cron(expression)],
    ...(timezone && { timezone }),
    ...(dst && { dst }),
    ran: [
      ...(user === undefined ? [] : [`as ${user}:`]),
      command,
      ...(input === '' ? [] : ['with the input', input]),
    ].join('\n'),
    // A command that takes a lock leaves a run out itself.
    overlap: /\bflock\b/.test(command) ? 'skip' : 'allow',
    lost: lostOf(command, { user, input, variables: above.variables }),
  };
}

/** The first `%` without a backslash begins what the command reads; the others are its line ends. */
function commandOf(text: string): { command: string; input: string } {
  const [command = '', ...input] = text.split(/(?<!\\)%/).map((part) => part.replaceAll('\\%', '%'));
  return { command: command.trim(), input: input.join('\n').trimEnd() };
}

/** cron follows elapsed time where the minute begins with a star, too; we do where the hour does. */
function dstOf(expression: string): Dst | undefined {
  const [minute = '', hour = ''] = expression.split(' ');
  return minute.startsWith('*') && !hour.startsWith('*') ? { gap: 'skip', repeat: 'both' } : undefined;
}

function lostOf(
  command: string,
  {
    user,
    input,
    variables,
  }: { user: string | undefined; input: string; variables: ReadonlyMap<string, string> },
): string[] {
  const mail = variables.get('MAILTO');
  const names = [...variables.keys()].filter((name) => name !== 'CRON_TZ' && name !== 'MAILTO');
  return [
    ...(names.length > 0 ? [`environment ${names.join(', ')}: see the option environment`] : []),
    ...(mail ? [`mail of its output to ${mail}: see ctx.log`] : []),
    ...(user === undefined ? [] : [`user ${user}: its role may do what the option permissions says`]),
    ...(/[|<>;&`]|\$\(/.test(command) ? ['shell: pipes, redirections and lists of commands'] : []),
    ...(input === '' ? [] : ['standard input, after the %']),
  ];
}
