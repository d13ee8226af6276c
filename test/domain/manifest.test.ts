import { expect, test } from 'vitest';
import { manifestIdOf, publicManifest, specIdOf, takesSlot } from '../../functions/domain/manifest.ts';
import { manifestJob } from '../support/jobs.ts';

const job = manifestJob({
  environment: { BANK_KEY: 'secret' },
  permissions: [{ actions: ['s3:GetObject'], resources: ['*'] }],
});

test('what the reconciler and the ledger get of a manifest has no environment of a job', () => {
  const { environment: _values, ...known } = job;
  expect(publicManifest({ version: 1, jobs: [job] })).toEqual({ version: 1, jobs: [known] });
});

test('equal schedules have one id, whatever the order of their options; others have another', () => {
  const spec = { schedules: job.spec.schedules, timezone: 'UTC' };
  expect(specIdOf({ timezone: 'UTC', schedules: spec.schedules })).toBe(specIdOf(spec));
  expect(specIdOf({ ...spec, timezone: 'Asia/Taipei' })).not.toBe(specIdOf(spec));
});

test('manifests of the same jobs have one id; of others another', () => {
  const one = { version: 1, jobs: [job] } as const;
  const id = manifestIdOf(one);
  expect(manifestIdOf(one)).toBe(id);
  expect(manifestIdOf({ version: 1, jobs: [{ ...job }] })).toBe(id);
  expect(manifestIdOf({ version: 1, jobs: [] })).not.toBe(id);
});

test('a job’s runs go one at a time through its slot, unless they may overlap', () => {
  expect(takesSlot({ overlap: 'skip' })).toBe(true);
  expect(takesSlot({ overlap: 'queue' })).toBe(true);
  expect(takesSlot({ overlap: 'allow' })).toBe(false);
});
