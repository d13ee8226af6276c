import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createLambdaService,
  type FailureRecord,
  type FunctionOptions,
  type InvocationEvent,
  InvokeError,
  type LambdaServiceOptions,
} from '../../functions/local/lambda/service.ts';
import { identify, isAlive } from '../../functions/local/process-identity.ts';

const HANDLER = `
let count = 0;
const deeds = {
  echo: (event) => ({ event, count: (count += 1), pid: process.pid }),
  throw: () => { throw new TypeError('no such account'); },
  exit: ({ code }) => process.exit(code),
  hang: () => { console.log('at work'); return new Promise(() => {}); },
  spin: () => { console.log('at work'); for (;;); },
  say: ({ lines }) => { for (const line of lines) console.log(line); console.error('to stderr'); process.stdout.write('no end'); },
  env: () => ({ env: process.env, cwd: process.cwd(), args: process.execArgv }),
  context: (_, context) => ({ ...context, remaining: context.getRemainingTimeInMillis() }),
  escape: () => new Promise(() => { setImmediate(() => { throw new RangeError('escaped'); }); }),
  reject: () => new Promise(() => { Promise.reject(new Error('unseen')); }),
  big: () => 1n,
  leave: () => { globalThis.left = 'frozen'; setTimeout(() => { globalThis.left = 'thawed'; }, 0); return globalThis.left; },
  left: () => new Promise((resolve) => { setTimeout(() => resolve(globalThis.left), 20); }),
  child: () => require('node:child_process').spawn('sleep', ['60']).pid,
};
exports.handler = async (event, context) => deeds[event.do](event, context);
`;

interface Heard {
  readonly logs: string[];
  readonly failures: FailureRecord[];
  readonly events: InvocationEvent[];
  nextFailure(): Promise<FailureRecord>;
  nextLog(): Promise<string>;
}

function bundle(code: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'fireledger-lambda-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'index.cjs');
  writeFileSync(file, code);
  return file;
}

function start(
  options: Partial<Omit<LambdaServiceOptions, 'functions'>> & {
    code?: string;
    job?: Partial<FunctionOptions>;
  } = {},
) {
  const { code = HANDLER, job, ...service } = options;
  const told = new EventEmitter();
  const heard: Heard = {
    logs: [],
    failures: [],
    events: [],
    nextFailure: async () => (await once(told, 'failure'))[0],
    nextLog: async () => (await once(told, 'log'))[0],
  };
  const lambda = createLambdaService({
    functions: { job: { bundle: bundle(code), env: {}, timeoutMs: 10_000, memoryMb: 128, ...job } },
    endpointUrl: 'http://127.0.0.1:9',
    onLog: (name, requestId, stream, line) => {
      heard.logs.push(`${name} ${requestId} ${stream} ${line}`);
      told.emit('log', line);
    },
    onInvocation: (event) => heard.events.push(event),
    onFailure: (record) => {
      heard.failures.push(record);
      told.emit('failure', record);
    },
    ...service,
  });
  onTestFinished(() => lambda.close());
  const call = (payload: object) => lambda.invoke('job', payload, 'sync');
  return { lambda, call, heard };
}

async function ended(pid: number): Promise<void> {
  const process = identify(pid);
  await expect.poll(() => isAlive(process), { interval: 5, timeout: 5_000 }).toBe(false);
}

