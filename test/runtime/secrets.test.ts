import { describe, expect, it } from 'vitest';
import { cron, defineJob } from '../../functions/job.ts';
import { openSecrets, type ReadSecret } from '../../functions/runtime/secrets.ts';
import { simulateJob, testFire } from '../../functions/testing/index.ts';

const minute = 60_000;
const key = 'sk_live_5f3e"\\9';

function opened(
  read: ReadSecret,
  declared: Readonly<Record<string, string>> = { API_KEY: 'billing/{stage}/key' },
) {
  let now = 0;
  const asked: string[] = [];
  const reader: ReadSecret = (name) => {
    asked.push(name);
    return read(name);
  };
  const secrets = openSecrets({
    declared,
    stage: 'prod',
    readers: { 'secrets-manager': reader, 'parameter-store': reader },
    clock: () => now,
  });
  return { secrets, asked, pass: (ms: number) => (now += ms) };
}

describe('a secret', () => {
  it('is read when it is first asked for, by its name in the stage, and again after five minutes', async () => {
    let value = 'first-value';
    const { secrets, asked, pass } = opened(async () => value);
    expect(asked).toEqual([]);
    expect(await secrets.value('API_KEY')).toBe('first-value');
    value = 'rotated-value';
    pass(5 * minute - 1);
    expect(await secrets.value('API_KEY')).toBe('first-value');
    pass(1);
    expect(await secrets.value('API_KEY')).toBe('rotated-value');
    expect(asked).toEqual(['billing/prod/key', 'billing/prod/key']);
    expect(secrets.hidden('first-value rotated-value')).toBe('[secret API_KEY] [secret API_KEY]');
  });

  it('is one request for all that ask at once, also for several texts of one JSON object', async () => {
    const { secrets, asked } = opened(async () => JSON.stringify({ user: 'reports', password: 'pa55word' }), {
      USER: 'db#user',
      PASSWORD: 'db#password',
    });
    const read = ['USER', 'PASSWORD', 'USER'].map((name) => secrets.value(name));
    expect(await Promise.all(read)).toEqual(['reports', 'pa55word', 'reports']);
    expect(asked).toEqual(['db']);
  });

  it('of which the request failed is asked for again', async () => {
    let fails = true;
    const { secrets, asked } = opened(async () => {
      if (fails) throw new Error('throttled');
      return 'at-last';
    });
    await expect(secrets.value('API_KEY')).rejects.toThrow('throttled');
    fails = false;
    expect(await secrets.value('API_KEY')).toBe('at-last');
    expect(asked).toHaveLength(2);
  });
});

describe('an error about a secret', () => {
  const messageOf = (read: ReadSecret, declared?: Readonly<Record<string, string>>, name = 'API_KEY') =>
    opened(read, declared)
      .secrets.value(name)
      .then(String, (error: Error) => error.message);

  it('says which one, in which stage, and which permission', async () => {
    const denied = Object.assign(new Error('no identity-based policy allows it'), {
      name: 'AccessDeniedException',
    });
    expect(await messageOf(() => Promise.reject(denied))).toMatchInlineSnapshot(
      `"ctx.secret("API_KEY"): the secret "billing/prod/key" of Secrets Manager, in stage prod, can't be read: AccessDeniedException: no identity-based policy allows it. Its deploy grants secretsmanager:GetSecretValue on that name; under a KMS key of your own the job's permissions need kms:Decrypt as well"`,
    );
    expect(await messageOf(() => Promise.reject(denied), { API_KEY: '/billing/key' })).toContain(
      'the secret "/billing/key" of Parameter Store, in stage prod, can\'t be read',
    );
  });

  it('never says anything of the value', async () => {
    const declared = { API_KEY: 'db#password' };
    for (const text of ['hunter2-hunter2', '["hunter2"]', '{"user":"hunter2"}', '{"password":42}', 'null'])
      expect(await messageOf(async () => text, declared)).toBe(
        'ctx.secret("API_KEY"): the secret "db" of Secrets Manager, in stage prod, is no JSON object with a text under "password"',
      );
    expect(await messageOf(async () => undefined)).toContain('is no text; only texts can be read');
  });

  it('tells of one that is not declared what to write', async () => {
    expect(await messageOf(async () => key, undefined, 'API_KY')).toBe(
      `ctx.secret("API_KY"): its job declares no such secret (it has API_KEY); write secrets: { API_KY: 'the name under which it is kept' }`,
    );
    expect(await messageOf(async () => key, undefined, 'toString')).toContain('declares no such secret');
  });
});

