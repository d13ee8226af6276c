import { describe, expect, test } from 'vitest';
import { noCatchUp } from '../../functions/domain/catch-up.ts';
import { neverNeedsAttention, type Run, turnOf, waitingForSlot } from '../../functions/domain/run.ts';
import { day, hour, minute } from '../../functions/domain/time.ts';
import { type DeployedJobs, deployedJobs, jobFile } from './deployed-jobs.ts';
import { runFl } from './run-fl.ts';
import { attemptOf, runOf } from './seeded.ts';

const now = Date.parse('2026-12-01T02:00:00Z');
const id = 'mail/digest';
const file = 'mail/digest.ts';

/** Every ten minutes; `more` among its options. */
function digest(more = ''): string {
  return jobFile(`
  description: 'Send the digest',
  schedule: cron('*/10 * * * *'),
  timezone: 'UTC',
  timeout: '10 minutes',
  ${more}`);
}

function system(more = ''): Promise<DeployedJobs> {
  return deployedJobs({ [file]: digest(more) }, now - 30 * day);
}

function put({ ledger, job }: DeployedJobs, fireTime: number, of: Partial<Run>): Promise<unknown> {
  return ledger.create(runOf(job(id), fireTime, of));
}

/** What is said of the job, and what of it a person should look at. */
async function said({ dir, jobs }: DeployedJobs): Promise<{ code: number; looks: string[]; says: string[] }> {
  const { code, out, err } = await runFl(['plan', '--json', '--data', dir, '--jobs', jobs], { now });
  expect(err).toBe('');
  const [job] = JSON.parse(out).jobs;
  return { code, looks: job.looks, says: job.says.map(({ text }: { text: string }) => text) };
}

function waits(fireTime: number, more: Partial<Run> = {}): Partial<Run> {
  return { ...waitingForSlot({ fireTime }, fireTime), ...more };
}

describe('fires of the last hour', () => {
  test('that have not started and are none of the new schedule become skipped: edited', async () => {
    const copy = await system();
    // 01:10 to 02:00 have run, but for two: 01:40 waits to be made up, 01:50 has no record.
    for (const minutes of [10, 20, 30, 60]) await put(copy, now - hour + minutes * minute, {});
    const missed = now - 20 * minute;
    await put(copy, missed, {
      trigger: 'backfill',
      state: 'waiting',
      reason: 'catch-up',
      attentionAt: turnOf(missed, 'catch-up'),
    });
    copy.edit(file, '*/10 * * * *', '5 * * * *');
    const { code, looks, says } = await said(copy);
    expect({ code, looks }).toEqual({ code: 2, looks: ['fires-dropped', 'fires-vanish'] });
    expect(says[0]).toBe(
      '2 fires become skipped: edited (due within the last hour, not started, and no fire of the new schedule): 12-01 01:40 UTC, 12-01 01:50 UTC',
    );
  });

  test('that have started go on with their code, and those that wait stay', async () => {
    const copy = await system("overlap: 'queue',");
    const running = { state: 'running', attentionAt: now + minute, hasSlot: true } as const;
    for (const minutes of [10, 20, 30, 40, 60]) await put(copy, now - hour + minutes * minute, {});
    await put(copy, now - 10 * minute, { ...running, attempts: [attemptOf(1, now - 10 * minute)] });
    await put(copy, now - 3 * hour, {
      state: 'parked',
      reason: 'crashed',
      attentionAt: neverNeedsAttention,
      attempts: [attemptOf(1, now - 3 * hour)],
    });
    copy.edit(file, '*/10 * * * *', '*/5 * * * *');
    const { code, says } = await said(copy);
    expect(code).toBe(0);
    expect(says).toContain('1 run goes on with the code that it began with: 12-01 01:50 UTC');
    expect(says).toContain('1 run stays, and goes on by the new version: 1 parked (11-30 23:00 UTC)');
  });
});

