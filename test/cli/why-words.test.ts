import { describe, expect, test } from 'vitest';
import type { HolderNow, Outlook } from '../../functions/cli/outlook.ts';
import { amountText, bytesText, percentText, timesText } from '../../functions/cli/render/amounts.ts';
import { unusualText, verdictSentences } from '../../functions/cli/render/blame-words.ts';
import { plainLook } from '../../functions/cli/render/look.ts';
import { lateSentences, outlookSentences, waitSentences } from '../../functions/cli/render/wait-words.ts';
import { whyText } from '../../functions/cli/render/why-text.ts';
import type { Suspect, Together } from '../../functions/domain/contention/blame.ts';
import type { Overlap } from '../../functions/domain/contention/overlap.ts';
import type { Attempt, Run } from '../../functions/domain/run.ts';
import { hour, minute, second } from '../../functions/domain/time.ts';
import { attempt, ran } from '../support/ran.ts';

const due = Date.parse('2026-12-01T02:00:00Z');
const other = ran('reports/daily-sales', [attempt(due, due + minute)]);
const shared = { name: 'reports-db', unit: 'reads', total: 100, own: 10, used: [] };

function suspect(together: Together | null = null): Suspect {
  return { run: other, amount: 90, share: 0.9, shared, unusual: null, together };
}

function told(beside: number, besideFailed: number, without: number, withoutFailed: number): string[] {
  const together = { beside, besideFailed, without, withoutFailed };
  return verdictSentences({ kind: 'culprit', suspect: suspect(together) }).slice(1);
}

describe('a verdict', () => {
  test('names the culprit with what it used of what, and how earlier runs beside it came out', () => {
    expect(verdictSentences({ kind: 'culprit', suspect: suspect() })).toEqual([
      'Most likely reports/daily-sales#2026-12-01T02:00:00Z: 90 % of the reads of reports-db while this run was alive, 90 of 100; its own were 10.',
    ]);
    expect(told(2, 2, 28, 0)).toEqual([
      "2 of this job's last 30 runs overlapped one of reports/daily-sales: 2 failed. Of the other 28: none.",
    ]);
    expect(told(0, 0, 6, 1)).toEqual([
      "None of this job's last 6 runs overlapped one of reports/daily-sales; 1 of them failed.",
    ]);
    expect(told(1, 0, 0, 0)).toEqual([]);
  });

  test('says why nobody can tell, and who used the most that is known of', () => {
    const unclear = { kind: 'unclear', suspect: null, unmeasured: [] } as const;
    expect(verdictSentences({ ...unclear, because: 'alone' })).toEqual([
      "Can't tell: no other run was alive while it was.",
    ]);
    expect(verdictSentences({ ...unclear, because: 'not-all-measured', unmeasured: [other] })).toEqual([
      "Can't tell: reports/daily-sales#2026-12-01T02:00:00Z has no bill, so nobody knows what was used.",
    ]);
    const together = { beside: 9, besideFailed: 1, without: 0, withoutFailed: 0 };
    expect(
      verdictSentences({ ...unclear, because: 'usual-company', suspect: suspect(together) }),
    ).toHaveLength(3);
  });
});

test('whose bill is yet to come is told so, and that it is of use to ask again', () => {
  const unclear = { kind: 'unclear', because: 'not-all-measured', suspect: null } as const;
  const running = { ...other, state: 'running' } as const;
  expect(verdictSentences({ ...unclear, unmeasured: [running] })).toEqual([
    "Can't tell yet: reports/daily-sales#2026-12-01T02:00:00Z still runs (its bill is written when it ends); ask again then.",
  ]);
  expect(verdictSentences({ ...unclear, unmeasured: [running, other] })[0]).toMatch(
    /^Can't tell: .* still runs .*; .* has no bill/,
  );
});

test('beside a run that still runs nothing is called unshared, and no part of a whole is told', () => {
  const running = { ...other, state: 'running' } as const;
  const failed = ran('reports/light', [attempt(due, due + minute)], { state: 'failed', fireTime: due });
  const told = (overlap: Pick<Overlap, 'inCommon' | 'mayShare'>) =>
    whyText(
      {
        ...{ run: failed, waits: [], slotHeldBy: [], outlook: null, unusual: [], earlier: [], now: due },
        ...{
          overlaps: [{ run: running, ms: minute, isUnmeasured: true, ...overlap }],
          capacities: new Map(),
        },
        ...{ shared: overlap.mayShare ? [] : [{ ...shared, total: 10 }], verdict: null },
      },
      { job: { timezone: 'UTC' }, look: plainLook(200) },
    );
  expect(told({ inCommon: [], mayShare: true })).toContain(
    "What the other has in common with it can't be told yet: reports/daily-sales#2026-12-01T02:00:00Z still runs (its bill is written when it ends).",
  );
  expect(told({ inCommon: ['reports-db'], mayShare: false })).toMatch(/\n\(itself\) +10$/);
});

