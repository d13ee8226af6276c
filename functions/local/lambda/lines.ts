import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** CloudWatch's limit for one log event: a longer line is cut into several. */
const MAX_LINE_LENGTH = 256 * 1024;

/** Calls `onLine` for every line of a stream, without its end; also for the last one that has none. */
export function eachLine(stream: Readable, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  stream.on('data', (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
    while (rest.length > MAX_LINE_LENGTH) {
      onLine(rest.slice(0, MAX_LINE_LENGTH));
      rest = rest.slice(MAX_LINE_LENGTH);
    }
  });
  stream.once('end', () => {
    if (rest !== '') onLine(rest);
  });
}
