import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statfsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { minute } from '../../../functions/domain/time.ts';
import { type Ended, everyMinute, inScenario, type Scenario, startSystem } from '../system.ts';

const patience = { timeout: 2 * minute };

/** What `npm start -- …words` says and ends with, given what can't be. */
function refused(...words: readonly string[]): Promise<Ended> {
  return startSystem('--no-console', ...words).ended;
}

describe.concurrent('npm start refuses', () => {
  test('job files with mistakes: every one is told, and nothing is written', patience, () =>
    inScenario(async (scenario) => {
      const data = scenario.path('data');
      const jobs = scenario.jobs({
        'throws.ts': `throw new Error('no connection string');\n${everyMinute('')}`,
        'bad-cron.ts': everyMinute('').replace("'* * * * *'", "'61 3 * * *'"),
        'bad-option.ts': everyMinute('', "timout: '1 minute',"),
        'billing/same.ts': everyMinute(''),
        'same.ts': everyMinute('', "id: 'billing/same',"),
        'good.ts': everyMinute(''),
      });
      const { code, out, err } = await refused('--data', data, '--jobs', jobs);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err.replaceAll(jobs, 'JOBS')).toMatchInlineSnapshot(`
        "5 problems under JOBS

        bad-cron.ts
          - schedule: minute: "61" is out of range (character 1 of "61 3 * * *"); allowed are 0-59, with * , - /

        bad-option.ts
          - "timout" is no option; did you mean "timeout"?

        throws.ts
          - throws when it is imported: Error: no connection string (throws.ts:1:7); a job is loaded in more places than it runs in: what needs the environment or the network belongs inside run()

        billing/same.ts
          - id: "billing/same" is also the id of same.ts; give one of them another id or path

        same.ts
          - id: "billing/same" is also the id of billing/same.ts; give one of them another id or path
        "
      `);
      expect(existsSync(data)).toBe(false);
    }),
  );

  test.each([
    ['--instancs 3', "error: unknown option '--instancs'\n(Did you mean --instances?)"],
    ['--chaos lots', 'Allowed is a whole number from 0 to 999999999.'],
    ['--instances 11', 'Allowed is a whole number from 1 to 10.'],
    ['--for soon', 'Allowed is a time of at least a second, such as 90s, 5m or 2h.'],
    ['--port 65536', 'Allowed is a whole number from 0 to 65535.'],
  ])('the option %s', patience, (words, message) =>
    inScenario(async (scenario) => {
      const data = scenario.path('data');
      const { code, out, err } = await refused('--data', data, ...words.split(' '));
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain(message);
      expect(err).toContain('(npm start -- --help lists the options)');
      expect(existsSync(data)).toBe(false);
    }),
  );

  test('a port that is in use', patience, () =>
    inScenario(async (scenario) => {
      const server = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as AddressInfo;
      const jobs = scenario.jobs({ 'good.ts': everyMinute('') });
      const words = ['--data', scenario.path('data'), '--jobs', jobs];
      const ended = await refused(...words, '--port', String(port));
      server.close();
      const message = `Port ${port} on 127.0.0.1 is in use. Choose another, or 0 for any free one.\n`;
      expect(ended).toEqual({ code: 2, out: '', err: message });
    }),
  );

  test('a data folder that is a file, or below one', patience, () =>
    inScenario(async (scenario) => {
      const file = path.join(scenario.jobs({ 'good.ts': everyMinute('') }), 'good.ts');
      const words = ['--jobs', path.dirname(file), '--data'];
      const [itself, below] = await Promise.all([
        refused(...words, file),
        refused(...words, path.join(file, 'data')),
      ]);
      expect(itself).toEqual({
        code: 2,
        out: '',
        err: `The data folder ${file} can't be used: there is a file of that name. Name another folder with --data DIR.\n`,
      });
      expect(below).toEqual({
        code: 2,
        out: '',
        err: `The data folder ${path.join(file, 'data')} can't be used: a part of its path is a file. Name another folder with --data DIR.\n`,
      });
    }),
  );

  test('a data folder that may not be written, and a disk that is full', patience, async ({ skip }) => {
    if (!canMount()) skip('this user may not mount file systems');
    await inScenario(async (scenario) => {
      const jobs = scenario.jobs({ 'good.ts': everyMinute('') });
      await onDisk(scenario, 'ro', async (dir) => {
        const { code, out, err } = await refused('--jobs', jobs, '--data', path.join(dir, 'data'));
        expect({ code, out }).toEqual({ code: 2, out: '' });
        expect(err).toMatch(
          /^The data folder \S+ can't be used: its file system is read-only\. Name another .*\n$/,
        );
      });
      for (const leftBytes of [0, 64 * 1024, 600 * 1024])
        await onDisk(scenario, 'rw', async (dir) => {
          fill(dir, leftBytes);
          const { code, out, err } = await refused('--jobs', jobs, '--data', path.join(dir, 'data'));
          expect({ code, out, err }).toEqual({
            code: 2,
            out: '',
            err: expect.stringMatching(
              /^The data folder \S+ can't be used: its disk is full\. Free some space, .*\n$/,
            ),
          });
          expect(holdersOf(path.join(dir, 'data'))).toEqual([]);
        });
    });
  });
});

function canMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' });
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
}

/** A file system of 2 MB, in memory, while `use` runs. */
async function onDisk(
  scenario: Scenario,
  access: 'ro' | 'rw',
  use: (dir: string) => Promise<void>,
): Promise<void> {
  const dir = scenario.path('disk');
  mkdirSync(dir, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=2m,${access}`, 'none', dir]);
  try {
    await use(dir);
  } finally {
    execFileSync('umount', ['--lazy', dir]);
  }
}

function fill(dir: string, leftBytes: number): void {
  const { bavail, bsize } = statfsSync(dir);
  writeFileSync(path.join(dir, 'ballast'), Buffer.alloc(bavail * bsize - leftBytes));
}

/** Locks of a folder that were left behind as if held. */
function holdersOf(dir: string): string[] {
  return existsSync(dir) ? readdirSync(dir).filter((name) => name.startsWith('lock-draft')) : [];
}