describe('what came before the last attempt', () => {
  const ends = (outcome: Attempt['outcome'], number: number) =>
    attempt(due + number * minute, due + number * minute + second, { number, ...(outcome && { outcome }) });
  const told = (run: Run) =>
    whyText(
      {
        ...{ run, waits: [], slotHeldBy: [], outlook: null, unusual: [], earlier: [], now: due + hour },
        ...{ overlaps: [], capacities: new Map(), shared: [], verdict: null },
      },
      { job: { timezone: 'UTC', attempts: 3 }, look: plainLook(200) },
    );

  test('is told of a run that is tried again, and of how many attempts the next one is', () => {
    const again = { state: 'retrying', reason: 'error', failures: 1, attentionAt: due + 5 * minute } as const;
    expect(told(ran('rates/pull', [ends('failed', 1)], again))).toContain(
      'error: its handler threw an error; tried again at 2026-12-01 02:05 UTC, attempt 2 of 3.',
    );
  });

  test('of a crash is no length of its lease: its process had died before, and somebody may have told when', () => {
    const crash = { outcome: 'crashed', leaseUntil: due + 3 * minute } as const;
    const suspected = { at: due + 500, why: 'killed', requestId: 'request' };
    const of = { state: 'parked', reason: 'crashed', crashes: 1 } as const;
    expect(told(ran('rates/pull', [attempt(due, due + 3 * minute, { ...crash, suspected })], of))).toContain(
      'ran from 02:00:00; its process had died by 02:00:00, within 0.5 s; its lease was over at 02:03:00.',
    );
    expect(told(ran('rates/pull', [attempt(due, due + 3 * minute, crash)], of))).toContain(
      'ran from 02:00:00; its lease was over at 02:03:00, and its process had died before.',
    );
  });

  test('is a park and a release where a person has had it run again', () => {
    const released = { at: due + 90 * second, by: 'ops', as: 'resume' } as const;
    const text = told(
      ran('rates/pull', [ends('failed', 1), ends('failed', 2), ends('succeeded', 3)], { released }),
    );
    expect(text).toContain('Attempt 1 failed after 1.0 s; then it was parked, and ops released it.');
    expect(text).toContain('Attempt 2 failed after 1.0 s; then it was tried again.');
  });

  test('is no running again where its code asked to go on', () => {
    const attempts = [ends('continued', 1), ends('crashed', 2), ends('continued', 3), ends('succeeded', 4)];
    const text = told(ran('rates/pull', attempts, { hops: 2, crashes: 1 }));
    const anew = told(ran('rates/pull', attempts, { hops: 2, crashes: 1, restarts: 1 }));
    expect(anew).toContain('and it had not settled; then it was run again.');
    expect(text).toContain('and ran in 4 attempts, the last 02:04:00–02:04:01, 1.0 s.');
    expect(text.match(/^ {2}(?:ran again|went on).*(?:\n {3}.*)*$/gm)).toEqual([
      '  ran again  Attempt 2 crashed: its lease ended, and it had not settled; then it was resumed.',
      '  went on    It went on in another attempt 2 times, as its code asked.',
    ]);
  });
});

test('what was unusual is told with its factor and the median', () => {
  const of = { value: 9 * minute, median: 3 * minute, samples: 30 };
  expect(unusualText({ quantity: { of: 'duration' }, ...of })).toBe(
    "9 min of running, 3.0 times the median of its job's last 30 successes (3 min)",
  );
  expect(unusualText({ quantity: { of: 'wait' }, ...of, median: 0 })).toBe(
    "9 min of waiting; of its job's last 30 successes at least half had none",
  );
});

describe('a wait', () => {
  const at = { timezone: 'UTC', now: due };

  test('for a turn to be made up is behind nobody', () => {
    const wait = { reason: 'catch-up', from: due, until: due + minute, isOver: true } as const;
    expect(waitSentences([{ wait, behind: [] }], at)).toEqual([
      'It waited 1 min for its turn to be made up, from 2026-12-01 02:00 UTC on.',
    ]);
  });

  test('of an instant behind nobody is the hand-over of its place, and not told', () => {
    const wait = { reason: 'slot', from: due, until: due + 100, isOver: true } as const;
    const behind = [{ run: other, weights: {}, heldMs: 100 }];
    expect(waitSentences([{ wait, behind: [] }], at)).toEqual([]);
    expect(waitSentences([{ wait, behind }], at)).toHaveLength(1);
    const still = { ...wait, isOver: false };
    expect(waitSentences([{ wait: still, behind: [] }], at)).toHaveLength(1);
    const longer = { ...wait, until: due + 2 * second };
    expect(waitSentences([{ wait: longer, behind: [] }], at)).toHaveLength(1);
  });

  test('names five of those that it was behind, and says when none is known', () => {
    const wait = { reason: 'pool', from: due, until: due + minute, pools: { db: 2 }, isOver: false } as const;
    const holder = { run: other, weights: { db: 1 }, heldMs: minute };
    const [text] = waitSentences([{ wait, behind: Array(7).fill(holder) }], at);
    expect(text?.match(/which had db \(1\) for 1 min of that/g)).toHaveLength(5);
    expect(text).toMatch(/; and 2 others\.$/);
    expect(waitSentences([{ wait, behind: [] }], at)).toEqual([
      'It has waited 1 min for db (2), since 2026-12-01 02:00 UTC; no run is known that had it then.',
    ]);
  });
});

