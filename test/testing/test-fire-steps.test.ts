import { describe, expect, test } from 'vitest';
import { cron, defineJob } from '#job';
import { testFire } from '#testing';

const fireTime = '2026-12-01T03:00:00Z';

/** Pays each employee once, and tells the bank. */
const payroll = defineJob({
  description: 'Pay everybody',
  schedule: cron('0 3 1 * *'),
  timezone: 'UTC',
  missed: 'all',
  crashed: 'resume',
  run: async (_fire, ctx) => {
    const employees = await ctx.step('collect', () => ['ada', 'bob', 'eve']);
    await ctx.map('pay', employees, { key: (name) => name }, (name) =>
      ctx.commit(`pay ${name}`, [
        {
          Put: {
            TableName: 'payments',
            Item: { employee: name, amount: 5 },
            ConditionExpression: 'attribute_not_exists(employee)',
          },
        },
      ]),
    );
    const told = await ctx.once('tell the bank', () => 'told');
    return { told };
  },
});

const tables = { payments: { key: ['employee'] } };

describe('testFire', () => {
  test('shows what a job has on record of its steps, and what its commits wrote', async () => {
    const fired = await testFire(payroll, { fireTime, tables });
    expect(fired.result).toEqual({ told: 'told' });
    expect(fired.tables).toEqual({
      payments: ['ada', 'bob', 'eve'].map((employee) => ({ employee, amount: 5 })),
    });
    expect(fired.steps.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
      'step collect',
      'commit pay ada',
      'commit pay bob',
      'commit pay eve',
      'map pay#0',
      'once tell the bank',
    ]);
  });

  test('resumes where an attempt died: what is done is not done again', async () => {
    const {
      run,
      result,
      tables: written,
    } = await testFire(payroll, {
      fireTime,
      tables: { payments: { key: ['employee'], items: [{ employee: 'bob', amount: 5 }] } },
      resumes: { done: { collect: ['ada', 'bob'], 'pay bob': undefined } },
    });
    expect(result).toEqual({ told: 'told' });
    expect(written.payments?.map(({ employee }) => employee)).toEqual(['bob', 'ada']);
    expect(run.attempts).toMatchObject([{ outcome: 'crashed' }, { number: 2, outcome: 'succeeded' }]);
  });

  test('resumes a map after the items that are on record', async () => {
    const { tables: written } = await testFire(payroll, {
      fireTime,
      tables,
      resumes: { mapped: { pay: { ada: undefined, eve: undefined } } },
    });
    expect(written.payments).toEqual([{ employee: 'bob', amount: 5 }]);
  });

  test('resumes a step of which nobody knows: the run is parked', async () => {
    const { run, outcomes } = await testFire(payroll, {
      fireTime,
      tables,
      resumes: { begun: ['tell the bank'] },
    });
    expect(outcomes).toEqual(['uncertain']);
    expect(run).toMatchObject({ state: 'parked', uncertain: 'tell the bank' });
  });

  test('shows a commit that is refused', async () => {
    const { error, tables: written } = await testFire(payroll, {
      fireTime,
      tables: { payments: { key: ['employee'], items: [{ employee: 'ada', amount: 9 }] } },
    });
    expect(error).toMatchObject({ name: 'CommitRefused' });
    expect(written.payments).toContainEqual({ employee: 'ada', amount: 9 });
  });

  test('tries a step again in the time that elapses', async () => {
    let tries = 0;
    const busy = defineJob({
      ...payroll.options,
      run: (_fire, ctx) =>
        ctx.step('busy', { retries: 3 }, () => {
          tries += 1;
          if (tries < 3) throw new Error('busy');
          return tries;
        }),
    });
    expect((await testFire(busy, { fireTime, elapses: '10 seconds' })).result).toBe(3);
  });

  test('says what its tables do not know', async () => {
    const odd = defineJob({
      ...payroll.options,
      run: (_fire, ctx) =>
        ctx.commit('odd', [
          {
            Update: {
              TableName: 'payments',
              Key: { employee: 'ada' },
              UpdateExpression: 'SET amounts[0] = :a',
              ConditionExpression: 'size(employee) > :a',
              ExpressionAttributeValues: { ':a': 1 },
            },
          },
        ]),
    });
    const { error } = await testFire(odd, { fireTime, tables });
    expect(error?.message).toContain('tables in memory do not know "size(employee) > :a"');
  });
});
