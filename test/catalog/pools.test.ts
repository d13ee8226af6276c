import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCatalog } from '../../functions/catalog/load.ts';
import { CatalogError } from '../../functions/catalog/problem.ts';
import { publicManifest } from '../../functions/domain/manifest.ts';
import declaredHere from '../../functions/pools.ts';
import { jobsFolder, jobText } from '../support/jobs-folder.ts';

const reportsDb = `'reports-db': { capacity: 3, describe: 'IO of the reporting database' },`;

/** A folder of pools and job files, as `functions/` is one. */
function folder(pools: string | null, jobs: Readonly<Record<string, string>>): string {
  const below = Object.entries(jobs).map(([file, text]) => [`jobs/${file}`, text]);
  const dir = jobsFolder({ ...Object.fromEntries(below), ...(pools !== null && { 'pools.ts': pools }) });
  return path.join(dir, 'jobs');
}

function declaring(pools: string): string {
  return `import { definePools } from '#job';\nexport default definePools({ ${pools} });\n`;
}

const taking = (weights: string, more = '') => jobText({ more: `pools: { ${weights} }, ${more}` });

/** What a person reads when the folder is refused. */
async function refusal(jobsDir: string): Promise<string> {
  const error = await loadCatalog({ jobsDir }).catch((thrown: unknown) => thrown);
  if (!(error instanceof CatalogError)) throw new Error(`not refused: ${error}`);
  return error.message.replaceAll(jobsDir, 'JOBS');
}

describe('the pools of a jobs folder', () => {
  it('are those of pools.ts beside it, and what its jobs import as #pools', async () => {
    const jobsDir = folder(declaring(reportsDb), {
      'report.ts': jobText({
        before: `import pools from '#pools';`,
        more: `pools: { 'reports-db': pools['reports-db'].capacity }, priority: 5,`,
      }),
    });
    const { manifest, poolsFile } = await loadCatalog({ jobsDir });
    expect(manifest.pools).toEqual({
      'reports-db': { capacity: 3, describe: 'IO of the reporting database' },
    });
    expect(manifest.jobs).toMatchObject([{ id: 'report', pools: { 'reports-db': 3 }, priority: 5 }]);
    expect(path.relative(jobsDir, poolsFile)).toBe('../pools.ts');
    expect(publicManifest(manifest)).toMatchObject({
      pools: manifest.pools,
      jobs: [{ pools: { 'reports-db': 3 }, priority: 5 }],
    });
  });

  it("are this package's where there is none, and nobody is warned that they aren't used", async () => {
    const { manifest, warnings } = await loadCatalog({ jobsDir: folder(null, { 'one.ts': jobText() }) });
    expect(manifest.pools ?? {}).toEqual(declaredHere);
    expect(warnings).toEqual([]);
  });

  it('are all declared in every stage, whichever of its jobs take of them', async () => {
    const jobsDir = folder(declaring(reportsDb), {
      'report.ts': taking(`'reports-db': 1`, `stages: ['prod'],`),
    });
    const { manifest, warnings } = await loadCatalog({ jobsDir, stage: 'dev' });
    expect(manifest).toMatchObject({ jobs: [], pools: { 'reports-db': { capacity: 3 } } });
    expect(warnings).toEqual([]);
  });

  it('are left out of the manifest when there are none', async () => {
    const { manifest } = await loadCatalog({ jobsDir: folder(declaring(''), { 'one.ts': jobText() }) });
    expect(manifest).not.toHaveProperty('pools');
  });
});

