import { expect, it } from 'vitest';
import type { Manifest, ManifestJob } from '../../../functions/domain/manifest.ts';
import { fireTime, jobId, spec } from '../../support/ledger-records.ts';
import type { Opener } from '../conformance.ts';

const now = fireTime;
const state = {
  watermark: {
    top: now,
    gaps: [{ from: now - 9, to: now - 3 }],
    aside: { [jobId]: { from: now - 9, to: now - 3 } },
  },
  manifestId: 'm-1',
  succession: { current: 'm-1', replaced: { 'm-0': now - 60_000 } },
  sweptAt: now,
  zones: { tzdata: '2025b', recordedAt: now },
  gapSince: now - 60_000,
  noticed: {
    failed: { since: now, told: ['20'], held: 0 },
    [`failed#${jobId}`]: { since: now, told: ['2026-12-01T12:00:00Z.1'], held: 3 },
  },
};

const manifestJob: ManifestJob = {
  id: jobId,
  file: 'billing/send-invoices.ts',
  description: 'Sends the invoices of the month ☃',
  spec,
  specId: 'spec-1',
  missed: { policy: 'all', limit: 100, maxAgeMs: 604_800_000, ratePerMinute: 10 },
  crashed: 'park',
  overlap: 'skip',
  timeoutMs: 600_000,
  graceMs: 180_000,
  memoryMb: 512,
};

export function reconcilerRules(open: Opener): void {
  it('gives the lease to one reconciler, until it is given back', async () => {
    const { ledger } = await open();
    expect(await ledger.acquire('a', now, now + 60_000)).toEqual({});
    expect(await ledger.acquire('b', now + 1, now + 60_001)).toBeNull();
    expect(await ledger.acquire('a', now + 2, now + 90_000)).toEqual({});
    await ledger.releaseLease('b');
    expect(await ledger.acquire('b', now + 60_000, now + 120_000)).toBeNull();
    await ledger.releaseLease('a');
    expect(await ledger.acquire('b', now + 60_000, now + 120_000)).toEqual({});
  });

  it('takes a lease over once it has ended, and the former holder writes nothing more', async () => {
    const { ledger } = await open();
    await ledger.acquire('a', now, now + 60_000);
    expect(await ledger.save('a', state)).toBe(true);
    expect(await ledger.acquire('b', now + 59_999, now + 120_000)).toBeNull();
    expect(await ledger.acquire('b', now + 60_000, now + 120_000)).toEqual(state);
    expect(await ledger.save('a', { sweptAt: 1 })).toBe(false);
    await ledger.releaseLease('a');
    expect(await ledger.acquire('c', now + 61_000, now + 130_000)).toBeNull();
    expect(await ledger.acquire('b', now + 61_000, now + 130_000)).toEqual(state);
  });

  it('saves nothing without a lease', async () => {
    const { ledger } = await open();
    expect(await ledger.save('a', state)).toBe(false);
    await ledger.releaseLease('a');
    expect(await ledger.acquire('a', now, now + 1)).toEqual({});
  });

  it('replaces the state as a whole', async () => {
    const { ledger } = await open();
    await ledger.acquire('a', now, now + 60_000);
    await ledger.save('a', state);
    await ledger.save('a', { sweptAt: now + 5 });
    expect(await ledger.acquire('a', now, now + 60_000)).toEqual({ sweptAt: now + 5 });
  });

  it('keeps the manifest that was saved last, of a thousand jobs if need be', async () => {
    const { ledger } = await open();
    expect(await ledger.manifest()).toBeNull();
    const jobs = Array.from({ length: 1_000 }, (_, n) => ({ ...manifestJob, id: `${jobId}-${n}` }));
    const manifest: Manifest = { version: 1, jobs };
    await ledger.saveManifest({ version: 1, jobs: [manifestJob] });
    await ledger.saveManifest(manifest);
    expect(await ledger.manifest()).toEqual(manifest);
  });

  it('keeps the zone table that was saved last', async () => {
    const { ledger } = await open();
    expect(await ledger.zones()).toBeNull();
    const zone = { from: now, to: now + 1, offset: -16_200_000, changes: [[now + 1, 3_600_000]] as const };
    await ledger.saveZones({ tzdata: '2025a', recordedAt: now - 1, zones: {} });
    const table = { tzdata: '2025b', recordedAt: now, zones: { 'America/St_Johns': zone } };
    await ledger.saveZones(table);
    expect(await ledger.zones()).toEqual(table);
  });
}