describe('policies', () => {
  test('of the queue tell which fires they drop', async () => {
    const copy = await system("overlap: 'queue',");
    for (const minutes of [30, 20, 10])
      await put(copy, now - minutes * minute, waits(now - minutes * minute));
    copy.edit(file, "overlap: 'queue',", "overlap: 'queue-one',");
    expect(await said(copy)).toMatchObject({
      code: 2,
      looks: ['fires-dropped'],
      says: [
        '2 fires become skipped: superseded (more wait than may by the new version): 12-01 01:30 UTC, 12-01 01:40 UTC',
        '1 run stays, and goes on by the new version: 1 waiting (12-01 01:50 UTC)',
        'overlap: queue → queue-one',
      ],
    });
  });

  test('of the queue that ends let its waiters run', async () => {
    const copy = await system("overlap: 'queue',");
    await put(copy, now - 10 * minute, waits(now - 10 * minute));
    copy.edit(file, "overlap: 'queue',", "overlap: 'skip',");
    expect((await said(copy)).says).toContain(
      'overlap: queue → skip: 1 run that waits for the slot still runs, one after the other',
    );
    copy.edit(file, "overlap: 'skip',", "overlap: 'allow',");
    expect((await said(copy)).says).toContain(
      'overlap: queue → allow: 1 run that waits for the slot starts at once',
    );
  });

  test('by which a newer fire ends the run before it tell which run that is', async () => {
    const copy = await system("overlap: 'queue',");
    const running = runOf(copy.job(id), now - 20 * minute, {
      ...{ state: 'running', attentionAt: now + minute, hasSlot: true },
      attempts: [attemptOf(1, now - 20 * minute)],
    });
    await copy.ledger.create(running, { slot: 'take' });
    await copy.ledger.create(runOf(copy.job(id), now - 10 * minute, waits(now - 10 * minute)), {
      addQueued: 1,
    });
    copy.edit(file, "overlap: 'queue',", "overlap: 'cancel-running',");
    expect(await said(copy)).toMatchObject({
      code: 2,
      looks: ['run-gives-way'],
      says: [
        'its run of 12-01 01:40 UTC is asked to end, since a newer one waits for the slot',
        '1 run stays, and goes on by the new version: 1 waiting (12-01 01:50 UTC)',
        'overlap: queue → cancel-running',
      ],
    });
  });

  test('of how long a fire may wait tell those that have waited for longer', async () => {
    const copy = await system("overlap: 'queue',");
    await put(copy, now - 40 * minute, waits(now - 40 * minute));
    copy.edit(file, "overlap: 'queue',", "overlap: 'queue', maxWait: '30 minutes',");
    const { looks, says } = await said(copy);
    expect(looks).toEqual(['fires-dropped']);
    expect(says).toContain('maxWait: not set → 30 minutes');
    expect(says[0]).toContain('1 fire becomes skipped: waited-too-long');
  });

  test('of missed and crashed fires decide about what is to come; what waits is made up all the same', async () => {
    const copy = await system();
    const missed = now - 2 * hour;
    const of = {
      trigger: 'backfill',
      state: 'waiting',
      reason: 'catch-up',
      attentionAt: turnOf(missed, 'catch-up'),
    } as const;
    await copy.ledger.create(runOf(copy.job(id), missed, of), {
      require: { catchUp: noCatchUp },
      set: { catchUp: { ...noCatchUp, waiting: 1, newest: '2026-12-01T00:00:00Z' } },
    });
    copy.edit(file, "missed: 'all'", "missed: { policy: 'latest', maxAge: '1 hour' }");
    copy.edit(file, "crashed: 'park'", "crashed: 'rerun'");
    expect(await said(copy)).toMatchObject({
      code: 0,
      says: [
        '1 run stays, and goes on by the new version: 1 waiting (12-01 00:00 UTC)',
        'missed: all → latest, maxAge 7 days → 1 hour: decides about what is missed, and has no record yet; 1 missed fire that waits already is made up all the same',
        'crashed: park → rerun: decides about whatever dies from now on',
      ],
    });
  });

  test('a timeout is compared with what successes took, and memory with what they held', async () => {
    const copy = await system('memory: 512,');
    for (const nights of Array.from({ length: 20 }, (_, index) => index + 1)) {
      const at = now - nights * hour;
      const settledAt = at + (nights === 7 ? 9 : 3) * minute;
      const bill = { wallMs: settledAt - at, peakMemoryMb: 300 + nights };
      await put(copy, at, {
        settledAt,
        attempts: [attemptOf(1, at, { settledAt, outcome: 'succeeded', bill })],
      });
    }
    copy.edit(file, "timeout: '10 minutes'", "timeout: '5 minutes'");
    expect(await said(copy)).toMatchObject({
      code: 0,
      says: [
        'timeout: 10 minutes → 5 minutes: enough for 95 of 100 of its last 20 successes, which took up to 3 min',
      ],
    });
    copy.edit(file, "timeout: '5 minutes'", "timeout: '2 minutes'");
    copy.edit(file, 'memory: 512', 'memory: 256');
    expect(await said(copy)).toMatchObject({
      code: 2,
      looks: ['timeout-too-short', 'memory-too-small'],
      says: [
        'timeout: 10 minutes → 2 minutes: too short, since 95 of 100 of its last 20 successes took up to 3 min',
        'memory: 512 → 256 MB: less than the 320 MB that a run has held',
      ],
    });
  });

  test('by which it has failed often enough pause it at once', async () => {
    const copy = await system();
    for (const minutes of [30, 20, 10]) {
      const run = runOf(copy.job(id), now - minutes * minute, { state: 'failed', reason: 'error' });
      await copy.ledger.create(run, { addFailureInARow: true });
    }
    copy.edit(file, "timeout: '10 minutes',", "timeout: '10 minutes', pauseAfter: 3,");
    expect(await said(copy)).toMatchObject({
      code: 2,
      looks: ['pauses-at-once'],
      says: ['pauseAfter: not set → 3: it has failed 3 times in a row, so it is paused at once'],
    });
  });

  test('that nothing waits for are told, each as its author writes it', async () => {
    const copy = await system();
    copy.edit(
      file,
      "timeout: '10 minutes',",
      "timeout: '12 minutes', grace: '5 minutes', retry: { attempts: 3, backoff: '1 minute' }, notify: false, memory: 512,",
    );
    expect(await said(copy)).toMatchObject({
      code: 0,
      says: [
        'retry: one attempt → 3 attempts from 1 minute on',
        'nobody is told any more when it fails or is parked',
        'timeout: 10 minutes → 12 minutes',
        'grace: 3 minutes → 5 minutes: a missed fire is noticed later',
        'memory: 256 → 512 MB',
      ],
    });
  });
});

