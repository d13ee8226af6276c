import { describe, expect, test } from 'vitest';
import type { ManifestJob } from '../../functions/domain/manifest.ts';
import { cron, type Schedule, type Spec } from '../../functions/domain/schedule/index.ts';
import { day, hour, minute, second } from '../../functions/domain/time.ts';
import { auditLedger } from '../../functions/store/audit-ledger.ts';
import { Deployment, startsOf } from '../support/deployment.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { take } from '../support/reconciler.ts';

const skip = { policy: 'skip', limit: 100, maxAgeMs: 7 * day, ratePerMinute: 10 } as const;
/** Missed fires are not made up, so that a lost one shows. */
const due = (schedule: Schedule, more: Partial<ManifestJob> & { timezone?: string } = {}) =>
  manifestJob({ schedule, missed: skip, ...more });
const jobId = manifestJob().id;

const three = due(cron('0 3 * * *'));
const threeAndNine = due(cron('0 3,9 * * *'));
const four = due(cron('0 4 * * *'));

async function deployed(job: ManifestJob, now = at('02:00:05'), code?: () => unknown): Promise<Deployment> {
  const made = new Deployment(now, [job], code);
  await made.sweepAt(now);
  return made;
}

async function sweepEachMinute(made: Deployment, from: number, to: number): Promise<void> {
  for (let now = from; now <= to; now += minute) await made.sweepAt(now);
}

describe('the jobs’ stack is deployed, the reconciler’s is not yet', () => {
  test('a fire of both versions runs: its delivery is refused, and the next sweep offers it', async () => {
    const made = await deployed(three);
    made.deployFunctions([threeAndNine]);
    expect(await made.alarmAt(jobId, at('03:00'), at('03:00:02'))).toMatchObject({ outcome: 'stray' });
    await made.sweepAt(at('03:00:04'));
    expect(await made.world.lines()).toEqual(['03:00 succeeded']);
    made.deployReconciler([threeAndNine]);
    await made.sweepAt(at('03:05:04'));
    expect(startsOf(made, jobId, at('03:00'))).toEqual([at('03:00:04')]);
  });

  test('a fire of the new version alone is not expected yet, and doesn’t run', async () => {
    const made = await deployed(three);
    made.deployFunctions([four]);
    made.world.now = at('04:00:02');
    await sweepEachMinute(made, at('02:59:05'), at('03:59:05'));
    expect(await made.alarmAt(jobId, at('04:00'), at('04:00:02'))).toMatchObject({ outcome: 'stray' });
    made.deployReconciler([four]);
    await made.sweepAt(at('04:00:05'));
    expect(await made.alarmAt(jobId, at('04:00'), at('04:00:09'))).toMatchObject({ outcome: 'stray' });
    await made.sweepAt(at('04:01:05'));
    expect((await made.world.runs()).map((run) => run.key.slice(11, 16))).toEqual(['03:00']);
    expect(made.started).toEqual([]);
  });

  test('a job that the reconciler doesn’t know yet starts nothing, and is owed nothing', async () => {
    const made = new Deployment(at('02:59:05'), []);
    await made.sweepAt(at('02:59:05'));
    made.deployFunctions([three]);
    expect(await made.alarmAt(jobId, at('03:00'))).toMatchObject({ outcome: 'stray' });
    made.deployReconciler([three]);
    await made.sweepAt(at('03:00:05'));
    expect(await made.alarmAt(jobId, at('03:00'), at('03:00:09'))).toMatchObject({ outcome: 'stray' });
    expect(await made.world.lines()).toEqual([]);
  });
});

