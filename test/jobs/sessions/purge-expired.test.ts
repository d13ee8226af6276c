import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testFire } from '#testing';
import { putAll } from '../../../functions/example/dynamo.ts';
import job from '../../../functions/jobs/sessions/purge-expired.ts';
import { type ExampleApp, everyItem, neverAborted, startExampleApp } from '../../support/example-app.ts';

let app: ExampleApp;

beforeAll(async () => {
  app = await startExampleApp();
});
afterAll(() => app.close());

const sessions = (prefix: string, count: number, expiresAt: string) =>
  Array.from({ length: count }, (_, n) => ({ sessionId: `${prefix}-${n}`, expiresAt }));

beforeEach(() => putAll('sessions', sessions('old', 300, '2026-11-29T08:00:00Z'), neverAborted));

test('expired sessions are deleted, page after page, and no other', async () => {
  await putAll(
    'sessions',
    [
      { sessionId: 'just-expired', expiresAt: '2026-11-30T10:00:00Z' },
      { sessionId: 'still-valid', expiresAt: '2026-11-30T10:00:01Z' },
    ],
    neverAborted,
  );
  const { result } = await testFire(job, { fireTime: '2026-11-30T10:00:00Z' });
  expect(result).toEqual({ deleted: 301 });
  expect(await everyItem('sessions')).toEqual([
    { sessionId: 'still-valid', expiresAt: '2026-11-30T10:00:01Z' },
  ]);
});

test('what is expired is judged by the fire, not by the clock of whoever runs it late', async () => {
  await putAll('sessions', sessions('later', 3, '2026-11-30T10:30:00Z'), neverAborted);
  const late = { trigger: 'manual', now: '2026-11-30T12:00:00Z' } as const;
  await testFire(job, { fireTime: '2026-11-30T10:00:00Z', ...late });
  const left = (await everyItem('sessions')).filter(({ sessionId }) => sessionId.startsWith('later'));
  expect(left).toHaveLength(3);
});

test('a run that reaches its timeout stops, and the next one deletes the rest', async () => {
  // Sooner than an attempt first looks at its own record: at each look, real requests get on meanwhile.
  const brief = { ...job, options: { ...job.options, timeout: '9 seconds' } } as const;
  const { run } = await testFire(brief, { fireTime: '2026-11-30T10:00:00Z', elapses: '9 seconds' });
  expect(run).toMatchObject({ state: 'failed', reason: 'timed-out' });
  const left = (await everyItem('sessions')).filter(({ sessionId }) => sessionId.startsWith('old')).length;
  expect(left).toBeGreaterThan(0);

  const { result } = await testFire(job, { fireTime: '2026-11-30T10:00:00Z' });
  expect(result).toEqual({ deleted: left });
});
