import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { loadCatalog } from '../../functions/catalog/index.ts';
import { stageConfig } from '../../functions/config.ts';
import { publicManifest } from '../../functions/domain/manifest.ts';
import { stackOf } from '../../functions/domain/placement.ts';
import { day, hour } from '../../functions/domain/time.ts';
import { readLock } from '../../functions/local/datafolder.ts';
import { temporaryFolder } from '../support/jobs-folder.ts';
import { type DeployedJobs, deployedJobs, jobFile } from './deployed-jobs.ts';
import { type Ended, runFl } from './run-fl.ts';

const now = Date.parse('2026-12-01T02:00:00Z');
const file = 'mail/digest.ts';
const digest = jobFile(`
  description: 'Send the digest',
  schedule: cron('0 9 * * *'),
  timezone: 'Asia/Taipei',`);

const pools = (capacity: number) =>
  `import { definePools } from '#job';\nexport default definePools({ db: { capacity: ${capacity}, describe: 'x' } });\n`;

function system(): Promise<DeployedJobs> {
  return deployedJobs({ '../pools.ts': pools(2), [file]: digest }, now - 30 * day);
}

function plan({ dir, jobs }: Pick<DeployedJobs, 'dir' | 'jobs'>, ...more: string[]): Promise<Ended> {
  return runFl(['plan', '--data', dir, '--jobs', jobs, ...more], { now, width: 80 });
}

/** From here on nobody answers where the ledger was. */
function goOffline(): void {
  vi.stubEnv('DYNAMODB_ENDPOINT', 'http://127.0.0.1:1');
  onTestFinished(() => void vi.unstubAllEnvs());
}

describe('a ledger that can not be reached', () => {
  test('is stood in for by what the last plan kept, which tells its age and what is not known', {
    timeout: 60_000,
  }, async () => {
    const copy = await system();
    await copy.ledger.setPause('mail/digest', { at: now - day, by: 'ops', note: '' });
    expect((await plan(copy)).code).toBe(2);
    copy.edit(file, '0 9 * * *', '30 8 * * *');
    goOffline();
    const later = await runFl(['plan', '--data', copy.dir, '--jobs', copy.jobs], {
      now: now + 3 * hour,
      width: 80,
    });
    expect(later.err).toBe('');
    expect(later.code).toBe(0);
    const [head = '', changes = ''] = later.out.replaceAll(copy.dir, 'DIR').split('\n\n');
    expect(head.replace(/\n {2}/g, ' ')).toMatch(
      /^Compared with what was kept of the data folder DIR, read 3 h ago; fires from .* UTC\n! the ledger could not be read: the data folder DIR can't be read: .*\n! nothing is known of runs, pauses and pools: no ledger was read$/,
    );
    expect(changes).toContain('7 fires move, each 30 min earlier');
  });

  test('and of which nothing was kept makes no plan: the exit code is 1', { timeout: 60_000 }, async () => {
    const copy = await system();
    goOffline();
    const { code, out, err } = await plan(copy);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('name a manifest with --manifest FILE');
  });
});

