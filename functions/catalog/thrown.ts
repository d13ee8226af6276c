import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';

/** What a file threw while it was imported, and where: `throws when it is imported: TypeError: … (lib/rates.ts:12:7)`. */
export function describeThrown(error: unknown, output: string, dir: string): string {
  const place = error instanceof Error ? sourcePlace(error.stack ?? '', output, dir) : null;
  return [
    `throws when it is imported: ${said(error)}${place === null ? '' : ` (${place})`}`,
    'a job is loaded in more places than it runs in: what needs the environment or the network belongs inside run()',
  ].join('; ');
}

function said(error: unknown): string {
  if (error instanceof Error) return `${error.name}: ${error.message}`;
  try {
    return String(error);
  } catch {
    return 'something that is no error';
  }
}

/** The innermost frame within the compiled file, in terms of the source that it was compiled from. */
function sourcePlace(stack: string, output: string, dir: string): string | null {
  const frame = stack.split('\n').find((line) => line.includes(output));
  const [, line, column] = /:(\d+):(\d+)\)?$/.exec(frame ?? '') ?? [];
  if (line === undefined) return null;
  const map = new SourceMap(JSON.parse(readFileSync(`${output}.map`, 'utf8')));
  const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
  if (!('originalSource' in entry)) return null;
  const source = path.relative(dir, path.resolve(path.dirname(output), entry.originalSource));
  return `${source.replaceAll(path.sep, '/')}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}