describe('the reconciler’s stack is deployed, the jobs’ is not yet', () => {
  test('a fire of both versions runs, however long that lasts', async () => {
    const made = await deployed(three);
    made.deployReconciler([threeAndNine]);
    await made.sweepAt(at('02:59:05'));
    for (const fire of [at('03:00'), at('03:00') + day]) {
      expect(await made.alarmAt(jobId, fire, fire + 2 * second)).toMatchObject({ outcome: 'stray' });
      await made.sweepAt(fire + 4 * second);
      expect(startsOf(made, jobId, fire)).toEqual([fire + 4 * second]);
    }
  });

  test('a fire of the old version alone doesn’t run', async () => {
    const made = await deployed(three);
    made.deployReconciler([four]);
    await made.sweepAt(at('02:59:05'));
    expect(await made.alarmAt(jobId, at('03:00'))).toMatchObject({ outcome: 'stray' });
    await sweepEachMinute(made, at('03:00:05'), at('03:10:05'));
    expect(await made.world.lines()).toEqual([]);
  });

  test('a fire of the new version alone has no alarm yet: it is swept', async () => {
    const made = await deployed(three);
    made.deployReconciler([four]);
    await sweepEachMinute(made, at('03:30:05'), at('04:05:05'));
    expect((await made.world.lines()).at(-1)).toBe('04:00 succeeded');
    expect(startsOf(made, jobId, at('04:00'))).toEqual([at('04:01:05')]);
  });

  test('an old function that is rung for a removed job starts nothing', async () => {
    const made = await deployed(three);
    made.deployReconciler([]);
    await made.sweepAt(at('02:59:05'));
    expect(await made.alarmAt(jobId, at('03:00'))).toMatchObject({ outcome: 'stray' });
    await made.sweepAt(at('03:10'));
    expect(await made.world.lines(jobId)).toEqual([]);
  });
});

describe('one intent is not run twice', () => {
  test('an old fire that waits to be made up is skipped when the schedule was moved meanwhile', async () => {
    const made = await deployed(manifestJob({ schedule: cron('0 3 * * *') }));
    await made.world.sweepAt(at('03:03:05'));
    expect(await made.world.lines()).toEqual(['03:00 waiting catch-up']);
    made.deployReconciler([manifestJob({ schedule: cron('0 4 * * *') })]);
    made.deployFunctions(made.world.jobs);
    await made.sweepAt(at('03:04:05'));
    expect(await made.world.lines()).toEqual(['03:00 skipped edited']);
    expect((await made.world.ledger.job(jobId))?.catchUp).toMatchObject({ waiting: 0 });
    await made.alarmAt(jobId, at('04:00'));
    expect(made.started).toHaveLength(1);
  });

  test('under `latest` one that stands for fires from before the doubtful hour is made up all the same', async () => {
    const latest = { ...skip, policy: 'latest' } as const;
    const made = await deployed(due(cron('0 * * * *'), { missed: latest }), at('00:30'));
    await made.world.sweepAt(at('03:30'));
    made.deployReconciler([due(cron('30 * * * *'), { missed: latest })]);
    made.deployFunctions(made.world.jobs);
    await made.sweepAt(at('03:31'));
    expect(await made.world.lines()).toEqual([
      '01:00 skipped superseded',
      '02:00 skipped superseded',
      '03:00 succeeded',
    ]);
  });

  test('under `latest` one that stands for nothing else is skipped', async () => {
    const latest = { ...skip, policy: 'latest' } as const;
    const made = await deployed(due(cron('0 * * * *'), { missed: latest }), at('02:30'));
    await made.world.sweepAt(at('03:30'));
    made.deployReconciler([due(cron('30 4 * * *'), { missed: latest })]);
    await made.sweepAt(at('03:31'));
    expect(await made.world.lines()).toEqual(['03:00 skipped edited']);
  });

  test('a fire that ran just before its time was moved by minutes is not run again at the new one', async () => {
    const made = await deployed(three);
    await made.alarmAt(jobId, at('03:00'));
    made.deployReconciler([due(cron('2 3 * * *'))]);
    made.deployFunctions(made.world.jobs);
    await made.sweepAt(at('03:02:05'));
    expect(await made.alarmAt(jobId, at('03:02'), at('03:02:10'))).toMatchObject({ outcome: 'stray' });
    await made.sweepAt(at('03:06'));
    expect(await made.world.lines()).toEqual(['03:00 succeeded']);
  });
});

