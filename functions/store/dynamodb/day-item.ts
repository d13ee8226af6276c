import { gunzipSync, gzipSync } from 'node:zlib';
import type { ClosedDay, ClosedRun, DayRecord } from '../../domain/closed-days/index.ts';
import { Unwritable } from '../../domain/ledger.ts';
import { fireTimeOf } from '../../domain/names.ts';
import { toIso } from '../../domain/time.ts';
import { attributesOf } from './attributes.ts';
import { valuesOf } from './items.ts';
import { dayKey, dayRefOf, type Item } from './keys.ts';

/** DynamoDB's limit for an item is 400 KB. A day of a job that is due every minute takes 20 to 100, by what its runs did. */
const largestKb = 390;

/** It has no `ttl`: it is there to outlive the records. The counts can be read as they are; what there is of each run is compressed. */
export function dayItem({ runs, counts, ...ref }: ClosedDay): Item {
  const body = gzipSync(JSON.stringify(runs.map(rowOf)));
  const kb = Math.ceil(body.byteLength / 1_024);
  if (kb > largestKb)
    throw new Unwritable(
      `The ${toIso(ref.day).slice(0, 10)} of ${ref.jobId} has ${runs.length} runs, which take ${kb} KB compressed; at most ${largestKb} KB fit in an item.`,
    );
  return { ...dayKey(ref), ...attributesOf({ counts }), body: { B: body } };
}

export function dayRecordOf(item: Item): DayRecord {
  const { body, ...others } = item;
  const { counts, reopened } = valuesOf(others) as {
    counts?: ClosedDay['counts'];
    reopened?: string;
  };
  const { jobId, day } = dayRefOf(item);
  return {
    closed:
      body?.B === undefined || counts === undefined ? null : { jobId, day, counts, runs: runsIn(body.B) },
    ...(reopened !== undefined && { reopened }),
  };
}

function runsIn(body: Uint8Array): ClosedRun[] {
  const rows: readonly Row[] = JSON.parse(gunzipSync(body).toString());
  return rows.map(runOfRow);
}

/** A run's times as distances from its fire, in milliseconds: small numbers, of which many are alike. 0 and null say nothing. */
type Row = readonly [
  key: string,
  state: ClosedRun['state'],
  trigger: ClosedRun['trigger'],
  attempts: number,
  startedAt: number | null,
  endedAt: number | null,
  lastStartedAt: number | null,
  reason: NonNullable<ClosedRun['reason']> | null,
  isRequested: 0 | 1,
  wasDouble: 0 | 1,
  duplicates: number,
  held: readonly [weights: NonNullable<ClosedRun['held']>['weights'], stays: readonly number[]] | null,
];

function rowOf(run: ClosedRun): Row {
  const { key, fireTime, state, trigger, attempts, reason = null, duplicates, held } = run;
  const since = (instant: number | undefined) => (instant === undefined ? null : instant - fireTime);
  const stays = held?.stays.flatMap(({ from, until }) => [from - fireTime, until - from]) ?? [];
  return [
    ...([key, state, trigger, attempts] as const),
    ...([since(run.startedAt), since(run.endedAt), since(run.lastStartedAt), reason] as const),
    ...([run.isRequested ? 1 : 0, run.wasDouble ? 1 : 0, duplicates] as const),
    held === undefined ? null : [held.weights, stays],
  ];
}

function runOfRow(row: Row): ClosedRun {
  const [key, state, trigger, attempts, started, ended, lastStarted, reason, requested, double, duplicates] =
    row;
  const held = row[11];
  const fireTime = fireTimeOf(key) ?? 0;
  return {
    ...{ key, fireTime, state, trigger, attempts, duplicates },
    ...{ isRequested: requested === 1, wasDouble: double === 1 },
    ...(reason !== null && { reason }),
    ...(started !== null && { startedAt: fireTime + started }),
    ...(lastStarted !== null && { lastStartedAt: fireTime + lastStarted }),
    ...(ended !== null && { endedAt: fireTime + ended }),
    ...(held !== null && { held: { weights: held[0], stays: staysOf(held[1], fireTime) } }),
  };
}

function staysOf(distances: readonly number[], fireTime: number) {
  return distances.flatMap((from, index) => {
    const length = distances[index + 1] ?? 0;
    return index % 2 === 0 ? [{ from: fireTime + from, until: fireTime + from + length }] : [];
  });
}
