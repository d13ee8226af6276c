import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { plainLook } from '../../functions/cli/render/look.ts';
import { showEvents } from '../../functions/local/show.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'fireledger-show-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
});

describe('the log file of a data folder', () => {
  const start = () =>
    showEvents({ jobs: [], look: plainLook(100), json: true, logFile: join(dir, 'log.jsonl') });
  const begun = { run: async () => null };

  it('gets what functions print, after what earlier systems wrote', async () => {
    writeFileSync(join(dir, 'log.jsonl'), 'earlier\n');
    const show = start();
    show.begin(begun);
    show.tell({ kind: 'log', at: 0, requestId: '', line: 'printed' });
    await show.done();
    expect(readFileSync(join(dir, 'log.jsonl'), 'utf8')).toBe('earlier\nprinted\n');
  });

  it('is not written through a link that may lead anywhere', () => {
    const elsewhere = join(dir, 'elsewhere');
    writeFileSync(elsewhere, 'kept');
    symlinkSync(elsewhere, join(dir, 'log.jsonl'));
    expect(start).toThrow(expect.objectContaining({ code: 'ELOOP' }));
    expect(readFileSync(elsewhere, 'utf8')).toBe('kept');
  });
});
