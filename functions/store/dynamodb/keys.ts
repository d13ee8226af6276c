import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { table } from '../../contract.ts';
import { type DayRef, dayOf } from '../../domain/closed-days/index.ts';
import { type RunRef, runId } from '../../domain/names.ts';
import { day as dayMs, toIso } from '../../domain/time.ts';

export type Item = Record<string, AttributeValue>;

const job = 'job#';
const pool = 'pool#';
const hold = 'hold#';
const fire = 'fire#';
export const specPrefix = 'spec#';
const day = 'day#';
const run = 'run#';
export const stepPrefix = 'step#';

export function jobPartition(jobId: string): string {
  return `${job}${jobId}`;
}

export function runKey({ jobId, key }: RunRef): Item {
  return itemKey(jobPartition(jobId), `${fire}${key}`);
}

export function jobKey(jobId: string): Item {
  return itemKey(jobPartition(jobId), 'state');
}

/** With its milliseconds: two versions of one second are two versions. */
export function specKey(jobId: string, from: number): Item {
  return itemKey(jobPartition(jobId), `${specPrefix}${new Date(from).toISOString()}`);
}

/** `day#2026-11-30` */
export function dayKey({ jobId, day: first }: DayRef): Item {
  return itemKey(jobPartition(jobId), dayText(first));
}

/** Sort keys of the days that begin within [from, to]. */
export function dayRange(from: number, to: number): { readonly first: string; readonly last: string } {
  return { first: dayText(dayOf(clamp(from) - 1) + dayMs), last: dayText(dayOf(clamp(to))) };
}

function dayText(first: number): string {
  return `${day}${toIso(first).slice(0, 10)}`;
}

export function dayRefOf(item: Item): DayRef {
  const date = textOf(item, table.sortKey).slice(day.length);
  return { jobId: jobIdOf(item), day: Date.parse(`${date}T00:00:00Z`) };
}

/** What a run keeps besides its record. */
export function stepPartition(ref: RunRef): string {
  return `${run}${runId(ref)}`;
}

export function stepKey(ref: RunRef, name: string): Item {
  return itemKey(stepPartition(ref), `${stepPrefix}${name}`);
}

export function stepNameOf(item: Item): string {
  return textOf(item, table.sortKey).slice(stepPrefix.length);
}

export function poolKey(name: string): Item {
  return itemKey(`${pool}${name}`, 'state');
}

const log = 'log';

/** With its milliseconds, and apart from others of the same one: by time, whoever wrote it. */
export function actionKey(at: number, nonce: string): Item {
  return itemKey(log, `${new Date(at).toISOString()}#${nonce}`);
}

/** Sort keys of the actions in [from, to]. */
export function actionRange(from: number, to: number): { log: string; first: string; last: string } {
  const iso = (instant: number) => new Date(clamp(instant)).toISOString();
  return { log, first: iso(from), last: `${iso(to)}~` };
}

export const reconcilerKey = itemKey('reconciler', 'state');
export const manifestKey = itemKey('reconciler', 'manifest');
export const zonesKey = itemKey('reconciler', 'zones');

export function runRefOf(item: Item): RunRef {
  return { jobId: jobIdOf(item), key: textOf(item, table.sortKey).slice(fire.length) };
}

export function jobIdOf(item: Item): string {
  return textOf(item, table.partitionKey).slice(job.length);
}

export function poolNameOf(item: Item): string {
  return textOf(item, table.partitionKey).slice(pool.length);
}

/** The attribute of a pool's item that says what a run holds of it. */
export function holdAttribute(ref: RunRef): string {
  return `${hold}${runId(ref)}`;
}

/** The run id of whoever has the hold in this attribute of a pool's item, or null when it is no hold. */
export function holderIn(attribute: string): string | null {
  return attribute.startsWith(hold) ? attribute.slice(hold.length) : null;
}

const lastInstant = Date.parse('9999-12-31T23:59:59Z');

/** Sort keys of the fires in [from, to]. A manual run's key is its instant and `~manual-…`, which sorts below `~~`. */
export function fireRange(from: number, to: number): { readonly first: string; readonly last: string } {
  const firstSecond = Math.ceil(clamp(from) / 1_000) * 1_000;
  return { first: `${fire}${toIso(firstSecond)}`, last: `${fire}${toIso(clamp(to))}~~` };
}

function clamp(instant: number): number {
  return Math.min(Math.max(instant, 0), lastInstant);
}

function itemKey(partition: string, sort: string): Item {
  return { [table.partitionKey]: { S: partition }, [table.sortKey]: { S: sort } };
}

function textOf(item: Item, name: string): string {
  const text = item[name]?.S;
  if (text === undefined) throw new Error(`An item of the ledger has no text in its attribute "${name}".`);
  return text;
}
