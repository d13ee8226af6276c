import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { LedgerFacts } from '../../domain/changes/index.ts';
import type { Manifest, PublishedManifest } from '../../domain/manifest.ts';
import { holdsData } from '../data-endpoint.ts';
import { defaultDataDir, type LedgerOptions } from '../ledger-options.ts';
import { type OpenLedger, usingLedger } from '../open-ledger.ts';
import { UserError } from '../user-error.ts';
import { keepManifest, keptPath, readKept } from './kept-manifest.ts';
import { readFacts } from './read-ledger.ts';

/** What the working copy is compared with. */
export interface Deployed {
  /** `nothing`: there is no manifest yet. */
  readonly source: 'ledger' | 'kept' | 'file' | 'nothing';
  /** What a person calls it. */
  readonly name: string;
  /** Null: nothing is deployed. */
  readonly manifest: PublishedManifest | null;
  /** Null: its ledger was not looked at. */
  readonly facts: LedgerFacts | null;
  /** When the manifest was read; null: nobody knows. */
  readonly readAt: number | null;
  /** Why it is not the ledger, or what did not go well. */
  readonly warnings: readonly string[];
  /** The release of the time zone database by which fires are decided there; absent: not known. */
  readonly tzdata?: string;
}

export interface PlanOptions extends LedgerOptions {
  readonly manifest?: string;
}

interface Asked {
  readonly stage: string;
  readonly after: Manifest;
  readonly now: number;
}

/** What is deployed: as the file says that is named, as the ledger says, or as it said when it could last be read. */
export async function readDeployed(options: PlanOptions, asked: Asked): Promise<Deployed> {
  if (options.manifest !== undefined) return ofFile(options.manifest);
  const data = options.data ?? defaultDataDir;
  const path = keptPath(data, asked.stage);
  try {
    if (options.stage === undefined && isEmpty(data)) return nothing(`the data folder ${data}`, []);
    return await usingLedger(options, 'plan', (open) => ofLedger(open, { ...asked, path }));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const name = options.stage === undefined ? `the data folder ${data}` : `stage ${options.stage}`;
    return otherwise(error, { path, name });
  }
}

/** No system has run on the folder yet; what doesn't exist at all is more likely a slip. */
function isEmpty(data: string): boolean {
  const dir = resolve(data);
  if (holdsData(dir) || process.env.DYNAMODB_ENDPOINT) return false;
  return data === defaultDataDir || existsSync(dir);
}

function nothing(name: string, warnings: readonly string[]): Deployed {
  return { source: 'nothing', name, manifest: null, facts: null, readAt: null, warnings };
}

async function ofFile(path: string): Promise<Deployed> {
  const kept = await readKept(path);
  if (kept === null) throw new UserError(`there is no file ${path}; name a manifest with --manifest FILE`);
  return { source: 'file', name: path, ...kept, facts: null, warnings: [] };
}

async function ofLedger(
  { ledger, name }: OpenLedger,
  { after, now, path }: Asked & { path: string },
): Promise<Deployed> {
  const manifest = await ledger.manifest();
  if (manifest === null) return nothing(name, []);
  const facts = await readFacts(ledger, { before: manifest, after, now });
  const zones = await ledger.zones();
  const warnings = await kept(path, manifest, now);
  const tzdata = zones && { tzdata: zones.tzdata };
  return { source: 'ledger', name, manifest, facts, readAt: now, warnings, ...tzdata };
}

async function kept(path: string, manifest: PublishedManifest, readAt: number): Promise<string[]> {
  try {
    await keepManifest(path, { manifest, readAt });
    return [];
  } catch (error) {
    return [`what was read could not be kept for a plan without a network: ${(error as Error).message}`];
  }
}

/** The ledger can't be read. A table that isn't there may be a first deployment, or another account's. */
async function otherwise(
  error: UserError,
  { path, name }: { path: string; name: string },
): Promise<Deployed> {
  const last = await readKept(path);
  const why = `the ledger could not be read: ${error.message}`;
  if (last !== null) return { source: 'kept', name, ...last, facts: null, warnings: [why] };
  if (hasNoTable(error)) return nothing(name, [error.message]);
  throw new UserError(
    `${error.message}\nNo plan of before has kept what is deployed either; name a manifest with --manifest FILE`,
    { cause: error },
  );
}

function hasNoTable({ cause }: UserError): boolean {
  return cause instanceof Error && cause.name === 'ResourceNotFoundException';
}
