import { describe, expect, test } from 'vitest';
import { cron } from '../../functions/domain/schedule/index.ts';
import { day, minute } from '../../functions/domain/time.ts';
import { auditLedger } from '../../functions/store/audit-ledger.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { deliver, World } from '../support/reconciler.ts';

const start = at('08:00:30');
const gone = manifestJob();
const other = manifestJob({ id: 'other', schedule: cron('*/5 * * * *') });

async function deployed(job = gone) {
  const made = new World(start, [job, other]);
  await made.sweep();
  return made;
}

/** A method of the ledger that does something else, where `instead` says so. */
function disturbed<Args extends unknown[], Result>(
  method: (...args: Args) => Promise<Result>,
  instead: (...args: NoInfer<Args>) => Promise<NoInfer<Result>> | null,
): (...args: Args) => Promise<Result> {
  return (...args) => instead(...args) ?? method(...args);
}

describe('the removal of a job that is due every minute, after ten days’ outage', () => {
  test('is worked through turn by turn, live fires of other jobs first, and every fire gets its record', async () => {
    const made = await deployed();
    made.jobs = [other];
    const now = start + 10 * day;
    made.now = now;
    await made.sweep(0);
    const first = (await made.runs(gone.id)).length;
    expect(first).toBeGreaterThan(500);
    expect(first).toBeLessThan(2_500);
    expect((await made.runs('other')).at(-1)?.fireTime).toBeGreaterThan(now - 10 * minute);
    await made.sweep(0);
    expect((await made.runs(gone.id)).length).toBeGreaterThan(first);
    for (let turns = 0; turns < 3; turns += 1) await made.sweep();
    const audited = await auditLedger(made.ledger, [gone.id], { from: start, to: now });
    expect(audited).toMatchObject({ expected: 14_400, recorded: 14_400, states: { canceled: 14_400 } });
  });
});

describe('a removed job', () => {
  test('whose schedules can’t be read stops no other, and gets its records when they can', async () => {
    const made = await deployed();
    let broken = true;
    made.ledger.specs = disturbed(made.ledger.specs.bind(made.ledger), (jobId) =>
      broken && jobId === gone.id ? Promise.reject(new Error('throttled')) : null,
    );
    made.jobs = [other];
    expect(await made.sweepAt(at('08:09'))).toMatchObject({ gap: 1 });
    expect(await made.lines('other')).toEqual(['08:05 waiting catch-up']);
    expect(await made.lines(gone.id)).toEqual([]);
    await made.sweepAt(at('08:40'));
    broken = false;
    await made.sweepAt(at('08:41'));
    expect(await made.sweepAt(at('08:42'))).toMatchObject({ gap: 0 });
    expect(await made.lines(gone.id)).toHaveLength(9);
  });

  test('that can’t be taken out of force is taken out in the next turn', async () => {
    const made = await deployed();
    let broken = true;
    made.ledger.publish = disturbed(made.ledger.publish.bind(made.ledger), () =>
      broken ? Promise.reject(new Error('throttled')) : null,
    );
    made.jobs = [other];
    await made.sweepAt(at('08:02'));
    expect(await made.ledger.job(gone.id)).toMatchObject({ specId: gone.specId });
    broken = false;
    await made.sweepAt(at('08:03'));
    expect(await made.ledger.job(gone.id)).not.toHaveProperty('specId');
    expect(await made.lines(gone.id)).toEqual([
      '08:01 canceled removed',
      '08:02 canceled removed',
      '08:03 canceled removed',
    ]);
  });

  test('has each fire recorded that collided with another write', async () => {
    const made = await deployed();
    let collisions = 2;
    made.ledger.create = disturbed(made.ledger.create.bind(made.ledger), () => {
      collisions -= 1;
      return collisions >= 0 ? Promise.resolve({ kind: 'conflict' }) : null;
    });
    made.jobs = [other];
    expect(await made.sweepAt(at('08:03'))).toMatchObject({ gap: 2 });
    expect(await made.sweepAt(at('08:04'))).toMatchObject({ gap: 0 });
    expect(await made.lines(gone.id)).toHaveLength(3);
  });

  test.each(['the index is behind', 'its move collides'])(
    'has no run parked for ever when %s',
    async (how) => {
      const job = manifestJob({ schedule: cron('1 8 * * *'), crashed: 'park' });
      const made = await deployed(job);
      await deliver(made, job, at('08:01'));
      await made.sweepAt(at('08:20'));
      expect(await made.lines()).toEqual(['08:01 parked crashed']);
      let broken = true;
      if (how === 'its move collides')
        made.ledger.move = disturbed(made.ledger.move.bind(made.ledger), () =>
          broken ? Promise.resolve({ kind: 'conflict' }) : null,
        );
      else
        made.ledger.open = disturbed(made.ledger.open.bind(made.ledger), () =>
          broken ? Promise.resolve([]) : null,
        );
      made.jobs = [other];
      await made.sweepAt(at('08:21'));
      broken = false;
      await made.sweepAt(at('08:22'));
      expect(await made.lines(job.id)).toEqual(['08:01 canceled removed']);
    },
  );

  test('costs nothing any more once all of it is accounted for', async () => {
    const made = await deployed();
    made.jobs = [other];
    await made.sweepAt(at('08:02'));
    await made.sweepAt(at('08:20'));
    await made.sweepAt(at('08:21'));
    made.ledger.manifest = () => Promise.reject(new Error('not to be read'));
    await expect(made.sweepAt(at('08:22'))).resolves.toMatchObject({ gap: 0 });
  });
});

test('a removal that is taken back while a turn of it had died half-way is a job in force', async () => {
  const made = await deployed();
  const { open } = made.ledger;
  made.ledger.open = () => Promise.reject(new Error('killed'));
  made.jobs = [other];
  await expect(made.sweepAt(at('08:02'))).rejects.toThrow('killed');
  expect(await made.ledger.job(gone.id)).not.toHaveProperty('specId');
  made.ledger.open = open;
  made.jobs = [gone, other];
  await made.sweepAt(at('08:03'));
  expect(await made.ledger.job(gone.id)).toMatchObject({ specId: gone.specId });
});
