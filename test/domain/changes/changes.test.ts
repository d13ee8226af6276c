import { describe, expect, test } from 'vitest';
import { type Changes, changesBetween, needsLook } from '../../../functions/domain/changes/index.ts';
import type { JobEntry, Manifest, PublishedManifest } from '../../../functions/domain/manifest.ts';
import { cron, every } from '../../../functions/domain/schedule/index.ts';
import { day } from '../../../functions/domain/time.ts';
import { at, jobState, manifestJob } from '../../support/jobs.ts';

const range = { from: at('10:00'), to: at('10:00') + 7 * day };

function manifest(jobs: readonly JobEntry[], more: Partial<PublishedManifest> = {}): PublishedManifest {
  return { version: 1, jobs, ...more };
}

function between(before: PublishedManifest | null, after: Manifest, mostFires?: number): Changes {
  return changesBetween({ before, after, facts: null, range, ...(mostFires && { mostFires }) });
}

function job(id: string, of: Parameters<typeof manifestJob>[0] = {}): JobEntry {
  return manifestJob({ id, file: `${id}.ts`, schedule: cron('0 3 * * *'), ...of });
}

describe('a job that is removed and one that is added', () => {
  const old = job('billing/send-invoices', { description: 'Send the invoices of the day' });

  test.each([
    ['under another folder', job('mail/send-invoices', { description: old.description }), true],
    ['under another name', job('billing/invoices', { description: old.description }), true],
    [
      'with another description',
      job('mail/send-invoices', { description: 'Send the invoices of this day' }),
      true,
    ],
    [
      'at another time',
      job('mail/send-invoices', { description: old.description, schedule: cron('0 4 * * *') }),
      true,
    ],
    [
      'in the same file under another id',
      job('x', { file: old.file, description: 'Whatever', schedule: every('1 day') }),
      true,
    ],
    [
      'that has its schedule and nothing else',
      job('rates/pull-fx', { description: 'Exchange rates' }),
      false,
    ],
    [
      'that has nothing of it',
      job('rates/pull-fx', { description: 'Rates', schedule: every('1 hour') }),
      false,
    ],
  ])('look alike %s', (_, added, alike) => {
    const { jobs } = between(manifest([old]), manifest([added]));
    expect(jobs.map(({ lookalike }) => lookalike)).toEqual(
      alike ? [added.id, old.id] : [undefined, undefined],
    );
  });

  test('are a pair once, the most alike first', () => {
    const [a, b] = [
      job('mail/send-invoices', { description: old.description }),
      job('mail/invoices', { description: old.description }),
    ];
    const { jobs } = between(manifest([old]), manifest([a, b]));
    expect(jobs.map(({ id, lookalike }) => [id, lookalike])).toEqual([
      ['billing/send-invoices', 'mail/send-invoices'],
      ['mail/send-invoices', 'billing/send-invoices'],
      ['mail/invoices', undefined],
    ]);
  });
});

describe('what a job may do', () => {
  const of = (actions: string[], resources: string[], more: Partial<JobEntry> = {}) =>
    manifest([job('a', { permissions: [{ actions, resources }], ...more })]);
  const table = 'arn:aws:dynamodb:*:*:table/payments';

  test('grows by what no wider permission had covered', () => {
    const before = of(['dynamodb:Get*'], [table]);
    const after = of(['dynamodb:GetItem', 'dynamodb:PutItem'], [table]);
    const {
      jobs: [changed],
    } = between(before, after);
    expect(changed?.rights.granted).toEqual([{ action: 'dynamodb:PutItem', resource: table }]);
    expect(changed?.rights.withdrawn).toEqual([{ action: 'dynamodb:Get*', resource: table }]);
    expect(changed?.looks).toEqual(['rights-grow']);
  });

  test('grows by a wildcard that only another one had covered', () => {
    const changes = between(
      of(['dynamodb:GetItem'], [`${table}-?`]),
      of(['dynamodb:GetItem'], [`${table}-*`]),
    );
    expect(changes.jobs[0]?.looks).toEqual(['rights-grow']);
  });

  test('that shrinks is told, and is no reason to stop', () => {
    const changes = between(of(['dynamodb:*Item'], [table]), of(['dynamodb:GetItem'], [table]));
    expect(changes.jobs[0]?.rights.withdrawn).toHaveLength(1);
    expect(needsLook(changes)).toBe(false);
  });

  test('that is said in other words stays the same', () => {
    const after = manifest([
      job('a', {
        permissions: [
          { actions: ['dynamodb:getitem'], resources: [table] },
          { actions: ['dynamodb:PutItem'], resources: [table] },
        ],
      }),
    ]);
    const { jobs, same } = between(of(['dynamodb:PutItem', 'dynamodb:GetItem'], [table]), after);
    expect({ jobs, same }).toEqual({ jobs: [], same: 1 });
  });

  test('grows with a secret that it could not read, whatever its code calls it by', () => {
    const before = manifest([job('a', { secrets: { KEY: 'mail/key' } })]);
    const renamed = between(before, manifest([job('a', { secrets: { API_KEY: 'mail/key' } })]));
    expect(renamed.jobs[0]).toMatchObject({ options: ['secrets'], looks: [] });
    const {
      jobs: [grown],
    } = between(before, manifest([job('a', { secrets: { KEY: 'bank/key' } })]));
    expect(grown).toMatchObject({
      rights: { newSecrets: ['bank/key'], lostSecrets: ['mail/key'] },
      looks: ['rights-grow'],
    });
  });

  test('of a new job is all new; of the first deployment nothing grows', () => {
    const after = of(['s3:GetObject'], ['arn:aws:s3:::a/*']);
    expect(between(manifest([]), after).jobs[0]?.looks).toEqual(['rights-grow']);
    expect(between(null, after).jobs[0]).toMatchObject({ rights: { granted: [{}] }, looks: [] });
  });

  test('in another network is a change', () => {
    const {
      jobs: [moved],
    } = between(manifest([job('a')]), manifest([job('a', { vpc: 'main' })]));
    expect(moved).toMatchObject({ kind: 'changed', rights: { vpc: { to: 'main' } }, looks: [] });
  });
});

