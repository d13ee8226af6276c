import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { minute, second } from '../../../functions/domain/time.ts';
import { type AuditJson, eventually, expectClean, type RunJson } from '../ledger.ts';
import { flJson } from '../system.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

/** A new job is in force with the first sweep; then its next minute comes. */
const firstWithinMs = 5 * minute;
/** Two fires fall into it. */
const silenceMs = 2 * minute + 15 * second;
/** Three minutes of grace, the sweep after it, the offer, and patience. */
const madeUpWithinMs = 8 * minute;
/**
 * A run that is alive comes first, and a sweep comes each minute. A lease is 110 s where functions are told how long they may
 * take; some emulators say five minutes to each.
 */
const crashedWithinMs = 16 * minute;
const patience = { timeout: 30 * minute };

/** What is promised of any system that runs the jobs of test/e2e/jobs, wherever it is. */
export function keepsItsPromises(
  where: string,
  inSystem: (play: (system: SystemUnderTest) => Promise<void>) => Promise<void>,
): void {
  describe.concurrent(where, () => {
    test(
      'alarms ring, each fire has one run of one attempt, and a second delivery is refused',
      patience,
      () =>
        inSystem(async (system) => {
          const run = await firstThat(system, 'quick', isSucceeded);
          expect(run).toMatchObject({ trigger: 'schedule', result: { ran: run.id } });
          expect(run.attempts.map(({ outcome }) => outcome)).toEqual(['succeeded']);
          await system.deliver('quick', run.fireTime);
          const again = await eventually(
            () => show(system, run.id),
            // AWS may ring twice by itself.
            ({ duplicates }) => duplicates > run.duplicates,
            minute,
          );
          expect(again).toMatchObject({ state: 'succeeded', result: run.result });
          expect(again.attempts).toHaveLength(1);
          await expectAudited(system, run);
        }),
    );

    test('a fire that no alarm rang for is made up for, once', patience, () =>
      inSystem(async (system) => {
        await firstThat(system, 'made-up', isSucceeded);
        let since = Date.now();
        await system.whileSilent('made-up', async () => {
          since = Date.now();
          await pause(silenceMs);
        });
        const isMadeUp = (run: RunJson) => isSucceeded(run) && run.trigger === 'backfill';
        const run = await firstThat(system, 'made-up', isMadeUp, { since, withinMs: madeUpWithinMs });
        expect(Date.parse(run.fireTime)).toBeLessThanOrEqual(since + silenceMs);
        expect(run).toMatchObject({ result: { ran: run.id } });
        expect(run.attempts.map(({ outcome }) => outcome)).toEqual(['succeeded']);
        await expectAudited(system, run);
      }),
    );

    test('a run whose process dies is run again when its lease is over', patience, () =>
      inSystem(async (system) => {
        const run = await firstThat(system, 'dies-once', isSucceeded, { withinMs: crashedWithinMs });
        expect(run).toMatchObject({ crashes: 1, result: { ran: run.id } });
        expect(run.attempts.map(({ outcome }) => outcome)).toEqual(['crashed', 'succeeded']);
        const [crashed, again] = run.attempts;
        expect(Date.parse(again?.startedAt ?? '')).toBeGreaterThanOrEqual(
          Date.parse(crashed?.leaseUntil ?? ''),
        );
        await expectAudited(system, run);
      }),
    );
  });
}

function isSucceeded({ state }: RunJson): boolean {
  return state === 'succeeded';
}

function show({ ledger }: SystemUnderTest, id: string): Promise<RunJson> {
  return flJson('show', id, ...ledger);
}

/** The oldest run that fits, of the job's fires that came due since then, as soon as there is one. */
async function firstThat(
  { ledger }: SystemUnderTest,
  jobId: string,
  fits: (run: RunJson) => boolean,
  { since = Date.now(), withinMs = firstWithinMs } = {},
): Promise<RunJson> {
  const runs = await eventually(
    () => flJson<RunJson[]>('runs', '--job', jobId, '--limit', '100', ...ledger),
    (newest) => newest.some((run) => isDueSince(since, run) && fits(run)),
    withinMs,
  );
  const run = runs.findLast((one) => isDueSince(since, one) && fits(one));
  if (run === undefined) throw new Error(`no run of ${jobId} fits`);
  return run;
}

function isDueSince(since: number, { fireTime }: RunJson): boolean {
  return Date.parse(fireTime) >= since;
}

/** Each fire of the job has its record, none ran twice, up to that of the run at least. */
async function expectAudited({ ledger }: SystemUnderTest, { id, fireTime }: RunJson): Promise<void> {
  const jobId = id.split('#')[0] ?? '';
  const audit = await eventually(
    () => flJson<AuditJson>('audit', ...ledger),
    ({ to }) => to >= fireTime,
    madeUpWithinMs,
  );
  expectClean(audit);
  const ofJob = audit.jobs[jobId];
  expect(ofJob).toMatchObject({ missing: [], doubleRuns: 0, recorded: ofJob?.expected });
}
