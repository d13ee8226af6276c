import { describe, expect, test } from 'vitest';
import { runId } from '../../functions/domain/names.ts';
import type { Message } from '../../functions/domain/notices/message.ts';
import { releaseRun } from '../../functions/domain/release.ts';
import type { Run } from '../../functions/domain/run.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import { day, hour, minute, second } from '../../functions/domain/time.ts';
import { handleReconcile } from '../../functions/reconciler/handle.ts';
import { compileOnce } from '../../functions/reconciler/observe.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { deliver, end, take, World } from '../support/reconciler.ts';

const usual = { id: 'reports/daily', graceMs: 6 * hour, overlap: 'allow' } as const;
const job = manifestJob(usual);
const compiled = compileOnce();
const error = { name: 'TypeError', message: 'the bank said no' };

async function deployed(of: Parameters<typeof manifestJob>[0] = {}): Promise<World> {
  const world = new World(at('11:59:30'), [manifestJob({ ...usual, ...of })]);
  await world.sweep();
  return world;
}

/** A fire whose attempt failed for good, or does not know about a step. */
async function ends(world: World, fireTime: number, kind: 'failed' | 'uncertain' = 'failed'): Promise<Run> {
  const [only = job] = world.jobs;
  const run = await deliver(world, only, fireTime);
  const outcome = kind === 'failed' ? { kind, error } : { kind, error, step: 'charge' };
  await end(world, run, outcome);
  return run;
}

/** The reconciler's function gets these messages. */
function receive(world: World, ...bodies: readonly unknown[]) {
  const Records = bodies.map((body, n) => ({
    messageId: `m-${n}`,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }));
  const manifest = { version: 1, jobs: world.jobs, pools: world.pools } as const;
  return handleReconcile({ Records }, manifest, { compiled, remainingMs: () => 60_000, ports: world.ports });
}

function noticeOf({ jobId, key }: Run) {
  return { fireledger: 'notice', jobId, run: key };
}

const subjects = ({ letters }: World) => letters.map(({ subject }) => subject);

describe('a run that an attempt announces', () => {
  test('is told as its record says: what failed, and what to run', async () => {
    const world = await deployed();
    await receive(world, noticeOf(await ends(world, at('12:00'))));
    expect(subjects(world)).toEqual(['[fireledger prod] failed: reports/daily']);
    expect(world.letters[0]?.text).toMatch(/^reports\/daily failed for good: TypeError: the bank said no\n/);
    expect(world.letters[0]?.text).toContain(
      '\n  npm run -s fl -- why reports/daily#2026-12-01T12:00:00Z --stage prod\n',
    );
  });

  test('is told as parked when it does not know about a step', async () => {
    const world = await deployed();
    await receive(world, noticeOf(await ends(world, at('12:00'), 'uncertain')));
    expect(world.letters[0]?.text).toContain('nobody knows whether its step "charge" was done');
  });

  test('is not told when it is neither failed nor parked, nor when there is no such run', async () => {
    const world = await deployed();
    const running = await deliver(world, job, at('12:00'));
    await receive(world, noticeOf(running), { fireledger: 'notice', jobId: 'no/such', run: running.key });
    expect(world.letters).toEqual([]);
  });

  test('is not told of when a person has just decided that it failed', async () => {
    const world = await deployed();
    const run = await ends(world, at('12:00'), 'uncertain');
    const parked = await world.ledger.run(run);
    const decided = parked && releaseRun(parked, 'fail', { by: 'ada', token: 'p', now: world.now });
    if (decided?.kind !== 'write') throw new Error('it could not be released');
    await world.ledger.move(run, decided.fence, decided.change);
    await receive(world, noticeOf(run));
    expect(world.letters).toEqual([]);
  });

  test('of a job that says `notify: false` is not told, and hides no other job’s', async () => {
    const world = await deployed({ notify: false });
    const other = manifestJob({ id: 'billing/close', graceMs: 6 * hour });
    world.jobs = [...world.jobs, other];
    await world.sweep();
    const failed = await deliver(world, other, at('12:01'));
    await end(world, failed, { kind: 'failed', error });
    await receive(world, noticeOf(await ends(world, at('12:00'))), noticeOf(failed));
    expect(subjects(world)).toEqual(['[fireledger prod] failed: billing/close']);
  });

  test('waits for the next sweep while another one is at it', async () => {
    const world = await deployed();
    const run = await ends(world, at('12:00'));
    await world.ledger.acquire('of-another', world.now, world.now + hour);
    const { batchItemFailures } = await receive(world, noticeOf(run));
    expect([batchItemFailures, world.letters, world.announced]).toEqual([[], [], [runId(run)]]);
    await world.ledger.releaseLease('of-another');
    await receive(world, noticeOf(run));
    expect(world.letters).toHaveLength(1);
    expect(world.announced).toHaveLength(1);
  });

  test('500 of one job, in batches, are one letter at once and one an hour later', async () => {
    const world = await deployed();
    for (let batch = 0; batch < 50; batch += 1) {
      world.now = at('12:00') + batch * 2 * second;
      const failed: Run[] = [];
      for (let n = 0; n < 10; n += 1) failed.push(await ends(world, at('12:00') + (batch * 10 + n) * minute));
      await receive(world, ...failed.map(noticeOf));
    }
    expect(world.letters).toHaveLength(1);
    await world.sweepAt(at('13:00:10'));
    expect(subjects(world)).toEqual([
      '[fireledger prod] failed: reports/daily',
      '[fireledger prod] failed: 499 more runs of reports/daily',
    ]);
    await world.sweepAt(at('14:00:20'));
    expect(world.letters).toHaveLength(2);
  });
});