describe('bad pools', () => {
  it('are all named at once with their file, together with bad jobs', async () => {
    const pools = `
      ${reportsDb}
      'Mail': { capacity: 1, describe: 'The mail service' },
      '-first': { capacity: 1, describe: 'Begins with a dash' },
      '${'n'.repeat(41)}': { capacity: 1, describe: 'A long name' },
      '\\u001b[2J': { capacity: 1, describe: 'Clears a terminal' },
      'none': { capacity: 0, describe: 'Too small' },
      'half': { capacity: 1.5, describe: 'Not whole' },
      'huge': { capacity: 1001, describe: 'Too big' },
      'misspelt': { capcity: 3, describe: 'No capacity' },
      'silent': { capacity: 3 },
      'wordy': { capacity: 3, describe: '${'d'.repeat(201)}' },
      'lines': { capacity: 3, describe: 'two\\nlines' },
      'number': 3,`;
    const jobs = { 'job.ts': taking(`'reports-db': 4, 'misspelt': 1000, 'report-db': 1`) };
    expect(await refusal(folder(declaring(pools), jobs))).toMatchInlineSnapshot(`
      "15 problems under JOBS

      ../pools.ts
        - "Mail" is no name for a pool; allowed are 1 to 40 of a-z, 0-9 and "-", not beginning with "-"
        - "-first" is no name for a pool; allowed are 1 to 40 of a-z, 0-9 and "-", not beginning with "-"
        - "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn" is no name for a pool; allowed are 1 to 40 of a-z, 0-9 and "-", not beginning with "-"
        - "\\u001b[2J" is no name for a pool; allowed are 1 to 40 of a-z, 0-9 and "-", not beginning with "-"
        - none.capacity: 0 is not allowed; allowed is a whole number of units from 1 to 1000
        - half.capacity: 1.5 is not allowed; allowed is a whole number of units from 1 to 1000
        - huge.capacity: 1001 is not allowed; allowed is a whole number of units from 1 to 1000
        - misspelt.capcity: 3 is no part of misspelt; did you mean "capacity"?
        - misspelt.capacity: nothing is not allowed; allowed is a whole number of units from 1 to 1000
        - silent.describe: missing; write one sentence for the person on call
        - wordy.describe: "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd… has 201 characters; at most 200 are allowed
        - lines.describe: "two\\nlines" must be one line without control characters
        - number: 3 is not allowed; allowed is { capacity: 3, describe: 'IO of the database' }

      job.ts
        - pools.reports-db: 4 is not allowed; allowed is a whole number from 1 to 3, the pool's capacity
        - pools: there is no pool "report-db"; did you mean "reports-db"? (a new one is declared in pools.ts beside the jobs folder: "report-db": { capacity: 3, describe: '…' })"
    `);
  });

  it('a weight beyond a pool of one unit is told that just 1 is allowed', async () => {
    const jobs = { 'job.ts': taking(`'reports-db': 2`) };
    const pools = `'reports-db': { capacity: 1, describe: 'IO' }`;
    expect(await refusal(folder(declaring(pools), jobs))).toContain(
      "pools.reports-db: 2 is not allowed; allowed is 1, the pool's capacity",
    );
  });

  it('a file that is broken is one problem, and jobs are not blamed for it', async () => {
    const jobs = { 'job.ts': taking(`'reports-db': 1`) };
    expect(await refusal(folder('export default definePools({', jobs))).toMatchInlineSnapshot(`
      "1 problem under JOBS

      ../pools.ts
        - pools.ts:1:29: Expected identifier but found end of file"
    `);
    expect(await refusal(folder(`throw new Error('no pools');`, jobs))).toMatchInlineSnapshot(`
      "1 problem under JOBS

      ../pools.ts
        - throws when it is imported: Error: no pools (pools.ts:1:7); a job is loaded in more places than it runs in: what needs the environment or the network belongs inside run()"
    `);
    expect(await refusal(folder('export const pools = {};', jobs))).toMatchInlineSnapshot(`
      "1 problem under JOBS

      ../pools.ts
        - has no default export; write: export default definePools({ … })"
    `);
    expect(await refusal(folder('export default [];', jobs))).toMatchInlineSnapshot(`
      "1 problem under JOBS

      ../pools.ts
        - its default export is an array; write: export default definePools({ … })"
    `);
  });

  it('are a hundred at most', async () => {
    const many = Array.from(
      { length: 101 },
      (_, index) => `'pool-${index}': { capacity: 1, describe: 'One' },`,
    );
    expect(await refusal(folder(declaring(many.join('\n')), { 'job.ts': jobText() }))).toMatchInlineSnapshot(`
      "1 problem under JOBS

      ../pools.ts
        - declares 101 pools; at most 100 are allowed"
    `);
    const { manifest } = await loadCatalog({
      jobsDir: folder(declaring(many.slice(1).join('\n')), { 'job.ts': jobText() }),
    });
    expect(Object.keys(manifest.pools ?? {})).toHaveLength(100);
  });

  it('where there are none, a job is told how to declare its own', async () => {
    const jobs = { 'job.ts': taking(`'reports-db': 1`) };
    expect(await refusal(folder(declaring(''), jobs))).toMatchInlineSnapshot(`
      "1 problem under JOBS

      job.ts
        - pools: there is no pool "reports-db"; none is declared (a new one is declared in pools.ts beside the jobs folder: "reports-db": { capacity: 3, describe: '…' })"
    `);
  });
});

describe('what is valid and probably not meant is a warning', () => {
  const mail = `'mail': { capacity: 1, describe: 'The mail service' },`;

  it('a pool that no job takes of', async () => {
    const jobsDir = folder(declaring(reportsDb + mail), { 'report.ts': taking(`'reports-db': 1`) });
    expect((await loadCatalog({ jobsDir })).warnings).toMatchInlineSnapshot(`
      [
        "../pools.ts: mail: no job takes of this pool",
      ]
    `);
  });

  it('a job that takes all of a pool that others take of, too', async () => {
    const jobsDir = folder(declaring(reportsDb), {
      'heavy.ts': taking(`'reports-db': 3`),
      'light.ts': taking(`'reports-db': 1`),
    });
    expect((await loadCatalog({ jobsDir })).warnings).toMatchInlineSnapshot(`
      [
        "heavy.ts: pools.reports-db: 3 is the whole pool, and others take of it: a run waits until all of them are done, and runs alone",
      ]
    `);
  });

  it('but not one that is alone with its pool, nor several at a pool of one', async () => {
    const jobsDir = folder(declaring(reportsDb + mail), {
      'heavy.ts': taking(`'reports-db': 3, 'mail': 1`),
      'light.ts': taking(`'mail': 1`),
    });
    expect((await loadCatalog({ jobsDir })).warnings).toEqual([]);
  });

  it('nobody is told who takes of what until every file can be read', async () => {
    const jobsDir = folder(declaring(reportsDb), { 'broken.ts': 'export default' });
    expect((await loadCatalog({ jobsDir, onProblem: () => {} })).warnings).toEqual([]);
  });
});
