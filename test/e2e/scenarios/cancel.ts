import { describe, expect, test } from 'vitest';
import { minute, second } from '../../../functions/domain/time.ts';
import { endClean, eventually, type RunJson, runsOf, show } from '../ledger.ts';
import { fl, inScenario, startJob } from '../system.ts';

/** A request is seen within 10 s by code that has run so long; the rest is for a crowded machine. */
const reachedWithinMs = 15 * second;

const long = `await pause(${3 * minute}, undefined, { signal: ctx.signal });`;

describe.concurrent('a run that is to end before it is done', () => {
  test('gives way to the next fire of a job that cancels what runs, and that one runs', () =>
    inScenario(async (scenario) => {
      const body = `if (fire.fireTime.getUTCMinutes() % 2 === 0) ${long}`;
      const { system, data } = await startJob(
        scenario,
        body,
        "overlap: 'cancel-running', timeout: '5 minutes',",
      );
      const older = await firstThat(data, ({ state }) => state === 'canceled');
      expect(older).toMatchObject({
        reason: 'superseded',
        supersededBy: keyAfter(older),
        cancelRequested: { by: keyAfter(older), reason: 'superseded' },
        attempts: [{ outcome: 'canceled' }],
      });
      expectReached(older);
      const newer = await eventually(
        () => show(data, `job#${keyAfter(older)}`),
        ({ state }) => state === 'succeeded',
        minute,
      );
      const started = Date.parse(newer.attempts[0]?.startedAt ?? '');
      const ended = Date.parse(older.attempts[0]?.settledAt ?? '');
      expect(started).toBeGreaterThanOrEqual(ended);
      expect(started - ended).toBeLessThan(10 * second);
      await endClean(system, data, newer);
    }));

  test('is reached when a person cancels it', () =>
    inScenario(async (scenario) => {
      const { system, data } = await startJob(scenario, long, "timeout: '5 minutes',");
      const running = await firstThat(data, ({ state }) => state === 'running');
      const words = ['cancel', running.id, '--note', 'wrong file', '--data', data];
      const asked = await fl(...words);
      expect(asked).toMatchObject({ code: 0, err: '' });
      expect(asked.out).toContain('is asked to end; it is reached within 15 s');
      const canceled = await eventually(
        () => show(data, running.id),
        ({ state }) => state !== 'running',
        minute,
      );
      expect(canceled).toMatchObject({
        state: 'canceled',
        reason: 'operator',
        cancelRequested: { reason: 'operator', note: 'wrong file' },
        attempts: [{ outcome: 'canceled' }],
      });
      expectReached(canceled);
      await endClean(system, data, canceled);
    }));
});

async function firstThat(data: string, fits: (run: RunJson) => boolean): Promise<RunJson> {
  const found = await eventually(
    async () => (await runsOf(data, 'job')).find(fits),
    (run) => run !== undefined,
    4 * minute,
  );
  if (found === undefined) throw new Error('there is no such run');
  return found;
}

/** A request that comes in the attempt's first seconds is seen at the attempt's tenth. */
function expectReached({ cancelRequested, attempts }: RunJson): void {
  const asked = Date.parse(cancelRequested?.at ?? '');
  expect(Date.parse(attempts[0]?.settledAt ?? '') - asked).toBeLessThan(reachedWithinMs);
}

/** Of the fire that is due a minute later. */
function keyAfter({ fireTime }: RunJson): string {
  return new Date(Date.parse(fireTime) + minute).toISOString().replace('.000Z', 'Z');
}
