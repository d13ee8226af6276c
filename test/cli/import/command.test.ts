import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadCatalog } from '../../../functions/catalog/index.ts';
import { temporaryFolder, writeJob } from '../../support/jobs-folder.ts';
import { type Ended, runFl } from '../run-fl.ts';

const now = Date.parse('2026-12-01T00:00:00Z');
const fixtures = path.join(import.meta.dirname, 'fixtures');

/** Imports into a new folder; `dir` stands for the folder in what is told. */
async function importing(
  words: readonly string[],
  { input = '', dir = temporaryFolder() } = {},
): Promise<Ended & { dir: string }> {
  const out = path.join(dir, 'jobs');
  const ended = await runFl(['import', ...words, '--out', out], { now, input });
  const plain = (text: string) => text.replaceAll(dir, 'DIR');
  return { code: ended.code, out: plain(ended.out), err: plain(ended.err), dir };
}

const written = (dir: string) =>
  existsSync(path.join(dir, 'jobs'))
    ? readdirSync(path.join(dir, 'jobs'), { recursive: true }).map(String).sort()
    : [];

/** A file with this text, in a folder of its own. */
function fileOf(name: string, text: string | Uint8Array): string {
  const file = path.join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

describe('fl import', () => {
  const crontab = [
    'MAILTO=ops@example.com',
    '30 2 * * * /opt/backup.sh | gzip > /backup.gz',
    '61 3 * * * /opt/never',
    '',
  ].join('\n');

  test('tells what became of each schedule, and what is left to do', async () => {
    const { code, out } = await importing(['-', '--timezone', 'Europe/Berlin'], { input: crontab });
    expect(code).toBe(1);
    expect(out).toMatchInlineSnapshot(`
      "✓ DIR/jobs/backup.ts  standard input:2
          At 02:30 (Europe/Berlin), next 2026-12-01 02:30 +01:00
          ! timezone: a time that this schedule names does not exist when the clocks of Europe/Berlin go
            forward; it is due at 2027-03-28T03:00:00+02:00 instead (dst: { gap: 'next' }), or not at all
            with gap: 'skip'
          ! timezone: 2027-10-31T02:30 comes twice when the clocks of Europe/Berlin go back; it is due the
            first time and not at 2027-10-31T02:30:00+01:00 (dst: { repeat: 'first' }); 'second' and
            'both' change that
          not carried over:
          - mail of its output to ops@example.com: see ctx.log
          - shell: pipes, redirections and lists of commands

      ✗ standard input:3  never
          minute: "61" is out of range (character 1 of "61 3 * * *"); allowed are 0-59, with * , - /

      Imported 1 schedule; 1 can't be.
      Each file throws until its run() is written, and asks what to do about a missed and a crashed run:
      it says 'skip' and 'park' until you decide. \`fl next\` tells when they are due.
      "
    `);
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });

  test('writes files that the catalog loads', async () => {
    const { code, dir } = await importing([path.join(fixtures, 'cronjobs.yaml')]);
    expect(code).toBe(1);
    expect(written(dir)).toEqual(['_prices.ts', 'billing', 'billing/nightly-report.ts']);
    const { manifest } = await loadCatalog({ jobsDir: path.join(dir, 'jobs'), now });
    expect(manifest.jobs).toMatchObject([
      {
        id: 'billing/nightly-report',
        crashed: 'park',
        overlap: 'skip',
        graceMs: 200_000,
        timeoutMs: 600_000,
      },
    ]);
  });

  test('ends with 0 when every schedule became a job, and tells scripts the same', async () => {
    const { code, out } = await importing([path.join(fixtures, 'rule.json'), '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      dryRun: false,
      imported: [
        {
          id: 'weekly-digest-rule',
          file: 'DIR/jobs/weekly-digest-rule.ts',
          source: expect.stringMatching(/rule\.json:7$/),
          description: 'Weekly digest',
          schedule: 'At 09:00, only on Monday',
          timezone: 'UTC',
          next: '2026-12-07T09:00:00Z',
          disabled: null,
          notCarriedOver: [],
          warnings: [expect.stringContaining('1 is Sunday')],
        },
      ],
      refused: [],
      withoutSchedule: [],
    });
  });

  test('writes nothing when asked what it would do', async () => {
    const { out, dir } = await importing(['-', '--timezone', 'UTC', '--dry-run'], { input: crontab });
    expect(out).toContain('Would import 1 schedule; 1 can');
    expect(existsSync(path.join(dir, 'jobs'))).toBe(false);
  });

  test('overwrites no file, and then writes none', async () => {
    const input = '0 1 * * * /opt/one\n0 2 * * * /opt/two\n';
    const dir = temporaryFolder();
    writeJob(dir, 'jobs/two.ts', 'mine');
    const { code, out, err } = await importing(['-', '--timezone', 'UTC'], { input, dir });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('nothing was written, since these files are there already');
    expect(err).toContain('DIR/jobs/two.ts');
    expect(written(dir)).toEqual(['two.ts']);
    expect(readFileSync(path.join(dir, 'jobs/two.ts'), 'utf8')).toBe('mine');
  });

  test('takes back what it wrote when a later file can’t be written', async () => {
    const dir = temporaryFolder();
    mkdirSync(path.join(dir, 'jobs'));
    writeFileSync(path.join(dir, 'jobs/b'), 'a file where a folder is needed');
    const cronJob = (namespace: string) =>
      `kind: CronJob\nmetadata: { name: x, namespace: ${namespace} }\nspec: { schedule: 0 3 * * * }\n`;
    const { code, err } = await importing(['-'], { input: `${cronJob('a')}---\n${cronJob('b')}`, dir });
    expect(code).toBe(2);
    expect(err).toContain('nothing was written: ');
    expect(written(dir)).toEqual(['b']);
  });

  test('takes a file that holds no schedule among others, and says so', async () => {
    const others = fileOf('empty.yaml', 'kind: ConfigMap\n');
    const { code, out } = await importing([others, path.join(fixtures, 'rule.json')]);
    expect(code).toBe(0);
    expect(out).toContain('No schedule in empty.yaml.');
  });
});

describe('what can’t be read stops the import, with file and line, and nothing is written', () => {
  const good = path.join(fixtures, 'rule.json');

  test.each<[string, string | Uint8Array, string]>([
    ['broken.yaml', 'kind: CronJob\nspec: {\n  a: [1\n', 'broken.yaml:'],
    ['star.yaml', 'kind: CronJob\nspec:\n  schedule: */5 * * * *\n', 'star.yaml:3: is not YAML: '],
    ['helm.yaml', 'kind: CronJob\n{{- if .Values.on }}\nspec: 1\n', 'has to be rendered first'],
    ['deep.yaml', '['.repeat(20_000), 'deep.yaml'],
    [
      'bomb.yaml',
      `a: &a [x]\n${[...'bcdefghij'].map((key, index) => `${key}: &${key} [${Array(9).fill(`*${'abcdefghij'[index]}`)}]`).join('\n')}\n`,
      'is not YAML',
    ],
    ['binary', Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 1, 2), 'is not a text in UTF-8'],
    ['latin1', Uint8Array.of(0x30, 0xe4, 0x0a), 'is not a text in UTF-8'],
    ['large.yaml', '#'.repeat(5_000_000), 'is larger than 1 MB'],
  ])('%s', async (name, text, message) => {
    const { code, out, err, dir } = await importing([good, fileOf(name, text)]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('nothing was written:');
    expect(err).toContain(message);
    expect(written(dir)).toEqual([]);
  });

  test('a file that isn’t there, and a folder', async () => {
    const { code, err, dir } = await importing([good, 'no-such-file', fixtures]);
    expect(code).toBe(2);
    expect(err).toContain("no-such-file: can't be read: ENOENT");
    expect(err).toContain("fixtures: can't be read: EISDIR");
    expect(written(dir)).toEqual([]);
  });

  test.each([
    ['a crontab without a zone', [], '0 3 * * * /opt/x', 'standard input says no zone'],
    [
      'a zone that there isn’t',
      ['--timezone', 'Europe/Berln'],
      '0 3 * * * /opt/x',
      '--timezone: "Europe/Berln" is not in',
    ],
    ['no schedule at all', [], 'kind: ConfigMap', 'no schedule there; read are crontabs'],
  ])('%s', async (_what, options, input, message) => {
    const { code, err } = await importing(['-', ...options], { input });
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe('what others wrote stays a comment', () => {
  const globals = globalThis as { escaped?: unknown };

  test.each([
    ['a line separator in a command', '0 3 * * * /opt/x \u2028globalThis.escaped = 1;//'],
    ['a paragraph separator in a comment', '# About it \u2029globalThis.escaped = 1;//\n0 3 * * * /opt/x'],
    ['a carriage return', '0 3 * * * /opt/x \rglobalThis.escaped = 1;//'],
    ['a line end after %', '0 3 * * * /opt/x%globalThis.escaped = 1;//'],
    ['quotes in a comment', "# It's'+(globalThis.escaped = 1)+'\"`\n0 3 * * * /opt/x"],
    ['a variable', 'X\u2028=1\n"A\u2028globalThis.escaped = 1;//"=1\n0 3 * * * /opt/x'],
  ])('%s', async (_what, input) => {
    const { dir } = await importing(['-', '--timezone', 'UTC'], { input });
    const { manifest } = await loadCatalog({ jobsDir: path.join(dir, 'jobs'), now });
    expect(manifest.jobs).toHaveLength(1);
    expect(globals.escaped).toBeUndefined();
  });

  test('and steers no terminal', async () => {
    const { out } = await importing(['-', '--timezone', 'UTC'], {
      input: '0 3 * * * /opt/\u001b[2Jx\n9\u001b[2J9 x\n',
    });
    expect(out).not.toContain('\u001b');
  });
});
