import { expect, test } from 'vitest';
import { dynoxideBinary } from '../../functions/local/dynamodb/dynoxide.ts';
import { read, section } from '../docs/documents.ts';
import { measureFires } from './fires.ts';
import { measure, onEmpty } from './measure.ts';
import { costsText, heading } from './text.ts';
import { costOf, type Usage } from './usage.ts';

const isHere = dynoxideBinary() !== undefined;
const patient = { timeout: 120_000 };

test.skipIf(!isHere)('the README tells the costs that are measured', patient, async () => {
  expect(section(read('README.md'), heading).trim()).toBe(costsText(await measure()).trim());
});

test(
  'an emulator that leaves out the index counts the same requests, and the two writes to it less',
  patient,
  async () => {
    const fires = await measureFires(onEmpty('dynalite'), 2);
    expect([...fires.values()]).toMatchObject([
      { requests: 3, readUnits: 1, writeUnits: 2 * 2 * 2, invocations: 1 },
      // Two refused items of a transaction, and a count that isn't in one.
      { requests: 2, readUnits: 0, writeUnits: 2 * 2 + 1, invocations: 1 },
    ]);
  },
);

test('what is used has its price', () => {
  const million = 1e6;
  const usage: Usage = {
    requests: 4,
    readUnits: million,
    writeUnits: million,
    storedGbMonths: 10,
    invocations: million,
    gbSeconds: 0,
    alarms: million,
    queueRequests: million,
    metricRequests: 1_000,
    logBytes: 2e9,
  };
  expect(costOf(usage)).toEqual({
    units: expect.closeTo(0.625 + 0.125),
    storage: expect.closeTo(10 * (0.25 + 0.2)),
    lambda: expect.closeTo(0.2),
    alarms: expect.closeTo(1),
    queue: expect.closeTo(0.4),
    metrics: expect.closeTo(0.01),
    logs: expect.closeTo(1),
  });
});