describe('an offer that nobody took', () => {
  const edited = (schedule: Schedule) => manifestJob({ schedule, missed: { ...skip, policy: 'all' } });

  async function offered(fire: number): Promise<Deployment> {
    const made = await deployed(edited(cron('0 3 * * *')), fire - minute);
    await made.world.sweepAt(fire + 4 * minute);
    await made.world.sweepAt(fire + 4 * minute + 5 * second);
    expect(await made.world.lines()).toEqual(['03:00 offered']);
    return made;
  }

  test('is withdrawn when the schedule moves its fire within the doubtful hour, and its slot is free', async () => {
    const made = await offered(at('03:00'));
    made.deployReconciler([edited(cron('0 4 * * *'))]);
    await made.sweepAt(at('03:05'));
    expect(await made.world.lines()).toEqual(['03:00 skipped edited']);
    expect(await made.world.ledger.job(jobId)).not.toHaveProperty('slot');
    const [offer] = made.world.invoked;
    if (offer === undefined) throw new Error('no offer');
    await expect(take(made.world, offer, edited(cron('0 3 * * *')))).rejects.toThrow('the offer was gone');
  });

  test('stands when the new schedule has its fire too, and when it is older', async () => {
    const both = await offered(at('03:00'));
    both.deployReconciler([edited(cron('0 3,4 * * *'))]);
    await both.world.sweepAt(at('03:05'));
    expect(await both.world.lines()).toEqual(['03:00 offered']);
    const older = await offered(at('03:00'));
    older.deployReconciler([edited(cron('0 4 * * *'))]);
    await older.world.sweepAt(at('04:00') + 1);
    expect(await older.world.lines()).toEqual(['03:00 offered']);
  });
});

describe('a deploy half-way through a fire', () => {
  test.each([
    ['edited', [four]],
    ['removed', []],
  ] as const)('lets the attempt of a job that was %s end as it does', async (_what, jobs) => {
    let end: (value?: unknown) => void = () => undefined;
    const work = new Promise((resolve) => {
      end = resolve;
    });
    const made = await deployed(three, undefined, () => work);
    const attempt = made.alarmAt(jobId, at('03:00'));
    await Promise.resolve();
    made.deployReconciler(jobs);
    made.deployFunctions(jobs);
    await made.sweepAt(at('03:01:05'));
    expect(await made.world.lines(jobId)).toEqual(['03:00 running']);
    end();
    expect(await attempt).toMatchObject({ outcome: 'succeeded' });
    expect(await made.world.ledger.job(jobId)).not.toHaveProperty('slot');
    if (jobs.length > 0)
      expect(await made.alarmAt(jobId, at('04:00'))).toMatchObject({ outcome: 'succeeded' });
  });
});

describe('a rollback', () => {
  async function rolledBack(back: number): Promise<Deployment> {
    const made = await deployed(three);
    const [a, b] = [[three], [four]];
    made.deployReconciler(b);
    made.deployFunctions(b);
    await made.sweepAt(at('02:50:05'));
    await sweepEachMinute(made, at('02:51:05'), back - minute);
    made.deployReconciler(a);
    made.deployFunctions(a);
    await made.sweepAt(back);
    return made;
  }

  test('before the fire that both moved runs it once, at its old time', async () => {
    const made = await rolledBack(at('02:55:05'));
    expect(await made.alarmAt(jobId, at('03:00'))).toMatchObject({ outcome: 'succeeded' });
    await sweepEachMinute(made, at('03:01:05'), at('04:10:05'));
    expect(await made.world.lines()).toEqual(['03:00 succeeded']);
  });

  test('between the old time and the new one imagines no past', async () => {
    const made = await rolledBack(at('03:30:05'));
    await sweepEachMinute(made, at('03:31:05'), at('04:10:05'));
    expect(await made.world.lines()).toEqual([]);
    expect(await made.alarmAt(jobId, at('03:00') + day)).toMatchObject({ outcome: 'succeeded' });
  });

  test('keeps each stretch in the history', async () => {
    const made = await rolledBack(at('03:30:05'));
    const history = (await made.world.ledger.specs(jobId)).map(({ specId, from }) => [specId, from]);
    expect(history).toEqual([
      [three.specId, at('02:00:05')],
      [four.specId, at('02:50:05')],
      [three.specId, at('03:30:05')],
    ]);
  });
});

