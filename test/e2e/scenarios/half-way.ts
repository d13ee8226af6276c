import { describe, expect, test } from 'vitest';
import { minute, second } from '../../../functions/domain/time.ts';
import { chooseSeed, seededRandom } from '../../support/seeded-random.ts';
import { endClean, eventually, type RunJson, runsOf, show } from '../ledger.ts';
import { employeesOf, StaffService, salaryOf } from '../staff-service.ts';
import { fl, inScenario, startJob } from '../system.ts';

describe.concurrent('a job that goes wrong half-way', () => {
  test('twice fails, is tried again after a second or two each time, and succeeds: one run', () =>
    inScenario(async (scenario) => {
      const failsTwice = "if (fire.attempt < 3) throw new Error('no answer'); return fire.attempt;";
      const { system, data } = await startJob(
        scenario,
        failsTwice,
        "retry: { attempts: 3, backoff: '1 second' },",
      );
      const run = await firstSucceeded(data, 3 * minute);
      expect(run).toMatchObject({ result: 3, failures: 2, reoffers: 0, crashes: 0 });
      expect(run.attempts.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'succeeded']);
      const [first, , last] = run.attempts.map(({ startedAt }) => Date.parse(startedAt));
      expect((last ?? 0) - (first ?? 0)).toBeLessThan(30 * second);
      await endClean(system, data, run);
    }));

  test('of three attempts that go on from each other, killed in each, is one run with the right result', () =>
    inScenario(async (scenario) => {
      const seed = chooseSeed();
      console.log(`seed ${seed}`);
      const staff = { job: employeesOf('job', 3 * page) };
      const of = { staff, kills: 3, salaries: page, random: seededRandom(seed) };
      const service = new StaffService(of);
      await service.listen();
      try {
        const body = `${service.client('1 + (ctx.cursor?.page ?? 0)')}${addsUp}`;
        const { system, data } = await startJob(scenario, body, "timeout: '15 seconds', crashed: 'resume',");
        await system.until(({ handled }) => (handled as Handled | undefined)?.outcome === 'succeeded');
        const run = await show(data, service.strikes[0]?.run ?? '');
        const total = staff.job.map(salaryOf).reduce((sum, salary) => sum + salary);
        expect(run).toMatchObject({ state: 'succeeded', result: { page: 3, total }, hops: 2, crashes: 3 });
        expect(run.attempts.map(({ outcome }) => outcome)).toEqual([
          ...['crashed', 'continued', 'crashed', 'continued', 'crashed', 'succeeded'],
        ]);
        const crashed = run.attempts.filter(({ outcome }) => outcome === 'crashed');
        expect(crashed.map(({ pid }) => pid)).toEqual(service.strikes.map(({ pid }) => pid));
        await expectToldAsOne(run, data);
        const meanwhile = (await runsOf(data, 'job')).filter(({ fireTime }) => isDuring(fireTime, run));
        expect(meanwhile.length).toBeGreaterThan(3);
        for (const other of meanwhile) expect(other).toMatchObject({ state: 'skipped', reason: 'overlap' });
        await endClean(system, data, run);
      } finally {
        service.close();
      }
    }));
});

type Handled = { readonly outcome?: string };

const page = 20;

/** Adds up a page of salaries in each attempt, one after the other. */
const addsUp = `
    let { page, total } = ctx.cursor ?? { page: 0, total: 0 };
    for (const employee of employees.slice(${page} * page, ${page} * (page + 1))) total += await salaryOf(employee);
    page += 1;
    return employees.length > ${page} * page ? ctx.continueWith({ page, total }) : { page, total };`;

/** Its hops are one line, and going on is not told as running again. */
async function expectToldAsOne({ id }: RunJson, data: string): Promise<void> {
  const [shown, why] = await Promise.all([fl('show', id, '--data', data), fl('why', id, '--data', data)]);
  expect(shown.out.match(/^ {2}hops .*$/gm)).toEqual(['  hops          2']);
  expect(shown.out.match(/attempt \d ended, to go on in another one/g)).toHaveLength(2);
  expect(why.out.match(/went on {4}It went on in another attempt 2 times/g)).toHaveLength(1);
  expect(why.out.match(/Attempt \d crashed:/g)).toEqual([1, 3, 5].map((n) => `Attempt ${n} crashed:`));
}

function isDuring(fireTime: string, { fireTime: due, settledAt = '' }: RunJson): boolean {
  return fireTime > due && fireTime < settledAt;
}

async function firstSucceeded(data: string, withinMs: number): Promise<RunJson> {
  const oldest = async () => (await runsOf(data, 'job')).at(-1);
  const run = await eventually(oldest, (first) => first?.state === 'succeeded', withinMs);
  if (run === undefined) throw new Error('it has no run');
  return run;
}
