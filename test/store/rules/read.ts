import { expect, it } from 'vitest';
import type { Run } from '../../../functions/domain/run.ts';
import { neverNeedsAttention } from '../../../functions/domain/run.ts';
import { all, fireTime, jobId, record } from '../../support/ledger-records.ts';
import type { Opener } from '../conformance.ts';

const minute = 60_000;
const hour = 60 * minute;

function manual(at: number, nonce: string): Run {
  const plain = record(at, { trigger: 'manual' });
  return { ...plain, key: `${plain.key}~manual-${nonce}` };
}

function openRun(at: number, attentionAt: number): Run {
  return record(at, { state: 'waiting', reason: 'catch-up', attentionAt });
}

export function readRules(open: Opener): void {
  it('reads 250 runs at once, each once, without those that are not there', async () => {
    const { ledger } = await open();
    const runs = Array.from({ length: 250 }, (_, n) => record(fireTime + n * minute));
    const kept = runs.filter((_, n) => n % 5 !== 0);
    await Promise.all(kept.map((run) => ledger.create(run)));
    expect(await ledger.runs([...runs, ...runs.slice(0, 20)])).toEqual(kept);
    expect(await ledger.runs([])).toEqual([]);
  });

  it("tells a job's history in the order of its fires, manual runs at their instant", async () => {
    const { ledger } = await open();
    const runs = [
      record(fireTime - hour),
      record(fireTime),
      manual(fireTime, 'a1'),
      manual(fireTime, 'zz'),
      record(fireTime + hour),
    ];
    for (const run of [...runs].reverse()) await ledger.create(run);
    await ledger.create({ ...record(fireTime), jobId: 'billing/send-invoices-again' });
    const range = { from: fireTime - hour, to: fireTime + hour };
    expect(await all(ledger.history(jobId, range))).toEqual(runs);
    const newest = ledger.history(jobId, { ...range, order: 'newest-first' });
    expect(await all(newest)).toEqual([...runs].reverse());
  });

  it('counts both ends of a range in, to the millisecond', async () => {
    const { ledger } = await open();
    const runs = [
      record(fireTime - minute),
      record(fireTime),
      manual(fireTime, 'z9'),
      record(fireTime + minute),
    ];
    for (const run of runs) await ledger.create(run);
    const keys = async (from: number, to: number) =>
      (await all(ledger.history(jobId, { from, to }))).map(({ key }) =>
        runs.findIndex((run) => run.key === key),
      );
    expect(await keys(fireTime, fireTime)).toEqual([1, 2]);
    expect(await keys(fireTime + 1, fireTime + minute)).toEqual([3]);
    expect(await keys(fireTime - minute, fireTime - 1)).toEqual([0]);
    expect(await keys(0, neverNeedsAttention)).toEqual([0, 1, 2, 3]);
    expect(await keys(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)).toEqual([0, 1, 2, 3]);
    expect(await keys(fireTime + 1, fireTime)).toEqual([]);
  });

  it('gives at most so many runs of a history', async () => {
    const { ledger } = await open();
    const runs = Array.from({ length: 9 }, (_, n) => record(fireTime + n * minute));
    for (const run of runs) await ledger.create(run);
    const range = { from: fireTime, to: fireTime + hour };
    expect(await all(ledger.history(jobId, { ...range, limit: 4 }))).toEqual(runs.slice(0, 4));
    const newest = { ...range, limit: 1, order: 'newest-first' } as const;
    expect(await all(ledger.history(jobId, newest))).toEqual(runs.slice(-1));
  });

  it('pages through a history that is larger than one answer', { timeout: 60_000 }, async () => {
    const { ledger } = await open();
    const runs = Array.from({ length: 24 }, (_, n) =>
      record(fireTime + n * minute, { result: `${n}`.padEnd(100_000, 'x') }),
    );
    for (const run of runs) await ledger.create(run);
    const read = await all(ledger.history(jobId, { from: fireTime, to: fireTime + hour }));
    expect(read.map(({ key }) => key)).toEqual(runs.map(({ key }) => key));
  });

  it('lists the open runs that are due, soonest first', async () => {
    const { ledger } = await open();
    const runs = Array.from({ length: 20 }, (_, n) => openRun(fireTime + n * minute, 1_000 + ((n * 7) % 20)));
    await Promise.all(runs.map((run) => ledger.create(run)));
    await ledger.create(record(fireTime - minute));
    const due = [...runs]
      .sort((a, b) => (a.attentionAt ?? 0) - (b.attentionAt ?? 0))
      .map(({ key, attentionAt }) => ({ jobId, key, attentionAt }));
    expect(await ledger.open(2_000, 100)).toEqual(due);
    expect(await ledger.open(1_009, 100)).toEqual(due.slice(0, 10));
    expect(await ledger.open(2_000, 3)).toEqual(due.slice(0, 3));
    expect(await ledger.open(999, 100)).toEqual([]);
    expect(await ledger.open(1_009, 100, 1_003)).toEqual(due.slice(3, 10));
    expect(await ledger.open(1_009, 2, 1_003)).toEqual(due.slice(3, 5));
  });

  it('follows a run from instant to instant, and forgets it once it is settled', async () => {
    const { ledger } = await open();
    const run = openRun(fireTime, 1_000);
    await ledger.create(run);
    const fence = { state: 'waiting', token: run.token } as const;
    await ledger.move(run, fence, { set: { state: 'offered', attentionAt: 5_000 } });
    expect(await ledger.open(4_999, 10)).toEqual([]);
    expect(await ledger.open(5_000, 10)).toEqual([{ jobId, key: run.key, attentionAt: 5_000 }]);
    const parked = { set: { state: 'parked', attentionAt: neverNeedsAttention } } as const;
    await ledger.move(run, { ...fence, state: 'offered' }, parked);
    expect(await ledger.open(neverNeedsAttention - 1, 10)).toEqual([]);
    expect(await ledger.open(neverNeedsAttention, 10)).toEqual([
      { jobId, key: run.key, attentionAt: neverNeedsAttention },
    ]);
    const settled = { set: { state: 'failed' }, clear: ['attentionAt'] } as const;
    await ledger.move(run, { ...fence, state: 'parked' }, settled);
    expect(await ledger.open(neverNeedsAttention, 10)).toEqual([]);
  });
}