describe('a job', () => {
  test('that comes back is paused as it was', async () => {
    const copy = await deployedJobs({ [file]: digest(), 'other.ts': digest() }, now - 30 * day);
    await copy.ledger.setPause(id, { at: now - day, by: 'ops', note: 'moves' });
    const manifest = await copy.ledger.manifest();
    if (manifest === null) throw new Error('a manifest expected');
    const jobs = manifest.jobs.filter((job) => job.id !== id);
    await copy.ledger.saveManifest({ ...manifest, jobs, removed: [{ id, timezone: 'UTC' }] });
    const { looks, says } = await said(copy);
    expect(looks).toEqual(['stays-paused']);
    expect(says).toContain(
      'comes back paused, since 2026-11-30 02:00 UTC by ops: moves; a deployment resumes nothing',
    );
    expect(says).toContain(
      'it was deployed before: its history goes on, and nothing is owed from in between',
    );
  });

  test('that reads another secret, or fewer, says which by its name', async () => {
    const copy = await system("secrets: { KEY: 'mail/key' },");
    copy.edit(file, "KEY: 'mail/key'", "KEY: 'mail/other', BANK: 'bank/key'");
    expect(await said(copy)).toMatchObject({
      code: 2,
      looks: ['rights-grow'],
      says: [
        'it reads the secrets bank/key, mail/other, which it could not',
        'it no longer reads the secret mail/key',
      ],
    });
  });

  test('whose times stay is told the first that differs', async () => {
    const nightly = digest().replace('*/10 * * * *', '30 2 * * *').replace("'UTC'", "'Europe/Berlin'");
    const copy = await deployedJobs({ [file]: nightly }, now - 30 * day);
    copy.edit(file, 'timeout:', "dst: { gap: 'skip', repeat: 'first' }, timeout:");
    expect(await said(copy)).toMatchObject({
      code: 0,
      says: [
        'another dst',
        'its fires of the next 7 days stay as they are; the first that vanishes: 2027-03-28 03:00 +02:00',
      ],
    });
  });
});