describe('an invocation', () => {
  it('answers with what the handler returned, and finds its sandbox warm the next time', async () => {
    const { call } = start();
    const first = await call({ do: 'echo', a: [1, null] });
    const second = await call({ do: 'echo' });
    expect(first.result).toMatchObject({ event: { do: 'echo', a: [1, null] }, count: 1 });
    expect(second.result).toMatchObject({ count: 2, pid: (first.result as { pid: number }).pid });
    expect(second.requestId).not.toBe(first.requestId);
  });

  it('has a sandbox to itself', async () => {
    const { call, lambda } = start();
    const results = await Promise.all([1, 2, 3].map(() => call({ do: 'echo' })));
    const pids = new Set(results.map(({ result }) => (result as { pid: number }).pid));
    expect(pids.size).toBe(3);
    expect(
      lambda
        .pids()
        .map(({ pid }) => pid)
        .sort(),
    ).toEqual([...pids].sort());
  });

  it('is told, with its process and its result, when it starts and when it ends', async () => {
    const { call, heard } = start();
    const { requestId, result } = await call({ do: 'echo' });
    const { pid } = result as { pid: number };
    expect(heard.events).toEqual([
      { kind: 'started', functionName: 'job', requestId, pid, cold: true },
      { kind: 'ended', functionName: 'job', requestId, pid, result },
    ]);
  });

  it('has Lambda’s context', async () => {
    const { call } = start();
    const { requestId, result } = await call({ do: 'context' });
    expect(result).toEqual({
      awsRequestId: requestId,
      functionName: 'job',
      functionVersion: '$LATEST',
      invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:job',
      memoryLimitInMB: '128',
      logGroupName: '/aws/lambda/job',
      logStreamName: 'local',
      callbackWaitsForEmptyEventLoop: true,
      remaining: expect.any(Number),
    });
    const { remaining } = result as { remaining: number };
    expect(remaining).toBeGreaterThan(9_000);
    expect(remaining).toBeLessThanOrEqual(10_000);
  });

  it('has Lambda’s environment and nothing of the person’s own', async () => {
    process.env.AWS_PROFILE = 'production';
    onTestFinished(() => void delete process.env.AWS_PROFILE);
    const { call } = start({ job: { env: { FIRELEDGER_TABLE: 't', AWS_ACCESS_KEY_ID: 'AKIA' } } });
    const { env, args } = (await call({ do: 'env' })).result as { env: object; args: string[] };
    // A shell stands between, and adds these.
    const shells = ['PWD', 'OLDPWD', 'SHLVL', '_'];
    expect(
      Object.keys(env)
        .filter((name) => !shells.includes(name))
        .sort(),
    ).toMatchInlineSnapshot(`
      [
        "AWS_ACCESS_KEY_ID",
        "AWS_CONFIG_FILE",
        "AWS_DEFAULT_REGION",
        "AWS_EC2_METADATA_DISABLED",
        "AWS_ENDPOINT_URL",
        "AWS_EXECUTION_ENV",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
        "AWS_LAMBDA_FUNCTION_NAME",
        "AWS_LAMBDA_FUNCTION_VERSION",
        "AWS_LAMBDA_INITIALIZATION_TYPE",
        "AWS_LAMBDA_LOG_GROUP_NAME",
        "AWS_LAMBDA_LOG_STREAM_NAME",
        "AWS_REGION",
        "AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "AWS_SHARED_CREDENTIALS_FILE",
        "FIRELEDGER_TABLE",
        "LANG",
        "PATH",
        "TZ",
        "_HANDLER",
      ]
    `);
    expect(env).toMatchObject({
      AWS_ACCESS_KEY_ID: 'local',
      AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
      AWS_LAMBDA_FUNCTION_NAME: 'job',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
      FIRELEDGER_TABLE: 't',
      TZ: 'UTC',
    });
    expect(args).toEqual(['--enable-source-maps', '--max-old-space-size=128']);
  });

  it('owns every line it wrote, also those without an end', async () => {
    const { call, heard } = start();
    const { requestId: first } = await call({ do: 'say', lines: ['one', 'two'] });
    const { requestId: second } = await call({ do: 'say', lines: ['three'] });
    expect(heard.logs.filter((line) => line.includes('stdout'))).toEqual([
      `job ${first} stdout one`,
      `job ${first} stdout two`,
      `job ${first} stdout no end`,
      `job ${second} stdout three`,
      `job ${second} stdout no end`,
    ]);
    expect(heard.logs.filter((line) => line.includes('stderr'))).toEqual([
      `job ${first} stderr to stderr`,
      `job ${second} stderr to stderr`,
    ]);
  });

  it('freezes when it has ended: what it left behind goes on in the next one', async () => {
    const { call } = start();
    await call({ do: 'leave' });
    expect((await call({ do: 'leave' })).result).toBe('frozen');
    expect((await call({ do: 'left' })).result).toBe('thawed');
  });

  it.each<[string, object, string, RegExp]>([
    ['an exception', { do: 'throw' }, 'TypeError', /^no such account$/],
    ['a result that is no JSON', { do: 'big' }, 'TypeError', /BigInt/],
    ['an exception that escapes the handler', { do: 'escape' }, 'RangeError', /^escaped$/],
    ['a rejection that nobody sees', { do: 'reject' }, 'Runtime.UnhandledPromiseRejection', /^unseen$/],
    [
      'an exit',
      { do: 'exit', code: 3 },
      'Runtime.ExitError',
      /Error: Runtime exited with error: exit status 3$/,
    ],
    [
      'a silent exit',
      { do: 'exit', code: 0 },
      'Runtime.ExitError',
      /Runtime exited without providing a reason$/,
    ],
  ])('fails by %s, and the next one works', async (_, payload, errorType, message) => {
    const { call } = start();
    const { error } = await call(payload);
    expect(error).toMatchObject({ errorType, errorMessage: expect.stringMatching(message) });
    expect((await call({ do: 'echo' })).result).toMatchObject({ event: { do: 'echo' } });
  });

  it.each<[string, string, string, RegExp]>([
    ['throws at its import', 'throw new Error("bad import")', 'Error', /^bad import$/],
    ['has no handler', 'exports.handle = 1', 'Runtime.HandlerNotFound', /index\.handler is undefined/],
    [
      'takes a callback',
      'exports.handler = (a, b, c) => c()',
      'Runtime.CallbackHandlerDeprecated',
      /promise/,
    ],
    ['does not parse', 'exports.handler = (', 'SyntaxError', /Unexpected/],
    ['exits at its import', 'process.exit(7)', 'Runtime.ExitError', /exit status 7/],
  ])('fails when the bundle %s', async (_, code, errorType, message) => {
    const { call } = start({ code });
    const { error } = await call({});
    expect(error).toMatchObject({ errorType, errorMessage: expect.stringMatching(message) });
  });

  it.each(['hang', 'spin'])(
    'is killed at its timeout, whatever it does (%s), with what it started',
    async (deed) => {
      const { call, heard } = start({ job: { timeoutMs: 100 } });
      const { requestId, error } = await call({ do: deed });
      expect(error).toEqual({
        errorType: 'Sandbox.Timedout',
        errorMessage: `RequestId: ${requestId} Error: Task timed out after 0.10 seconds`,
      });
      await ended(heard.events[0]?.pid ?? 0);
      expect((await call({ do: 'echo' })).result).toMatchObject({ count: 1 });
    },
  );

  it('is over by the wall clock when the machine slept, before another starts', async () => {
    let now = 0;
    const { call, lambda, heard } = start({ clock: () => now, job: { timeoutMs: 60_000 } });
    await call({ do: 'echo' });
    const sleeper = call({ do: 'hang' });
    expect(await heard.nextLog()).toBe('at work');
    const pid = heard.events.at(-1)?.pid ?? 0;
    now = 60_000;
    const next = await lambda.invoke('job', { do: 'echo' }, 'sync');
    expect(isAlive(identify(pid))).toBe(false);
    expect((next.result as { pid: number }).pid).not.toBe(pid);
    expect((await sleeper).error?.errorType).toBe('Sandbox.Timedout');
  });

  it('leaves no process behind that it started when its sandbox goes', async () => {
    const { call, lambda } = start();
    const { result } = await call({ do: 'child' });
    await lambda.close();
    await ended(result as number);
  });
});

