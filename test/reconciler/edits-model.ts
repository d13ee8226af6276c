import { expect } from 'vitest';
import type { Run } from '../../functions/domain/run.ts';
import { hour, minute, second } from '../../functions/domain/time.ts';
import { auditLedger } from '../../functions/store/audit-ledger.ts';
import { beforeSweep, end, jobId, type Played, play, start, type Timeline } from './timeline.ts';

/** What was in force at each fire that was due, minute by minute, and what came next. */
function* expected({ inForce }: Played) {
  for (let fire = Math.ceil(start / minute) * minute; fire <= end; fire += minute) {
    const index = inForce.findLastIndex(({ from }) => from < fire);
    const reign = inForce[index];
    if (!reign?.version?.isDue(fire / minute)) continue;
    yield { fire, reign, before: inForce[index - 1], next: inForce[index + 1] };
  }
}

type Expected = ReturnType<typeof expected> extends Generator<infer T> ? T : never;

/** Every expected fire has one record, no other fire has one, and the audit says so. */
async function checkRecords(played: Played): Promise<Map<number, Run>> {
  const { ledger } = played.made.world;
  const runs = (await played.made.world.runs(jobId)).filter(({ fireTime }) => fireTime <= end);
  const due = [...expected(played)].map(({ fire }) => fire);
  expect(runs.map(({ fireTime }) => fireTime)).toEqual(due);
  const audited = await auditLedger(ledger, [jobId], { from: start, to: end });
  expect(audited).toMatchObject({
    ...{ expected: due.length, recorded: due.length, missing: [], extra: [], doubleRuns: 0 },
    states: { offered: 0, waiting: 0, running: 0, retrying: 0, parked: 0 },
  });
  return new Map(runs.map((run) => [run.fireTime, run]));
}

/** No fire runs twice, none that was excluded runs, and none that the version which took force meanwhile doesn't want. */
function checkRun({ fire, reign, next }: Expected, run: Run): void {
  const minuteOfEpoch = fire / minute;
  const starts = run.attempts.map(({ startedAt }) => startedAt);
  expect(starts.length).toBeLessThanOrEqual(1);
  if (reign.version?.isExcluded(minuteOfEpoch)) {
    expect(starts).toEqual([]);
    expect(['excluded', 'edited', 'removed']).toContain(run.reason);
  }
  const wasEdited = next !== undefined && starts.some((startedAt) => startedAt >= next.from);
  if (!wasEdited || fire <= next.from - hour) return;
  expect(next.version?.isDue(minuteOfEpoch), 'the version that took force has it').toBe(true);
  expect(next.version?.isExcluded(minuteOfEpoch), 'the version that took force excludes it').toBe(false);
}

/** With every alarm and every sweep in time, a fire is lost only where no alarm can be: its code has another schedule. */
function checkNoneLost({ fire, reign, before }: Expected, run: Run, played: Played): void {
  if (run.state !== 'missed') return;
  const rung = played.functionsDuring(fire - beforeSweep, fire + 25 * second);
  const isRung = rung.every((code) => code?.hasAlarms && code.isDue(fire / minute));
  expect(isRung, 'its alarm came to code that has the fire').toBe(false);
  expect(reign.version?.hasAlarms, 'what no alarm hits is swept').toBe(true);
  const isSwept = before?.version && fire <= reign.from + hour;
  expect(Boolean(isSwept), 'after an edit fires are swept for an hour').toBe(false);
}

/** Plays a timeline and holds its ledger against a count by minutes. `calm`: nothing but deploys happened. */
export async function checkTimeline(timeline: Timeline, { calm }: { calm: boolean }): Promise<void> {
  const played = await play(timeline);
  const runs = await checkRecords(played);
  for (const one of expected(played)) {
    const run = runs.get(one.fire);
    if (run === undefined) throw new Error('no record');
    checkRun(one, run);
    if (calm) checkNoneLost(one, run, played);
  }
}