describe('a pool', () => {
  const pools = (capacity: number) =>
    `import { definePools } from '#job';\nexport default definePools({ db: { capacity: ${capacity}, describe: 'x' } });\n`;
  const nightly = (more = '') =>
    digest(`pools: { db: 2 }, overlap: 'queue', ${more}`).replace('*/10 * * * *', '0 3 * * *');

  test('that is lowered is played by what past runs took: who will wait, and for how long', async () => {
    const files = { '../pools.ts': pools(4), [file]: nightly(), 'other.ts': nightly() };
    const copy = await deployedJobs(files, now - 30 * day);
    for (const job of ['other', id]) {
      const at = now - 23 * hour;
      const settledAt = at + 4 * minute;
      const attempts = [attemptOf(1, at, { settledAt, outcome: 'succeeded' })];
      await copy.ledger.create(runOf(copy.job(job), at, { settledAt, attempts }));
    }
    copy.write('../pools.ts', pools(3));
    const { code, out } = await runFl(['plan', '--json', '--data', copy.dir, '--jobs', copy.jobs], { now });
    expect(code).toBe(0);
    expect(JSON.parse(out).pools).toEqual([
      {
        name: 'db',
        looks: [],
        capacity: { from: 4, to: 3 },
        held: 0,
        waiting: 0,
        takers: { [id]: 2, other: 2 },
        waits: {
          before: { runs: 0, longestMs: 0 },
          after: { runs: 7, longestMs: 4 * minute },
          guessed: [],
        },
        says: [
          { look: null, text: 'runs hold 0 of it now' },
          {
            look: null,
            text: 'foreseen in 7 days: 7 runs wait for it, up to 4 min; as deployed: no run waits for it',
          },
          { look: null, text: `${id} takes 2, other takes 2` },
        ],
      },
    ]);
  });

  test('that nobody needs any more is told with what runs still hold', async () => {
    const copy = await deployedJobs({ '../pools.ts': pools(4), [file]: nightly() }, now - 30 * day);
    const run = runOf(copy.job(id), now - hour, {
      state: 'running',
      attentionAt: now + hour,
      holds: { db: 2 },
    });
    await copy.ledger.create(run, { pools: [{ pool: 'db', hold: { kind: 'take', weight: 2 } }] });
    copy.write('../pools.ts', pools(4).replace('db:', 'mail:'));
    copy.edit(file, 'pools: { db: 2 }, ', 'pools: { mail: 1 }, ');
    const { out } = await runFl(['plan', '--json', '--data', copy.dir, '--jobs', copy.jobs], { now });
    const { jobs, pools: changed } = JSON.parse(out);
    expect(jobs[0].says.map(({ text }: { text: string }) => text)).toContain(
      'pools: db 2 → none, mail none → 1: what has started keeps what it took, what waits needs the new weight',
    );
    expect(changed.map(({ says }: { says: { text: string }[] }) => says[0]?.text)).toEqual([
      'it is not declared any more: nothing takes of it, and runs give back the 2 that they hold',
      `${id} takes 1`,
    ]);
  });
});