describe('an asynchronous invocation', () => {
  it('is accepted at once, and its failure goes to the destination in Lambda’s shape', async () => {
    const { lambda, heard } = start({ clock: () => Date.parse('2026-11-30T19:00:00Z') });
    const failure = heard.nextFailure();
    const accepted = await lambda.invoke('job', { do: 'throw' }, 'async');
    expect(accepted).toEqual({ requestId: expect.any(String) });
    expect(await failure).toEqual({
      version: '1.0',
      timestamp: '2026-11-30T19:00:00.000Z',
      requestContext: {
        requestId: accepted.requestId,
        functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:job:$LATEST',
        condition: 'RetriesExhausted',
        approximateInvokeCount: 1,
      },
      requestPayload: { do: 'throw' },
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
      responsePayload: {
        errorType: 'TypeError',
        errorMessage: 'no such account',
        trace: expect.arrayContaining(['TypeError: no such account']),
      },
    });
    expect(heard.events.filter(({ kind }) => kind === 'started')).toHaveLength(1);
  });

  it('that fails tells the place in the source, not in the bundle', async () => {
    const source =
      "\nexport const handler = async (): Promise<never> => {\n  throw new Error('no such account');\n};\n";
    const { code } = transformSync(source, {
      loader: 'ts',
      format: 'cjs',
      minify: true,
      sourcemap: 'inline',
      sourcefile: 'close-month.ts',
    });
    const { call } = start({ code });
    const { error } = await call({});
    expect(error?.trace?.[1]).toMatch(/close-month\.ts:3:9/);
  });

  it('is dropped, and told, when it could not start within its event age', async () => {
    let now = 0;
    const { lambda, heard } = start({ clock: () => now, concurrency: 1, job: { maxEventAgeMs: 60_000 } });
    const busy = lambda.invoke('job', { do: 'echo' }, 'sync');
    const failure = heard.nextFailure();
    const { requestId } = await lambda.invoke('job', { do: 'echo', late: true }, 'async');
    now = 60_001;
    await busy;
    expect(await failure).toEqual({
      version: '1.0',
      timestamp: '1970-01-01T00:01:00.001Z',
      requestContext: {
        requestId,
        functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:job:$LATEST',
        condition: 'EventAgeExceeded',
        approximateInvokeCount: 0,
      },
      requestPayload: { do: 'echo', late: true },
    });
  });

  it('is refused over 1 MB, and for a function that is not there', async () => {
    const { lambda } = start();
    await expect(lambda.invoke('job', 'x'.repeat(1024 * 1024), 'async')).rejects.toThrow(
      new InvokeError('RequestTooLargeException', 413, 'An asynchronous payload may have 1 MB at most.'),
    );
    await expect(lambda.invoke('jib', {}, 'async')).rejects.toThrow('Function not found: jib. Known: job.');
  });
});