describe('what was read is hidden', () => {
  const { secrets } = opened(async () => key);
  const known = secrets.value('API_KEY').then(() => secrets);

  it('within longer texts, in JSON and in URLs', async () => {
    const { hidden } = await known;
    expect(hidden(`Bearer ${key}!`)).toBe('Bearer [secret API_KEY]!');
    expect(hidden(JSON.stringify({ key }))).toBe('{"key":"[secret API_KEY]"}');
    expect(hidden(`https://api.example/?key=${encodeURIComponent(key)}`)).toBe(
      'https://api.example/?key=[secret API_KEY]',
    );
  });

  it('deep in objects, in what becomes JSON, in errors and their causes, and in circles', async () => {
    const { hidden } = await known;
    class Request {
      readonly headers = { authorization: key };
    }
    const circle: Record<string, unknown> = { key };
    circle.self = circle;
    const url = { toJSON: () => `https://${key}@api.example` };
    expect(hidden({ list: [1, new Request()], url, circle, [key]: true })).toEqual({
      list: [1, { headers: { authorization: '[secret API_KEY]' } }],
      url: 'https://[secret API_KEY]@api.example',
      circle: { key: '[secret API_KEY]', self: '[circular]' },
      '[secret API_KEY]': true,
    });
    class BankError extends Error {
      override readonly name = 'BankError';
    }
    const error = hidden(new BankError(`refused ${key}`, { cause: new Error(key) }));
    expect(error).toBeInstanceOf(BankError);
    expect([error.name, error.message, (error.cause as Error).message]).toEqual([
      'BankError',
      'refused [secret API_KEY]',
      '[secret API_KEY]',
    ]);
    expect(error.stack).not.toContain('sk_live');
  });

  it('and what has none of it stays the same object', async () => {
    const { hidden } = await known;
    for (const value of [{ a: [new Date(0), new Map()] }, new Error('fine'), [1n, undefined, null]])
      expect(hidden(value)).toBe(value);
  });

  it('the longer one first, where one is part of another; values below 6 characters not at all', async () => {
    const values: Record<string, string> = { short: 'abcde', part: 'abcdef', whole: 'abcdef-123' };
    const { secrets } = opened(async (name) => values[name], {
      SHORT: 'short',
      PART: 'part',
      WHOLE: 'whole',
    });
    for (const name of ['SHORT', 'PART', 'WHOLE']) await secrets.value(name);
    expect(secrets.hidden('abcdef-123 abcdef abcde')).toBe('[secret WHOLE] [secret PART] abcde');
  });
});

describe('of a job', () => {
  const jobOf = (
    run: (secret: string, ctx: Parameters<Parameters<typeof defineJob>[0]['run']>[1]) => unknown,
  ) =>
    defineJob({
      description: 'Pull from the bank',
      schedule: cron('0 3 * * *'),
      timezone: 'UTC',
      missed: 'latest',
      crashed: 'resume',
      secrets: { API_KEY: 'billing/api-key' },
      run: async (_fire, ctx) => run(await ctx.secret('API_KEY'), ctx),
    });
  const fire = { fireTime: '2026-12-01T03:00:00Z', secrets: { API_KEY: key } };

  it('no value gets into the log, the result, progress or steps; code that needs it again reads it again', async () => {
    const job = jobOf(async (secret, ctx) => {
      ctx.log.info(`with ${secret}`, { headers: { authorization: `Bearer ${secret}` } });
      ctx.progress(1, 2, `at ${secret}`);
      const kept = await ctx.step('login', () => ({ token: secret }));
      const mapped = await ctx.map([1], { key: String }, () => secret);
      return { kept, mapped, secret };
    });
    const fired = await testFire(job, fire);
    const hidden = '[secret API_KEY]';
    expect(fired.result).toEqual({ kept: { token: hidden }, mapped: [hidden], secret: hidden });
    expect(fired.run.progress?.note).toBe(`at ${hidden}`);
    expect(JSON.stringify(fired)).not.toContain('sk_live');
    expect(fired.logs.find(({ message }) => message === `with ${hidden}`)?.fields).toMatchObject({
      headers: { authorization: `Bearer ${hidden}` },
    });
  });

  it('no value gets into an error, however long, nor into a cursor', async () => {
    const failing = jobOf((secret) => {
      throw new Error(`${'x'.repeat(2 * 1024 - 8)}${secret}`);
    });
    const { error, run } = await testFire(failing, fire);
    expect(error?.message).not.toContain('sk_');
    expect(JSON.stringify(run)).not.toContain('sk_live');
    const going = jobOf((secret, ctx) => ctx.continueWith({ secret }));
    expect((await testFire(going, fire)).run.cursor).toEqual({ secret: '[secret API_KEY]' });
  });

  it('is there in a simulation as well, and hidden in what it comes to', async () => {
    const job = jobOf((secret, ctx) => {
      ctx.log.info(secret);
      return { secret };
    });
    const options = { days: 1, seed: 7, faults: 'none', secrets: fire.secrets } as const;
    const { runs, trace } = await simulateJob(job, options);
    expect(runs[0]?.result).toEqual({ secret: '[secret API_KEY]' });
    expect(trace()).not.toContain('sk_live');
  });

  it('a test that gives it no value is told what to write, and one that gives another is refused', async () => {
    const job = jobOf((secret) => secret);
    const { error } = await testFire(job, { ...fire, secrets: {} });
    expect(error?.message).toContain("this test gives it no value; add secrets: { API_KEY: '…' }");
    await expect(testFire(job, { ...fire, secrets: { API_KY: key } })).rejects.toThrow(
      'secrets: the job declares no API_KY; its own are API_KEY',
    );
  });
});