describe('a deployment', () => {
  test('over more stacks moves few functions, and tells which', () => {
    const ids = Array.from({ length: 40 }, (_, index) => `jobs/number-${index}`);
    const jobs = ids.map((id) => job(id));
    const {
      jobs: moved,
      jobStacks,
      same,
    } = between(manifest(jobs, { jobStacks: 4 }), { ...manifest(jobs), jobStacks: 5 });
    expect(jobStacks).toEqual({ from: 4, to: 5 });
    expect(moved.length).toBeGreaterThan(0);
    expect(moved.length).toBeLessThan(20);
    expect(
      moved.every(({ kind, stack, looks }) => kind === 'changed' && stack?.to === 5 && looks.length === 0),
    ).toBe(true);
    expect(moved.length + same).toBe(40);
  });

  test('that is the first one adds every job, and needs no person', () => {
    const changes = between(null, manifest([job('a'), job('b')]));
    expect(changes).toMatchObject({ jobs: [{ kind: 'added' }, { kind: 'added' }] });
    expect(needsLook(changes)).toBe(false);
  });

  test('of a job that was there once says so', () => {
    const before = manifest([], { removed: [{ id: 'a', timezone: 'UTC' }] });
    expect(between(before, manifest([job('a')])).jobs[0]?.returns).toBe(true);
  });

  test('by which a job is never due again is looked at; one that is started by hand never was', () => {
    const over = between(
      manifest([job('a')]),
      manifest([job('a', { schedule: { kind: 'at', local: '2026-11-30T09:00' } })]),
    );
    expect(over.jobs[0]?.looks).toEqual(['fires-vanish', 'never-due']);
    expect(between(null, manifest([job('a', { schedule: { kind: 'manual' } })])).jobs[0]?.looks).toEqual([]);
  });

  test('tells the worst first', () => {
    const before = manifest([job('a'), job('b'), job('c'), job('d')]);
    const after = manifest([
      job('a', { priority: 1, pools: { db: 1 } }),
      job('b', { schedule: cron('0 3 * * 1') }),
      job('d'),
      job('e', { description: 'Another thing' }),
    ]);
    const facts = {
      jobs: new Map([
        [
          'd',
          { state: jobState(job('d'), { paused: { at: 0, by: 'ops', note: '' } }), open: [], doubtful: [] },
        ],
      ]),
      pools: new Map(),
      durations: new Map(),
    };
    const { jobs } = changesBetween({ before, after, facts, range });
    expect(jobs.map(({ id, kind, looks: [worst] }) => [id, kind, worst])).toEqual([
      ['c', 'removed', 'job-removed'],
      ['b', 'changed', 'fires-vanish'],
      ['d', 'kept', 'stays-paused'],
      ['a', 'changed', undefined],
      ['e', 'added', undefined],
    ]);
  });

  test('of many minutely jobs is compared as far as that leads, and says how far', () => {
    const ids = Array.from({ length: 20 }, (_, index) => `jobs/number-${index}`);
    const before = manifest(ids.map((id) => job(id, { schedule: cron('* * * * *') })));
    const after = manifest(ids.map((id) => job(id, { schedule: cron('*/2 * * * *') })));
    for (const { fires } of between(before, after, 20 * 10_000).jobs) {
      expect(fires?.until).toBeGreaterThan(range.from);
      expect(fires?.until).toBeLessThan(range.to);
      expect(fires?.vanished.length).toBe(fires?.kept);
    }
  });
});
