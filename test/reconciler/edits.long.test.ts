import fc from 'fast-check';
import { test } from 'vitest';
import { holds } from '../support/property.ts';
import { checkTimeline } from './edits-model.ts';
import { calm, faulty } from './timeline.ts';

test('whatever is deployed when, in two thousand timelines, no fire is lost, imagined or run twice', async () => {
  await holds(
    fc.asyncProperty(calm, (timeline) => checkTimeline(timeline, { calm: true })),
    { runs: 2_000 },
  );
});

test('nor when alarms come late, often or never, and sweeps fall out', async () => {
  await holds(
    fc.asyncProperty(faulty, (timeline) => checkTimeline(timeline, { calm: false })),
    { runs: 2_000 },
  );
});