describe('a manifest that is given', () => {
  test('is compared with at once: what a plan kept, or a manifest alone', async () => {
    const copy = await system();
    await plan(copy);
    const kept = join(copy.dir, 'deployed-local.json');
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    const alone = join(copy.dir, 'manifest.json');
    writeFileSync(alone, JSON.stringify(JSON.parse(readFileSync(kept, 'utf8')).manifest));
    copy.edit(file, '0 9 * * *', '30 8 * * *');
    goOffline();
    for (const path of [kept, alone]) {
      const { code, out } = await plan(copy, '--manifest', path, '--json');
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({
        comparedWith: 'file',
        readAt: path === kept ? '2026-12-01T02:00:00Z' : null,
        counts: { changed: 1, firesMoved: 7 },
        jobs: [{ id: 'mail/digest', runs: null }],
      });
    }
  });

  test('of a stage is compared with the jobs of that stage', async () => {
    const copy = await system();
    await plan(copy);
    copy.edit(file, 'timezone', "stages: ['dev'], timezone");
    const kept = join(copy.dir, 'deployed-local.json');
    const { code, out } = await runFl(['plan', '--stage', 'prod', '--manifest', kept, '--jobs', copy.jobs], {
      now,
    });
    expect(code).toBe(2);
    expect(out).toContain('- mail/digest  removed');
    expect(out).toContain('its file is still there: it leaves this stage out, or names another id');
  });

  test('of fewer stacks tells which functions move', async () => {
    const copy = await system();
    const { jobStacks } = stageConfig('prod');
    const id = Array.from({ length: 20 }, (_, index) => `jobs/n${index}`).find(
      (one) => stackOf(one, jobStacks) > 1,
    );
    copy.write(`${id}.ts`, digest);
    const kept = join(copy.dir, 'given.json');
    const { manifest } = await loadCatalog({ jobsDir: copy.jobs, stage: 'prod', now });
    writeFileSync(kept, JSON.stringify(publicManifest({ ...manifest, jobStacks: 1 })));
    const given = ['--stage', 'prod', '--manifest', kept, '--jobs', copy.jobs];
    const { code, out } = await runFl(['plan', ...given], { now });
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`~ jobStacks +1 → ${jobStacks}\n`));
    expect(out).toContain(
      `its function moves from stack 1 to ${stackOf(id ?? '', jobStacks)}; while both are there`,
    );
    expect(out).toContain('another number of stacks');
  });

  test.each([
    ['that is not there', null, 'there is no file'],
    ['that is no JSON', '{', 'is no manifest'],
    ['that has other things in it', '{"version":1,"jobs":[{"id":7}]}', 'is no manifest'],
  ])('%s ends with 1', async (_, text, message) => {
    const copy = await system();
    const path = join(copy.dir, 'given.json');
    if (text !== null) writeFileSync(path, text);
    const { code, err } = await plan(copy, '--manifest', path);
    expect(code).toBe(1);
    expect(err).toContain(message);
  });
});

