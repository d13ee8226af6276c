import { gunzipSync, gzipSync } from 'node:zlib';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Ledger, ReconcilerState, ZoneTable } from '../../domain/ledger.ts';
import { manifestIdOf, type PublishedManifest } from '../../domain/manifest.ts';
import { leaseIsMine, leaseIsOpen } from './conditions.ts';
import type { Database } from './database.ts';
import { Changes } from './expressions.ts';
import { reconcilerStateOf } from './items.ts';
import { manifestKey, reconcilerKey, zonesKey } from './keys.ts';
import { get } from './read.ts';
import { crowded, type Outcome, update } from './write.ts';

/** The reconciler's state as it stands, and until when a turn may write under its lease; absent: the lease is free. */
export interface ReconcilerStanding extends ReconcilerState {
  readonly leaseUntil?: number;
}

/** Reads without taking the lease. Null before its first turn. */
export async function readReconciler(
  db: Pick<Database, 'client' | 'table'>,
): Promise<ReconcilerStanding | null> {
  const item = await get(db, reconcilerKey);
  if (item === null) return null;
  const until = item.leaseUntil?.N;
  return { ...reconcilerStateOf(item), ...(until === undefined ? {} : { leaseUntil: Number(until) }) };
}

type ReconcilerVerbs = Pick<
  Ledger,
  'manifest' | 'saveManifest' | 'zones' | 'saveZones' | 'acquire' | 'save' | 'releaseLease'
>;

/** The verbs of the reconciler's own items. */
export function reconcilerVerbs(db: Database): ReconcilerVerbs {
  return {
    manifest: () => readManifest(db),
    saveManifest: (manifest) => saveManifest(db, manifest),
    zones: () => readZones(db),
    saveZones: (table) => saveZones(db, table),
    async acquire(token, now, until) {
      const lease = new Changes().set('leaseToken', token).set('leaseUntil', until);
      const outcome = await update(db, { Key: reconcilerKey, ...lease.under(leaseIsOpen(token, now)) });
      return outcome.kind === 'done' ? reconcilerStateOf(outcome.item ?? {}) : null;
    },
    async save(token, state) {
      const outcome = await update(db, {
        Key: reconcilerKey,
        ...replacing(state).under(leaseIsMine(token)),
      });
      return written(outcome);
    },
    async releaseLease(token) {
      const lease = new Changes().remove('leaseToken', 'leaseUntil');
      written(await update(db, { Key: reconcilerKey, ...lease.under(leaseIsMine(token)) }));
    },
  };
}

function written(outcome: Outcome): boolean {
  if (outcome.kind === 'conflict') throw new Error(`The reconciler's state could not be written: ${crowded}`);
  return outcome.kind === 'done';
}

/** What the new state does not have, it no longer has. */
function replacing(state: ReconcilerState): Changes {
  const { watermark, manifestId, succession, sweptAt, zones, gapSince, noticed } = state;
  const changes = new Changes();
  const all = { watermark, manifestId, succession, sweptAt, zones, gapSince, noticed };
  for (const [name, value] of Object.entries(all))
    if (value === undefined) changes.remove(name);
    else changes.set(name, value);
  return changes;
}

/** DynamoDB's limit for an item is 400 KB. */
const largestManifestKb = 390;

async function saveManifest(db: Database, manifest: PublishedManifest): Promise<void> {
  const body = gzipSync(JSON.stringify(manifest));
  const kb = Math.ceil(body.byteLength / 1_024);
  if (kb > largestManifestKb)
    throw new Error(
      `The manifest of ${manifest.jobs.length} jobs has ${kb} KB compressed; at most ${largestManifestKb} KB fit in the ledger. Shorten descriptions, or split the jobs into two stages.`,
    );
  const item = { ...manifestKey, manifestId: { S: manifestIdOf(manifest) }, body: { B: body } };
  await db.client.send(new PutItemCommand({ TableName: db.table, Item: item }));
}

async function readManifest(db: Database): Promise<PublishedManifest | null> {
  const body = (await get(db, manifestKey))?.body?.B;
  return body === undefined ? null : JSON.parse(gunzipSync(body).toString());
}

/** As JSON text: it is read as a whole or not at all. All zones there are take less than a tenth of an item. */
async function saveZones(db: Database, table: ZoneTable): Promise<void> {
  const item = { ...zonesKey, tzdata: { S: table.tzdata }, body: { S: JSON.stringify(table) } };
  await db.client.send(new PutItemCommand({ TableName: db.table, Item: item }));
}

async function readZones(db: Database): Promise<ZoneTable | null> {
  const body = (await get(db, zonesKey))?.body?.S;
  return body === undefined ? null : JSON.parse(body);
}