describe('the service', () => {
  it('ends an idle sandbox after a while', async () => {
    const { call, lambda } = start({ idleMs: 1 });
    const { result } = await call({ do: 'echo' });
    await ended((result as { pid: number }).pid);
    await expect.poll(() => lambda.pids(), { interval: 5 }).toEqual([]);
  });

  it('drains: takes nothing new, lets what runs end, and says what is left', async () => {
    const { call, lambda, heard } = start();
    const running = call({ do: 'echo' });
    expect(await lambda.drain(10_000)).toEqual([]);
    expect((await running).result).toMatchObject({ count: 1 });
    await expect(call({ do: 'echo' })).rejects.toThrow('Shutting down: nothing new is started.');
    expect(heard.failures).toEqual([]);
  });

  it('says what is left when draining takes too long', async () => {
    const { lambda } = start();
    const { requestId } = await lambda.invoke('job', { do: 'hang' }, 'async');
    expect(await lambda.drain(1)).toEqual([{ functionName: 'job', requestId }]);
  });

  it.each(['hang', 'spin', 'echo'])('takes its sandboxes with it when it is killed (%s)', async (deed) => {
    const pid = await invokeInKilledProcess(deed);
    await ended(pid);
  });
});

/** Starts a service in another process, and kills that one when the sandbox is at work or (with echo) frozen. */
async function invokeInKilledProcess(deed: string): Promise<number> {
  const module = new URL('../../functions/local/lambda/service.ts', import.meta.url).href;
  const script = `import { createLambdaService } from ${JSON.stringify(module)};
    const lambda = createLambdaService({
      functions: { job: { bundle: ${JSON.stringify(bundle(HANDLER))}, env: {}, timeoutMs: 60000, memoryMb: 128 } },
      endpointUrl: 'http://127.0.0.1:9', onLog: (...line) => process.send({ line, pid: lambda.pids()[0].pid }), onFailure() {},
    });
    const { result } = await lambda.invoke('job', { do: ${JSON.stringify(deed)} }, 'sync');
    process.send(result); setInterval(() => {}, 1000);`;
  const service = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(() => void service.kill('SIGKILL'));
  const [{ pid }] = (await once(service, 'message')) as [{ pid: number }];
  service.kill('SIGKILL');
  await once(service, 'exit');
  return pid;
}
