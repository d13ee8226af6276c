import { expect, test } from 'vitest';
import type { Reign } from '../../functions/domain/due.ts';
import { fireKey } from '../../functions/domain/names.ts';
import { plan } from '../../functions/domain/plan.ts';
import { isExcluded, timetable } from '../../functions/domain/schedule/index.ts';
import { at, jobState, manifestJob } from '../support/jobs.ts';

const job = manifestJob();

/** The job's fires at these times, under a version that no alarm hits. */
function due(...times: string[]) {
  const reign: Reign = {
    specId: job.specId,
    from: 0,
    timetable: timetable(job.spec),
    isSwept: () => true,
    isExcluded: (fire) => isExcluded(job.spec, fire),
    timezone: 'UTC',
  };
  return times.map((time) => ({ fire: { jobId: job.id, fireTime: at(time), specId: job.specId }, reign }));
}

function planned(times: readonly string[], now: string, more: { recorded?: string[]; paused?: string } = {}) {
  const { recorded = [], paused } = more;
  const pause = paused === undefined ? {} : { paused: { at: at(paused), by: 'ops', note: '' } };
  const keys = new Set(recorded.map((time) => fireKey(at(time))));
  return plan({ job, state: jobState(job, pause), due: due(...times), recorded: keys }, at(now));
}

const times = (fires: readonly { fireTime: number }[]) =>
  fires.map(({ fireTime }) => fireKey(fireTime).slice(11, 16));

test('live fires are offered oldest first, whatever the order they were found in', () => {
  expect(times(planned(['12:02', '12:00', '12:01'], '12:02').offers)).toEqual(['12:00', '12:01', '12:02']);
});

test('missed fires come newest first, since the newest are made up', () => {
  expect(times(planned(['12:01', '12:00', '12:02'], '13:00').missed)).toEqual(['12:02', '12:01', '12:00']);
});

test('a fire that has its record calls for nothing', () => {
  expect(planned(['12:00'], '13:00', { recorded: ['12:00'] })).toEqual({
    offers: [],
    skips: [],
    missed: [],
    notYet: [],
  });
});

test('a fire of a paused job needs its record alone, and one that is not due yet stays owed', () => {
  const { skips, notYet } = planned(['12:01', '12:03'], '12:02', { paused: '12:00' });
  expect(skips.map(({ fire, reason }) => [...times([fire]), reason])).toEqual([['12:01', 'paused']]);
  expect(notYet).toEqual([at('12:03')]);
});
