import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { neverNeedsAttention } from '../../functions/domain/run.ts';
import type { StepRecord } from '../../functions/domain/steps.ts';
import { hour, minute } from '../../functions/domain/time.ts';
import { runFl } from './run-fl.ts';
import { invoices, runOf, type SeededFolder, seededFolder } from './seeded.ts';

const start = Date.parse('2026-12-01T00:00:00Z');
const begun = { kind: 'once', state: 'begun', at: start, restarts: 0, token: 'dead' } as const;
let folder: SeededFolder;

beforeAll(async () => {
  folder = await seededFolder(start);
});
afterAll(async () => {
  await folder.stop();
  folder.remove();
});

const fl = (...words: string[]) => runFl([...words, '--data', folder.dir], { now: start + 12 * hour });

/** A run that died over its step `pay`, and is parked for it. */
async function parkedOver(
  hours: number,
  reason: 'uncertain-step' | 'crashed' = 'uncertain-step',
): Promise<{ id: string; steps: () => Promise<StepRecord[]> }> {
  const running = runOf(invoices, start + hours * hour, { state: 'running', token: 'dead' });
  await folder.ledger.create(running);
  const fence = { state: 'running', token: 'dead' } as const;
  await folder.ledger.writeStep(running, fence, { step: { name: 'pay', ...begun }, replaces: null });
  await folder.ledger.move(running, fence, {
    set: { state: 'parked', reason, uncertain: 'pay', attentionAt: neverNeedsAttention },
  });
  return { id: `${invoices.id}#${running.key}`, steps: () => folder.ledger.steps(running) };
}

describe('fl release of a run that is parked for a step of which nobody knows', () => {
  test('asks what became of the step, and changes nothing meanwhile', async () => {
    const { id, steps } = await parkedOver(5);
    const { code, err } = await fl('release', id, '--resume');
    expect(code).toBe(2);
    expect(err).toContain(
      'nobody knows whether its step "pay" was done: look, then add --done or --not-done',
    );
    expect((await fl('show', id)).out).toContain('a person must say whether its step "pay" was done');
    expect(await steps()).toEqual([{ name: 'pay', ...begun }]);
  });

  test('also of one that crashed: why and show name the step, and the first release asks for it', async () => {
    const { id, steps } = await parkedOver(10, 'crashed');
    const said = 'a person must say whether its step "pay" was done: fl release --resume, with --done or';
    expect((await fl('why', id)).out.replace(/\s+/g, ' ')).toContain(said);
    expect(JSON.parse((await fl('why', id, '--json')).out)).toMatchObject({ uncertain: 'pay' });
    const { out } = await fl('show', id);
    expect(out).toContain(said);
    expect(out).toMatch(
      /STEP +KIND +STATE +AT\npay +once +begun; nobody knows whether it was done +2026-12-01/,
    );
    expect(JSON.parse((await fl('show', id, '--json')).out).steps).toEqual([
      { name: 'pay', kind: 'once', state: 'begun', restarts: 0, at: '2026-12-01T00:00:00Z' },
    ]);
    expect((await fl('release', id, '--resume')).err).toContain('look, then add --done or --not-done');
    expect((await fl('release', id, '--resume', '--not-done')).code).toBe(0);
    expect(await steps()).toMatchObject([{ name: 'pay', state: 'not-done' }]);
  });

  test('--done: the step is done, with what it returned, and the run waits for its turn', async () => {
    const { id, steps } = await parkedOver(6);
    const { code, out } = await fl(
      'release',
      id,
      '--resume',
      '--done',
      '--result',
      '{"receipt":7}',
      '--json',
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      state: 'waiting',
      reason: 'slot',
      released: { by: 'ops', as: 'resume', step: { name: 'pay', done: true } },
    });
    expect(await steps()).toEqual([
      { name: 'pay', ...begun, state: 'done', at: start + 12 * hour, result: { receipt: 7 } },
    ]);
    expect((await fl('release', id, '--resume', '--done')).err).toContain('is waiting; only a parked run');
  });

  test('--not-done: the step may be begun once more, also when all is run again', async () => {
    const { id, steps } = await parkedOver(7);
    expect((await fl('release', id, '--rerun', '--not-done')).code).toBe(0);
    expect(await steps()).toMatchObject([{ name: 'pay', state: 'not-done' }]);
    expect((await fl('show', id)).out).toContain('released to run again, its step "pay" not done, by ops');
  });

  test('a second decision leaves the first one in what happened, with who made it and why', async () => {
    const { id } = await parkedOver(11);
    const note = ['--note', 'the bank has nothing'];
    expect((await fl('release', id, '--rerun', '--not-done', ...note)).code).toBe(0);
    const run = await folder.ledger.run({ jobId: invoices.id, key: id.split('#')[1] ?? '' });
    if (run === null) throw new Error(`${id} is gone`);
    const fence = { state: 'waiting', token: run.token } as const;
    const set = { state: 'parked', reason: 'crashed', attentionAt: neverNeedsAttention } as const;
    await folder.ledger.move(run, fence, { set });
    const later = start + 13 * hour;
    const { code } = await runFl(['release', id, '--fail', '--data', folder.dir], { now: later });
    expect(code).toBe(0);
    const { out } = await runFl(['show', id, '--data', folder.dir], { now: later });
    expect(out.replace(/\s+/g, ' ')).toMatch(
      /release by ops, as rerun, its step was not done: “the bank has nothing” .*released as failed by ops/,
    );
  });

  test('--fail leaves it failed, and the step as it is', async () => {
    const { id, steps } = await parkedOver(8);
    expect((await fl('release', id, '--fail')).out).toBe(`${id} is failed.\n`);
    expect(await steps()).toEqual([{ name: 'pay', ...begun }]);
  });
});

test('fl show and fl runs tell when a run is tried again, and of how many attempts this is', async () => {
  const retry = { attempts: 3, backoffMs: minute, capMs: hour };
  await folder.ledger.saveManifest({ version: 1, jobs: [{ ...invoices, retry }] });
  const due = start + 9 * hour;
  await folder.ledger.create(
    runOf(invoices, due, { state: 'retrying', reason: 'error', failures: 1, attentionAt: due + 4 * minute }),
  );
  const said = 'error: its handler threw an error; tried again at 2026-12-01 17:04 +08:00, attempt 2 of 3';
  expect((await fl('show', invoices.id, '2026-12-01T09:00:00Z')).out).toContain(said);
  expect((await fl('runs', '--state', 'retrying')).out.replace(/\s+/g, ' ')).toContain(said);
});