describe('the reconciler tells by itself', () => {
  test('of a run that crashed and is parked', async () => {
    const world = await deployed({ crashed: 'park' });
    const [parking = job] = world.jobs;
    const { attentionAt = 0 } = await deliver(world, parking, at('12:00'));
    await world.sweepAt(attentionAt + 1);
    expect(subjects(world)).toEqual(['[fireledger prod] parked: reports/daily']);
    await world.sweepAt(attentionAt + minute);
    expect(world.letters).toHaveLength(1);
  });

  test('of a run that crashed too often', async () => {
    const world = await deployed({ crashed: 'resume' });
    const [resuming = job] = world.jobs;
    const run = await deliver(world, resuming, at('12:00'));
    for (let n = 0; n < 3; n += 1) {
      const { attentionAt = 0, ...now } = (await world.ledger.run(run)) ?? run;
      await world.sweepAt(attentionAt + 1);
      const offered = await world.ledger.run(now);
      if (offered?.state !== 'offered') break;
      await take(world, offered, resuming);
    }
    expect(subjects(world)).toEqual(['[fireledger prod] failed: reports/daily']);
    expect(world.letters[0]?.text).toContain('crashed 3 times and is given up');
  });

  test('of a job that it pauses', async () => {
    const world = await deployed({ pauseAfter: 1 });
    await ends(world, at('12:00'));
    await world.sweepAt(at('12:00:30'));
    expect(world.letters[0]?.text).toMatch(/^reports\/daily is paused: 1 failure, the last: /);
  });

  test('of fires that are too old or too many to be made up, as one letter', async () => {
    const missed = { policy: 'all', limit: 3, maxAgeMs: hour, ratePerMinute: 1 } as const;
    const world = await deployed({ graceMs: 3 * minute, schedule: cron('*/10 * * * *'), missed });
    await world.sweepAt(at('16:00:30'));
    expect(subjects(world)).toEqual(['[fireledger prod] missed: 21 fires of reports/daily']);
    expect(world.letters[0]?.text).toContain('19 older than its maxAge of 1 hour, 2 beyond its limit of 3\n');
  });

  test('and not of those that their job does not want made up', async () => {
    const missed = { policy: 'skip', limit: 5, maxAgeMs: hour, ratePerMinute: 1 } as const;
    const world = await deployed({ graceMs: 3 * minute, schedule: cron('*/10 * * * *'), missed });
    await world.sweepAt(at('16:00:30'));
    expect(await world.lines()).toContain('15:50 missed policy');
    expect(world.letters).toEqual([]);
  });

  test('of a message that is none of ours, once however often it is tried', async () => {
    const world = await deployed();
    for (const tries of [1, 2, 3]) {
      world.now += tries * minute;
      const { batchItemFailures } = await receive(world, 'what is this? hunter2');
      expect(batchItemFailures).toEqual([{ itemIdentifier: 'm-0' }]);
    }
    expect(subjects(world)).toEqual(['[fireledger prod] unreadable control message']);
    expect(world.letters[0]?.text).not.toContain('hunter2');
  });

  test('and not of one that could not be noted for a passing reason', async () => {
    const world = await deployed();
    world.ledger.suspect = () => Promise.reject(new Error('throttled'));
    const requestPayload = { fireledger: 'alarm', jobId: job.id, scheduledTime: '2026-12-01T12:00:00Z' };
    await receive(world, { requestContext: { requestId: 'r' }, requestPayload });
    expect(world.letters).toEqual([]);
  });
});