describe('a file that moved', () => {
  test('with its old id is the same job: no new version, its history and its slot are its own', async () => {
    const made = await deployed(three);
    await made.alarmAt(jobId, at('03:00'));
    made.deployReconciler([{ ...three, file: 'finance/invoices.ts' }]);
    made.deployFunctions(made.world.jobs);
    await made.sweepAt(at('04:00'));
    expect(await made.world.ledger.specs(jobId)).toHaveLength(1);
    expect((await made.world.ledger.manifest())?.jobs[0]?.file).toBe('finance/invoices.ts');
    await made.alarmAt(jobId, at('03:00') + day);
    expect(await made.world.lines()).toEqual(['03:00 succeeded', '03:00 succeeded']);
  });

  test('without it is another job: the old one is removed, the new one is owed nothing', async () => {
    const made = await deployed(three);
    const moved = { ...three, id: 'finance/invoices' };
    made.deployReconciler([moved]);
    made.deployFunctions([moved]);
    await made.sweepAt(at('03:00:05'));
    await sweepEachMinute(made, at('03:01:05'), at('03:10:05'));
    expect(await made.world.lines(jobId)).toEqual(['03:00 canceled removed']);
    expect(await made.world.lines(moved.id)).toEqual([]);
  });
});

describe('a job that comes back', () => {
  test('has all of its limit for missed fires again', async () => {
    const job = manifestJob({ missed: { ...skip, policy: 'all', limit: 3 } });
    const made = await deployed(job);
    await made.world.sweepAt(at('02:07'));
    made.deployReconciler([]);
    await made.sweepAt(at('02:08'));
    made.deployReconciler([job]);
    await made.sweepAt(at('03:00:30'));
    expect((await made.world.ledger.job(jobId))?.catchUp).toEqual({ waiting: 0, minute: 0, admitted: 0 });
    await made.world.sweepAt(at('03:07'));
    const back = (await made.world.runs()).filter((run) => run.fireTime > at('03:00'));
    expect(back.map((run) => run.reason)).toEqual(['catch-up', 'catch-up', 'catch-up']);
  });

  test('was excluded when it left: a fire of its last minute is recorded as such', async () => {
    const spec: Spec = { schedules: [cron('0 3 * * *')], timezone: 'UTC', except: ['2026-12-01'] };
    const made = await deployed(manifestJob({ spec }));
    made.deployReconciler([]);
    await made.sweepAt(at('03:00:05'));
    expect(await made.world.lines(jobId)).toEqual(['03:00 skipped excluded']);
  });
});

test('a zone that changed moves the fires from then on, and none of before', async () => {
  const taipei = due(cron('0 11 * * *'), { timezone: 'Asia/Taipei' });
  const tokyo = due(cron('0 11 * * *'), { timezone: 'Asia/Tokyo' });
  const made = await deployed(taipei);
  await made.alarmAt(jobId, at('03:00'));
  made.deployReconciler([tokyo]);
  made.deployFunctions([tokyo]);
  await sweepEachMinute(made, at('03:05:05'), at('03:15:05'));
  await made.alarmAt(jobId, at('02:00') + day);
  await made.sweepAt(at('03:10') + day);
  expect((await made.world.runs()).map((run) => [run.key, run.state])).toEqual([
    ['2026-12-01T03:00:00Z', 'succeeded'],
    ['2026-12-02T02:00:00Z', 'succeeded'],
  ]);
  const audited = await auditLedger(made.world.ledger, [jobId], { from: at('02:00'), to: at('03:00') + day });
  expect(audited).toMatchObject({ expected: 2, recorded: 2, extra: [] });
});

test('a schedule that can’t be put in force stops no other; the one before stays until it can', async () => {
  const other = due(cron('0 5 * * *'), { id: 'other' });
  const made = new Deployment(at('02:00:05'), [three, other]);
  await made.sweepAt(at('02:00:05'));
  const { publish } = made.world.ledger;
  let broken = true;
  made.world.ledger.publish = (version, replaces) =>
    broken && version.jobId === jobId
      ? Promise.reject(new Error('throttled'))
      : publish.call(made.world.ledger, version, replaces);
  made.deployReconciler([four, due(cron('0 6 * * *'), { id: 'other' })]);
  await made.sweepAt(at('02:01:05'));
  expect(made.world.problems).toEqual(['a schedule could not be put in force']);
  expect(await made.world.ledger.specs('other')).toHaveLength(2);
  await made.sweepAt(at('03:10'));
  expect(await made.world.lines()).toEqual(['03:00 missed policy']);
  broken = false;
  await made.sweepAt(at('03:11'));
  expect((await made.world.ledger.job(jobId))?.specId).toBe(four.specId);
  await made.sweepAt(at('03:11') + hour);
  expect(await made.world.lines()).toHaveLength(2);
});
