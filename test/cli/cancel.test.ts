import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missedRun, noCatchUp, oneMoreWaits } from '../../functions/domain/catch-up.ts';
import type { Ledger } from '../../functions/domain/ledger.ts';
import { runId } from '../../functions/domain/names.ts';
import { queuedRun } from '../../functions/domain/queue.ts';
import type { Run } from '../../functions/domain/run.ts';
import { type Claim, claimOf, offerOf } from '../../functions/domain/start.ts';
import { hour, minute, second } from '../../functions/domain/time.ts';
import { waitForPools } from '../../functions/domain/waiting.ts';
import { type Ended, runFl } from './run-fl.ts';
import { invoices, parkedRun, type SeededFolder, seededFolder } from './seeded.ts';

const start = Date.parse('2026-12-01T00:00:00Z');
const now = start + 12 * hour;
const job = { ...invoices, overlap: 'allow', pools: { 'reports-db': 2 } } as const;
const parked = parkedRun(start + hour);
let folder: SeededFolder;

beforeAll(async () => {
  folder = await seededFolder(start);
  await folder.ledger.publishPool({ name: 'reports-db', capacity: 10 }, null);
});

afterAll(async () => {
  await folder.stop();
  folder.remove();
});

const fireAt = (hours: number) => ({
  jobId: job.id,
  fireTime: start + hours * hour,
  specId: job.specId,
});
const entryAt = (hours: number) => {
  const at = start + hours * hour + second;
  return { token: `d${hours}`, requestId: `request-${hours}`, pid: 1, now: at, remainingMs: 10 * minute };
};

const claims: Readonly<Record<string, (hours: number) => Claim>> = {
  'waits for pools': (hours) =>
    waitForPools(claimOf(job, fireAt(hours).fireTime, entryAt(hours)), entryAt(hours)),
  'waits for the slot': (hours) => queuedRun(fireAt(hours), {}, entryAt(hours)),
  'is offered': (hours) => offerOf(job, fireAt(hours), entryAt(hours)),
  'waits to be made up': (hours) => {
    const run = missedRun(fireAt(hours), { kind: 'wait' }, entryAt(hours));
    const catchUp = oneMoreWaits(noCatchUp, run, run.createdAt);
    return { run, effect: { require: { catchUp: noCatchUp }, set: { catchUp } } };
  },
};

async function put(ledger: Ledger, { run, effect }: Claim): Promise<Run> {
  expect(await ledger.create(run, effect)).toEqual({ kind: 'done' });
  return run;
}

/** Asks for a run to be canceled; `_` stands for a blank within a word. */
async function cancel(run: Pick<Run, 'jobId' | 'key'>, more = ''): Promise<Ended> {
  const words = `cancel ${runId(run)} ${more} --data ${folder.dir}`.split(' ').filter((word) => word !== '');
  return runFl(
    words.map((word) => word.replaceAll('_', ' ')),
    { now },
  );
}

/** Nobody has anything of the pool or waits for it, for the slot or to be made up. */
async function nothingTaken(ledger: Ledger): Promise<void> {
  expect((await ledger.pools(['reports-db'])).get('reports-db')).toMatchObject({
    ...{ free: 10, waiting: 0, holds: {} },
  });
  expect(await ledger.job(job.id)).toMatchObject({ queued: 0, catchUp: { waiting: 0 } });
}

describe('fl cancel', () => {
  test.each(Object.keys(claims).map((what, index) => [what, 5 + index] as const))(
    'cancels at once a run that %s, and it leaves nothing behind',
    async (what, hours) => {
      const claim = claims[what]?.(hours);
      if (claim === undefined) throw new Error(`no run ${what}`);
      const run = await put(folder.ledger, claim);
      const { code, out } = await cancel(run);
      expect({ code, out }).toEqual({ code: 0, out: `${runId(run)} is canceled.\n` });
      expect(await folder.ledger.run(run)).toMatchObject({
        ...{ state: 'canceled', reason: 'operator', settledAt: now, token: 'drawntoken' },
        cancelRequested: { at: now, by: 'ops', reason: 'operator' },
      });
      await nothingTaken(folder.ledger);
    },
  );

  test('asks a run that runs to end, once, and it keeps what it has', async () => {
    const { ledger } = folder;
    const run = await put(ledger, claimOf(job, fireAt(4).fireTime, entryAt(4)));
    const asked = await cancel(run, '--note wrong_file');
    expect(asked.code).toBe(0);
    expect(asked.out).toContain(`${runId(run)} is asked to end; it is reached within 15 s`);
    const cancelRequested = { at: now, by: 'ops', reason: 'operator', note: 'wrong file' };
    expect(await ledger.run(run)).toEqual({ ...run, cancelRequested });
    expect((await ledger.pools(['reports-db'])).get('reports-db')).toMatchObject({ free: 8 });
    const shown = await runFl(['show', runId(run), '--data', folder.dir], { now });
    expect(shown.out).toContain('why           asked to end; its code is reached within 15 s\n');
    expect(shown.out).toContain('asked to end by ops: wrong file\n');
    const again = await cancel(run);
    expect(again.code).toBe(2);
    expect(again.err).toContain('has been asked to end already');
  });

  test('tells of one whose process is probably dead when it ends, and which step nobody knows of', async () => {
    const { ledger } = folder;
    const run = await put(ledger, claimOf(job, fireAt(11).fireTime, entryAt(11)));
    const { at, requestId } = { at: now, requestId: 'request-11' };
    expect(await ledger.suspect(run, { at, requestId, why: 'killed' })).toBe(true);
    const begun = { name: 'pay', kind: 'once', state: 'begun', at, restarts: 0, token: run.token } as const;
    await ledger.writeStep(run, { state: 'running', token: run.token }, { step: begun, replaces: null });
    const end = 'its process is probably dead, so it is canceled when its lease ends, at 2026-12-01 19:';
    const { out } = await cancel(run);
    expect(out).toContain(`${runId(run)} is asked to end; ${end}`);
    expect(out).toContain('Nobody knows whether its step "pay" was done: look before');
    expect(out).not.toContain('15 s');
    const shown = await runFl(['show', runId(run), '--data', folder.dir], { now });
    expect(shown.out).toContain(`asked to end; ${end}`);
  });

  test('cancels a parked run, and answers in JSON', async () => {
    const { code, out } = await cancel(parked, '--json --note nobody_needs_it');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      ...{ state: 'canceled', reason: 'operator', settledAt: '2026-12-01T12:00:00Z' },
      cancelRequested: { at: '2026-12-01T12:00:00Z', by: 'ops', note: 'nobody needs it' },
    });
  });

  test.each([
    ['is settled', 'billing/send-invoices#2026-12-01T00:00:00Z', 'is succeeded already'],
    ['there is not', 'billing/send-invoices#2026-12-01T02:00:00Z', 'there is no run'],
    ['nothing names', 'billing/send-invoices', 'names no run: write JOB#TIME or JOB TIME'],
  ])('changes nothing of a run that %s', async (_what, name, message) => {
    const { code, out, err } = await runFl(['cancel', name, '--data', folder.dir], { now });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
});