describe('fires that can not be recorded', () => {
  async function gap() {
    const world = await deployed({ graceMs: 3 * minute, schedule: cron('0 * * * *') });
    const { create } = world.ledger;
    world.ledger.create = () => Promise.reject(new Error('throttled'));
    return { world, mend: () => void Object.assign(world.ledger, { create }) };
  }

  test('are told of when three sweeps could not help it, and once an hour', async () => {
    const { world } = await gap();
    for (const time of ['12:04', '12:05']) await world.sweepAt(at(time));
    expect(world.letters).toEqual([]);
    await world.sweepAt(at('12:06'));
    expect(subjects(world)).toEqual(['[fireledger prod] ledger gap: 1 fire without a record']);
    expect(world.letters[0]?.text).toMatch(/jobs +reports\/daily\n/);
    for (let time = at('12:07'); time < at('13:06'); time += minute) await world.sweepAt(time);
    expect(world.letters).toHaveLength(1);
    await world.sweepAt(at('13:06'));
    expect(world.letters).toHaveLength(2);
  });

  test('are not told of when the next sweep can record them', async () => {
    const { world, mend } = await gap();
    await world.sweepAt(at('12:04'));
    mend();
    for (const time of ['12:05', '12:06', '12:07']) await world.sweepAt(at(time));
    expect(world.letters).toEqual([]);
  });
});

describe('a letter that can not be sent', () => {
  test('is told by the next sweep that can, and the sweep does its work all the same', async () => {
    const world = await deployed();
    const { notify } = world;
    world.notify = () => Promise.reject(new Error('the topic is gone'));
    await receive(world, noticeOf(await ends(world, at('12:00'))));
    expect(world.problems).toEqual(['a notice could not be sent; the next sweep tries again']);
    expect((await world.ledger.acquire('mine', world.now, world.now))?.sweptAt).toBe(world.now);
    await world.ledger.releaseLease('mine');
    world.notify = notify;
    await world.sweepAt(at('12:01'));
    await world.sweepAt(at('12:02'));
    expect(subjects(world)).toEqual(['[fireledger prod] failed: 1 more run of reports/daily']);
  });

  test('holds up no other', async () => {
    const world = await deployed({ crashed: 'park' });
    const [parking = job] = world.jobs;
    const sent: Message[] = [];
    world.notify = async (message) => {
      if (message.subject.includes('failed')) throw new Error('refused');
      sent.push(message);
    };
    await receive(
      world,
      noticeOf(await ends(world, at('12:00'))),
      noticeOf(await ends(world, at('12:01'), 'uncertain')),
    );
    expect(parking.crashed).toBe('park');
    expect(sent.map(({ subject }) => subject)).toEqual(['[fireledger prod] parked: reports/daily']);
  });
});

test('what was told is kept with the reconciler’s state for an hour, and then nothing of it', async () => {
  const world = await deployed({ schedule: cron('0 12 * * *') });
  await receive(world, noticeOf(await ends(world, at('12:00'))));
  const kept = async () => {
    const state = await world.ledger.acquire('mine', world.now, world.now);
    await world.ledger.releaseLease('mine');
    return state?.noticed;
  };
  expect(Object.keys((await kept()) ?? {}).sort()).toEqual(['failed', 'failed#reports/daily']);
  await world.sweepAt(world.now + day / 24);
  expect(await kept()).toBeUndefined();
});
