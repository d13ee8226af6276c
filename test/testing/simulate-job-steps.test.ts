import { describe, expect, test } from 'vitest';
import { defineJob, every } from '#job';
import { fakeFetch, simulateJob } from '#testing';

const employees = ['ada', 'bob', 'cid', 'dan', 'eve', 'fay', 'gus'];
const staff = 'GET https://staff.example.com/employees';
const bank = 'POST https://bank.example.com/files';

/** Pays everybody, and tells the bank once; counts how often it did so for each fire. */
function payroll() {
  const told = new Map<string, number>();
  const fetch = fakeFetch({ [staff]: employees, [bank]: {} });
  const job = defineJob({
    description: 'Pay everybody',
    schedule: every('4 hours'),
    missed: 'all',
    crashed: 'resume',
    run: async (fire, ctx) => {
      const names = await ctx.step('collect', async (): Promise<string[]> => {
        const response = await globalThis.fetch('https://staff.example.com/employees', {
          signal: ctx.signal,
        });
        return (await response.json()) as string[];
      });
      await ctx.map('pay', names, { key: (name) => name, concurrency: 3, batch: 2 }, (name) =>
        ctx.commit(`pay ${name}`, [
          {
            Update: {
              TableName: 'payments',
              Key: { id: `${fire.id} ${name}` },
              UpdateExpression: 'ADD times :one',
              ExpressionAttributeValues: { ':one': 1 },
            },
          },
        ]),
      );
      await ctx.once('tell the bank', async () => {
        told.set(fire.id, (told.get(fire.id) ?? 0) + 1);
        await globalThis.fetch('https://bank.example.com/files', { method: 'POST', signal: ctx.signal });
      });
      return { paid: names.length };
    },
  });
  return { job, fetch, told };
}

const span = { from: '2026-12-01T00:30:00Z', days: 1 };

describe('a job with steps in a simulated world', () => {
  test('whose process dies at each of its calls pays everybody once, and goes on where it was', async () => {
    for (const afterCalls of [1, 2]) {
      const { job, fetch, told } = payroll();
      const crashes = [{ fireTime: '2026-12-01T04:00:00Z', afterCalls }];
      const { runs, tables } = await simulateJob(job, { ...span, seed: 7, fetch, crashes, faults: 'none' });
      const [struck, ...others] = runs;
      expect(others.every(({ state }) => state === 'succeeded')).toBe(true);
      expect(struck).toMatchObject(
        afterCalls === 1
          ? { state: 'succeeded', crashes: 1 }
          : { state: 'parked', reason: 'uncertain-step', uncertain: 'tell the bank' },
      );
      expect(tables.payments).toHaveLength(runs.length * employees.length);
      expect(tables.payments?.every(({ times }) => times === 1)).toBe(true);
      expect([...told.values()].every((times) => times === 1)).toBe(true);
    }
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'whatever goes wrong, nobody is paid twice, nobody is left out, and the bank is told once (seed %i)',
    async (seed) => {
      const { job, fetch, told } = payroll();
      const { runs, tables } = await simulateJob(job, { ...span, seed, fetch });
      const paid = tables.payments ?? [];
      expect(paid.filter(({ times }) => times !== 1)).toEqual([]);
      const succeeded = runs.filter(({ state }) => state === 'succeeded');
      for (const { jobId, key, result } of succeeded) {
        expect(result).toEqual({ paid: employees.length });
        expect(paid.filter(({ id }) => String(id).startsWith(`${jobId}#${key} `))).toHaveLength(
          employees.length,
        );
        expect(told.get(`${jobId}#${key}`)).toBe(1);
      }
      expect(Math.max(0, ...told.values())).toBeLessThanOrEqual(1);
    },
  );
});
