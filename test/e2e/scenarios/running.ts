import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { describe, expect, test } from 'vitest';
import { packageDir } from '../../../functions/catalog/esbuild.ts';
import { minute } from '../../../functions/domain/time.ts';
import { type AuditJson, eventually, expectClean, type RunJson, runsOf } from '../ledger.ts';
import { everyMinute, fl, flJson, inScenario, isReady, type Told } from '../system.ts';

const uptime = 'uptime/check-endpoints';
/** Scenarios wait for the real clock's next minute, side by side. */
const patience = { timeout: 3 * minute };

describe.concurrent('npm start', () => {
  test('delivered three times, each fire runs once, and the last line is a clean audit', patience, () =>
    inScenario(async (scenario) => {
      const data = scenario.path('data');
      const words = ['--json', '--no-console', '--data', data];
      const system = scenario.start(...words, '--instances', '3', '--for', '90s');
      await system.until(isReady);

      const another = await scenario.start(...words).ended;
      expect(another).toMatchObject({ code: 2, out: '' });
      expect(another.err).toMatch(
        /^The data folder \S+ is in use by `npm start` \(process \d+, since \S+Z\)\. Stop that one first .*\n$/,
      );

      await system.until(isHandled(uptime, 'succeeded'));
      const running = await readings(data);
      const { code, err } = await system.ended;
      expect({ code, err }).toEqual({ code: 0, err: '' });
      const audit = system.told.at(-1) as unknown as AuditJson;
      expectClean(audit);
      const { expected, duplicates, states } = audit.jobs[uptime] ?? {};
      expect(expected).toBeGreaterThan(0);
      expect({ duplicates, succeeded: states?.succeeded }).toEqual({
        duplicates: 2 * (expected ?? 0),
        succeeded: expected,
      });
      expect(system.told.filter(isHandled(uptime, 'succeeded'))).toHaveLength(expected ?? 0);

      const stopped = await readings(data);
      expect(stopped.runs).toEqual(expect.arrayContaining(running.runs.map(settledOnly)));
      expect(stopped.shown).toEqual(running.shown);
    }),
  );

  test(
    'leaves the other jobs alone when one throws, rejects, exits or is sent what is not ours',
    patience,
    () =>
      inScenario(async (scenario) => {
        const jobs = scenario.jobs({
          'good.ts': everyMinute("return 'done';"),
          'throws.ts': everyMinute("throw new Error('the bank says no');"),
          'rejects.ts': everyMinute(
            "void pause(20).then(() => { throw new Error('nobody waits for me'); }); await pause(500);",
          ),
          'exits.ts': everyMinute('process.exit(7);'),
        });
        const data = scenario.path('data');
        const system = scenario.start('--json', '--no-console', '--data', data, '--jobs', jobs);
        const { endpointUrl } = await system.until(isReady);
        await sendForeign(String(endpointUrl), 'good');
        const refused = await system.until((event) => event.kind === 'died' && event.jobId === 'good');
        expect(refused.error).toMatch(/^ForeignPayload: a payload that isn't ours: .*its keys are "hello"/);

        await Promise.all([
          system.until(isHandled('good', 'succeeded')),
          system.until(isHandled('throws', 'failed')),
          system.until((event) => event.kind === 'died' && event.jobId === 'exits'),
          eventually(
            () => runsOf(data, 'rejects'),
            ([run]) => run?.state === 'failed',
            2 * minute,
          ),
        ]);
        const newestOf = async (job: string) => (await runsOf(data, job))[0];
        const [good, throws, rejects, exits] = await Promise.all(
          (['good', 'throws', 'rejects', 'exits'] as const).map(newestOf),
        );
        expect(good).toMatchObject({ state: 'succeeded', result: 'done' });
        expect(throws).toMatchObject({
          state: 'failed',
          error: { message: 'the bank says no', stack: expect.stringMatching(/throws\.ts:\d+:\d+/) },
        });
        expect(rejects).toMatchObject({ state: 'failed', error: { message: 'nobody waits for me' } });
        expect(exits).toMatchObject({
          state: 'running',
          suspected: { why: expect.stringContaining('exit') },
        });
        system.kill('SIGINT');
        expect(await system.ended).toMatchObject({ code: 0, err: '' });
        expectClean(system.told.at(-1) as unknown as AuditJson);
      }),
  );

  test('with chaos says its seed, or draws one, and tells at the end what struck', patience, () =>
    inScenario(async (scenario) => {
      const jobs = scenario.jobs({ 'quick.ts': everyMinute('return 1;') });
      const chaosOf = async (...words: readonly string[]) => {
        const system = scenario.start(
          '--json',
          '--ephemeral',
          '--jobs',
          jobs,
          '--for',
          '1s',
          '--chaos',
          ...words,
        );
        const { chaosSeed } = await system.until(isReady);
        expect(await system.ended).toMatchObject({ code: 0, err: '' });
        return { chaosSeed, chaos: system.told.at(-1)?.chaos };
      };
      const seven = await chaosOf('7');
      expect(seven).toMatchObject({ chaosSeed: 7, chaos: { seed: 7 } });
      expect(Object.keys(seven.chaos ?? {})).toEqual(['seed', 'drops', 'duplicates', 'delays', 'kills']);
      const drawn = await chaosOf();
      expect(drawn.chaos).toMatchObject({ seed: drawn.chaosSeed });
    }),
  );

  test('says on Ctrl-C what it waits for, and ends when that has ended', patience, () =>
    inScenario(async (scenario) => {
      const slow = everyMinute('await pause(8_000, undefined, { signal: ctx.signal });');
      const data = scenario.path('data');
      const jobs = scenario.jobs({ 'slow.ts': slow });
      // Through npm, and with the signal to all of the terminal's processes: npm passes it on as well.
      const npm = spawn('npm', ['start', '-s', '--', '--no-console', '--data', data, '--jobs', jobs], {
        cwd: packageDir,
        env: { ...process.env, NO_COLOR: '1' },
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      });
      let out = '';
      npm.stdout.on('data', (text: Buffer) => {
        out += text;
      });
      const ended = once(npm, 'close');
      try {
        await eventually(
          async () => logOf(data),
          (log) => log.includes('"message":"started"'),
          2 * minute,
        );
      } finally {
        process.kill(-(npm.pid ?? 0), 'SIGINT');
      }
      expect(await ended).toEqual([0, null]);
      expect(out).toContain('\nWaiting up to 30 s for slow. Ctrl-C again stops at once.\n');
      expect(out).toMatch(/ ✓ slow {8}\d\d:\d\d {2}ran in \d/);
      expect(out).toContain(
        '\nEvery fire is accounted for: 1 fire due (1 succeeded). 0 duplicates refused, 0 strays.\n',
      );
    }),
  );

  test('ends quietly when nobody reads what it prints', patience, () =>
    inScenario(async (scenario) => {
      const jobs = scenario.jobs({ 'quick.ts': everyMinute('return 1;') });
      const words = ['--ephemeral', '--no-console', '--jobs', jobs].map((word) => `'${word}'`).join(' ');
      const program = `${process.execPath} --import tsx functions/local/main.ts ${words}`;
      const shell = spawn('bash', ['-c', `${program} | head -1; echo "ended with \${PIPESTATUS[0]}"`], {
        cwd: packageDir,
        env: { ...process.env, NO_COLOR: '1' },
      });
      let [out, err] = ['', ''];
      shell.stdout.on('data', (text: Buffer) => {
        out += text;
      });
      shell.stderr.on('data', (text: Buffer) => {
        err += text;
      });
      await once(shell, 'close');
      expect(out).toMatch(/^fireledger ready in .*\nended with 0\n$/);
      expect(err).not.toContain('EPIPE');
    }),
  );
});

/** What the functions of a data folder have printed. */
function logOf(data: string): string {
  const file = path.join(data, 'log.jsonl');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function isHandled(jobId: string, outcome: string): (event: Told) => boolean {
  return (event) =>
    event.kind === 'handled' &&
    event.jobId === jobId &&
    (event.handled as { outcome: string }).outcome === outcome;
}

/** What `fl` tells of a data folder, whether a system runs on it or not. */
async function readings(data: string): Promise<{ runs: RunJson[]; shown: RunJson }> {
  const runs = await flJson<RunJson[]>('runs', '--data', data);
  const [first] = runs.filter(({ state }) => state === 'succeeded').slice(-1);
  const [shown, audit] = await Promise.all([
    flJson<RunJson>('show', first?.id ?? '', '--data', data),
    fl('audit', '--data', data),
  ]);
  expect(audit.code).toBe(0);
  return { runs, shown };
}

function settledOnly({ id, state }: RunJson): unknown {
  return expect.objectContaining({ id, ...(state === 'running' ? {} : { state }) });
}

async function sendForeign(endpoint: string, job: string): Promise<void> {
  const client = new LambdaClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const Payload = new TextEncoder().encode('{"hello":"secret"}');
  const FunctionName = `fireledger-local-1-${job}`;
  await client.send(new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload }));
  client.destroy();
}
