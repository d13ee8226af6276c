import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/jobs-folder.ts';
import { aliveAtOnce, bodiesOf } from './effects.ts';

function written(
  ...lines: readonly (readonly [what: string, attempt: number, pid: number, at: number])[]
): string {
  const file = path.join(temporaryFolder(), 'effects.jsonl');
  const texts = lines.map(([what, attempt, pid, at]) =>
    JSON.stringify({ what, run: 'job#1', attempt, pid, at }),
  );
  writeFileSync(file, texts.map((text) => `${text}\n`).join(''));
  return file;
}

const ofRun = ({ run }: { readonly run: string }) => run;

test('two bodies of a run that were alive at once are found, however the ledger looks', () => {
  const bodies = bodiesOf(
    written(
      ['start', 1, 11, 0],
      ['alive', 1, 11, 200],
      ['start', 2, 12, 300],
      ['alive', 1, 11, 400],
      ['end', 2, 12, 900],
    ),
  );
  expect(aliveAtOnce(bodies, ofRun)).toMatchObject([[{ attempt: 1 }, { attempt: 2 }]]);
});

test('one body after the other is none, and a short one within a long one is', () => {
  const after = bodiesOf(
    written(['start', 1, 11, 0], ['alive', 1, 11, 200], ['start', 2, 12, 300], ['end', 2, 12, 400]),
  );
  expect(aliveAtOnce(after, ofRun)).toEqual([]);
  const within = bodiesOf(
    written(
      ['start', 1, 11, 0],
      ['start', 2, 12, 100],
      ['end', 2, 12, 200],
      ['start', 3, 13, 300],
      ['end', 1, 11, 400],
    ),
  );
  expect(aliveAtOnce(within, ofRun).map(([, later]) => later.attempt)).toEqual([2, 3]);
});

test('one attempt that two processes ran is two bodies', () => {
  expect(bodiesOf(written(['start', 1, 11, 0], ['start', 1, 12, 1]))).toHaveLength(2);
});