describe('the first deployment', () => {
  test('adds every job, and says when each is due first', async () => {
    const copy = await system();
    const dir = join(temporaryFolder(), 'new');
    mkdirSync(dir);
    const { code, out } = await plan({ dir, jobs: copy.jobs });
    expect({ code, text: out.slice(out.indexOf('\n\n') + 2) }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "text": "This changes
      + mail/digest  added
          At 09:00 (Asia/Taipei): first due 12-02 09:00 +08:00, 7 fires in 7 days
      + pool db      added, capacity 2
          no job takes of it

      1 job added, 1 pool added; 7 fires appeared.
      Nothing that a person must look at.
      ",
      }
    `);
    expect(out.replace(/\n {2}/g, ' ')).toContain(`the data folder ${dir} has no jobs yet, so all are added`);
  });

  test('of a stage says that there is no table, since it may be another account’s', async () => {
    const copy = await system();
    const elsewhere = temporaryFolder();
    // Where the data folder would be.
    vi.spyOn(process, 'cwd').mockReturnValue(elsewhere);
    const environment = {
      AWS_ENDPOINT_URL_DYNAMODB: readLock(copy.dir)?.endpoint ?? '',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_REGION: 'eu-central-1',
    };
    for (const [variable, value] of Object.entries(environment)) vi.stubEnv(variable, value);
    onTestFinished(() => {
      vi.restoreAllMocks();
      vi.unstubAllEnvs();
    });
    const { code, out, err } = await runFl(['plan', '--stage', 'dev', '--jobs', copy.jobs], { now });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.replace(/\n {2}/g, ' ')).toContain(
      'Compared with nothing: stage dev has no jobs yet, so all are added',
    );
    expect(out.replace(/\n {2}/g, ' ')).toContain(
      "! stage dev (table fireledger-dev) doesn't exist in this account and region. Check AWS_PROFILE and AWS_REGION",
    );
  });

  test('into a folder that does not exist is more likely a slip', async () => {
    const copy = await system();
    const { code, err } = await plan({ dir: join(temporaryFolder(), 'none'), jobs: copy.jobs });
    expect(code).toBe(1);
    expect(err).toContain('there is no ledger in');
  });
});

describe('no plan', () => {
  test('is made of a bad job file: each problem is told, and the exit code is 1', async () => {
    const copy = await system();
    copy.edit(file, "crashed: 'park'", "crashed: 'parked'");
    const { code, out, err } = await plan(copy);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('crashed: "parked"');
  });

  test('is made of a weight that no longer fits its pool', async () => {
    const job = digest.replace('timezone', 'pools: { db: 3 }, timezone');
    const copy = await deployedJobs({ '../pools.ts': pools(3), [file]: job }, now - 30 * day);
    copy.write('../pools.ts', pools(2));
    const { code, err } = await plan(copy);
    expect(code).toBe(1);
    expect(err).toContain('allowed is a whole number from 1 to 2');
  });

  test('is made for a stage that is none, or for no whole number of days', async () => {
    const { jobs } = await system();
    expect((await runFl(['plan', '--stage', 'production', '--jobs', jobs], { now })).code).toBe(1);
    expect((await runFl(['plan', '--days', '0', '--jobs', jobs], { now })).code).toBe(2);
  });
});

test('--json tells each fire in UTC and on its wall, and counts them', async () => {
  const copy = await system();
  copy.edit(file, '0 9 * * *', '0 11 * * *');
  const { code, out } = await plan(copy, '--json', '--days', '1');
  expect(code).toBe(2);
  expect(JSON.parse(out)).toMatchInlineSnapshot(`
    {
      "comparedWith": "ledger",
      "counts": {
        "added": 0,
        "changed": 1,
        "firesAppeared": 1,
        "firesMoved": 1,
        "firesVanished": 0,
        "removed": 0,
        "same": 0,
      },
      "from": "2026-12-01T02:00:00Z",
      "jobStacks": null,
      "jobs": [
        {
          "change": "changed",
          "file": {
            "from": "mail/digest.ts",
            "to": "mail/digest.ts",
          },
          "fires": {
            "appeared": [
              {
                "again": {
                  "fireTime": "2026-12-01T01:00:00Z",
                  "localTime": "2026-12-01T09:00:00+08:00",
                },
                "fireTime": "2026-12-01T03:00:00Z",
                "localTime": "2026-12-01T11:00:00+08:00",
              },
            ],
            "counts": {
              "appeared": 1,
              "kept": 0,
              "moved": 1,
              "vanished": 0,
            },
            "moved": [
              {
                "from": {
                  "fireTime": "2026-12-02T01:00:00Z",
                  "localTime": "2026-12-02T09:00:00+08:00",
                },
                "to": {
                  "fireTime": "2026-12-02T03:00:00Z",
                  "localTime": "2026-12-02T11:00:00+08:00",
                },
              },
            ],
            "until": "2026-12-02T02:00:00Z",
            "vanished": [],
          },
          "id": "mail/digest",
          "lookalike": null,
          "looks": [
            "fires-again",
          ],
          "next": "2026-12-01T03:00:00Z",
          "options": {},
          "paused": null,
          "rights": {
            "granted": [],
            "lostSecrets": [],
            "newSecrets": [],
            "withdrawn": [],
          },
          "runs": {
            "canceled": [],
            "dropped": [],
            "replaced": [],
            "running": [],
            "staying": [],
          },
          "says": [
            {
              "look": "fires-again",
              "text": "12-01 09:00 → 11:00 +08:00 is due twice, since its old time is over and its new one is to come",
            },
            {
              "look": null,
              "text": "schedule: At 09:00 → at 11:00",
            },
            {
              "look": null,
              "text": "1 fire moves, 2 h later: 12-02 09:00 → 11:00 +08:00",
            },
          ],
          "stack": null,
        },
      ],
      "look": true,
      "pools": [],
      "readAt": "2026-12-01T02:00:00Z",
      "to": "2026-12-02T02:00:00Z",
      "warnings": [],
    }
  `);
});