describe('how things stand for a waiting run', () => {
  const holder: HolderNow = {
    ...{ run: other, weights: {}, since: due, until: due + hour, usualMs: hour, bound: null },
  };
  const outlook: Outlook = {
    ...{ position: 2, of: 3, lacks: [], holders: [holder], at: due + 90 * minute, paused: null },
  };
  const at = { timezone: 'UTC', now: due };

  test('is its place, who has what it waits for, and when its turn should come', () => {
    expect(outlookSentences(outlook, at)).toEqual([
      'It is number 2 of 3 in the order.',
      'reports/daily-sales#2026-12-01T02:00:00Z has the slot since 2026-12-01 02:00 UTC; it should end in 1 h.',
      'Its turn should come about 2026-12-01 03:30 UTC, in 1 h 30 min, if they take as long as they usually do.',
    ]);
    expect(outlookSentences({ ...outlook, at: due + second }, at).at(-1)).toContain('within a minute');
  });

  test('is bounded by who has it: its timeout, and of a dead one the end of its lease', () => {
    const told = (more: Partial<HolderNow>) => {
      const holders = [{ ...holder, until: null, usualMs: null, ...more }];
      return outlookSentences({ ...outlook, holders }, { ...at, now: due + 70 * second })[1];
    };
    expect(told({ usualMs: 20 * second, bound: { at: due + 5 * minute, by: 'timeout' } })).toMatch(
      /; usually 20 s, running 1 min 10 s; at the latest 2026-12-01 02:05 UTC, its timeout\.$/,
    );
    const suspected = { at: due, requestId: 'request-1', why: 'killed' };
    expect(told({ run: { ...other, suspected }, bound: { at: due + 6 * minute, by: 'lease' } })).toMatch(
      /; it is suspected dead; how long it takes is not known, running 1 min 10 s; at the latest 2026-12-01 02:06 UTC, when its lease ends\.$/,
    );
  });

  test('isn’t foreseen where nobody knows how long others take, nor while its job is paused', () => {
    const unknown = { ...outlook, at: null, holders: [{ ...holder, until: null }] };
    expect(outlookSentences(unknown, at).slice(1)).toEqual([
      expect.stringMatching(/; usually 1 h, running 0.0 s\.$/),
      expect.stringMatching(/^When its turn comes can't be told/),
    ]);
    const paused = { at: due, by: 'ops', note: 'stock is \u001b[31mcounted' };
    expect(outlookSentences({ ...outlook, paused }, at).at(-1)).toBe(
      'Its job is paused since 2026-12-01 02:00 UTC by ops (stock is \\u{1b}[31mcounted): nothing of it is started until it is resumed.',
    );
  });
});

test('a late start is told with what the time went into; one within a minute is not late', () => {
  const late = ran('a', [attempt(due + 10 * minute, due + 11 * minute)], {
    ...{ fireTime: due, createdAt: due + 4 * minute, trigger: 'backfill' },
  });
  const wait = { reason: 'catch-up', from: due + 4 * minute, until: due + 9 * minute, isOver: true } as const;
  expect(lateSentences(late, [{ wait }])).toEqual([
    'It started 10 min after it was due: 4 min until it was recorded as missed, 5 min of waiting, 1 min until its code began.',
  ]);
  expect(lateSentences(ran('a', [attempt(due + 59 * second, due + minute)], { fireTime: due }), [])).toEqual(
    [],
  );
});

test('amounts keep what tells them apart', () => {
  expect([0.05, 2.5, 99.999, 84_000.4].map(amountText)).toEqual(['0.05', '2.5', '100', '84,000']);
  expect([0, 999, 1_000, 3_140_000, 2e9].map(bytesText)).toEqual([
    '0 B',
    '999 B',
    '1.0 KB',
    '3.1 MB',
    '2.0 GB',
  ]);
  expect([0, 0.004, 0.5, 0.996, 1].map(percentText)).toEqual(['0 %', '< 1 %', '50 %', '> 99 %', '100 %']);
  expect([2.44, 14.2].map(timesText)).toEqual(['2.4 times', '14 times']);
});
