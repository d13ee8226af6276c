import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { emulatorCheck, nodeCheck } from '../../functions/cli/doctor/machine.ts';
import { networksCheck, secretsCheck } from '../../functions/cli/doctor/needs.ts';
import { fireKey } from '../../functions/domain/names.ts';
import { neverNeedsAttention, type Run, turnOf } from '../../functions/domain/run.ts';
import { hour, minute, second } from '../../functions/domain/time.ts';
import { openDataFolder } from '../../functions/local/datafolder.ts';
import { ledgerClient } from '../../functions/store/dynamodb/index.ts';
import { manifestJob } from '../support/jobs.ts';
import { jobText, temporaryFolder } from '../support/jobs-folder.ts';
import { diagnose, midnight, now, type Patient, patient, tzdata } from './doctor-ledger.ts';
import { runFl } from './run-fl.ts';
import { attemptOf, runOf } from './seeded.ts';

const last = now - 30 * second;
/** A fire of its own, beside those that have run. */
const aside = last + second;

/** Writes a run that is not over. */
async function put({ ledger, job }: Patient, of: Partial<Run>): Promise<string> {
  const run = runOf(job, aside, { state: 'running', attentionAt: now + minute, ...of });
  await ledger.create(run);
  return `pull-rates#${fireKey(aside)}`;
}

describe('fl doctor', () => {
  test('of a system in good health says what is set up, and ends with 0', async () => {
    const { dir, jobs } = await patient();
    const { code, out, err } = await runFl(['doctor', '--data', dir, '--jobs', jobs], { now });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const text = out
      .replaceAll(dir, 'DIR')
      .replaceAll(jobs, 'JOBS')
      .replaceAll(tzdata, 'TZDATA')
      .replaceAll(process.versions.node, 'NODE')
      .replace(`process ${process.pid}`, 'process PID')
      .replace(/\d+ GB/, 'N GB');
    expect(text).toMatchInlineSnapshot(`
      "This machine
        ✓ node            NODE, with time zone rules TZDATA
        ✓ emulator        dynoxide, native
        ✓ data folder     DIR, with N GB free
        ✓ in use          by \`npm start\` (process PID, since 2026-12-01 00:00 UTC)

      Working copy
        ✓ stages          local, dev, e2e, prod
        ✓ jobs            1 job under JOBS for stage local
        ✓ secrets         0 secrets of jobs, each with a value

      Ledger of DIR
        ✓ table           it answers
        ✓ deployed        as the working copy
        ✓ in force        the schedules of all deployed jobs
        ✓ time zones      rules TZDATA, here and where the fires are decided
        ✓ clocks          nothing in the ledger is ahead of this machine’s
        ✓ reconciler      its last sweep was 20 s ago, at 2026-12-01 02:00:10 UTC
        ✓ accounts        every fire due up to 2026-12-01 02:00:10 UTC has its record
        ✓ fires           12 fires due in the hour up to 2026-12-01 01:56:15 UTC, each with its one record
        ✓ overdue runs    none; 0 runs running or offered
        ✓ suspected runs  none
        ✓ waiting runs    none
        ✓ parked runs     none
        ✓ slots           0 slots taken, each by an open run
        ✓ records         every open run can be read
        ✓ paused jobs     none
        ✓ failing jobs    none

      Nothing is wrong.
      "
    `);
  });

  test('answers in JSON, with the same exit code', async () => {
    const { dir, jobs } = await patient();
    const { code, out } = await runFl(['doctor', '--json', '--data', dir, '--jobs', jobs], { now });
    const { verdicts, checks } = JSON.parse(out);
    expect(code).toBe(0);
    expect(verdicts).toMatchObject({ wrong: 0, person: 0, note: 0, unknown: 0, fine: checks.length });
    expect(checks[0]).toMatchObject({ group: 'This machine', name: 'node', verdict: 'fine' });
  });

  test('changes nothing: the reconciler’s lease is left to it', async () => {
    const sick = await patient();
    await diagnose(sick);
    expect(await sick.ledger.acquire('next', now, now + second)).not.toBeNull();
  });
});

describe('the reconciler', () => {
  test('that stands still is wrong, with what became of its last turn', async () => {
    const sick = await patient();
    await sick.sweep({ sweptAt: now - 6 * minute });
    await sick.ledger.acquire('died', now - 3 * minute, now - 90 * second);
    const { code, found } = await diagnose(sick);
    expect(code).toBe(1);
    expect(found.reconciler).toMatchObject({
      verdict: 'wrong',
      says: 'its last sweep was 6 min ago, at 2026-12-01 01:54:30 UTC: it stands still',
      items: ['a turn died with the lease, which ended 1 min ago: the next one takes it'],
    });
  });

  test('that is late is a note', async () => {
    const sick = await patient();
    await sick.sweep({ sweptAt: now - 3 * minute });
    const { code, found } = await diagnose(sick);
    expect({ code, verdict: found.reconciler?.verdict }).toEqual({ code: 0, verdict: 'note' });
  });

  test('that can not record fires is wrong; an outage that it works through is a note', async () => {
    const sick = await patient();
    const gaps = [{ from: midnight - 1, to: midnight }];
    await sick.sweep({ watermark: { top: now, gaps } });
    expect(await diagnose(sick)).toMatchObject({
      code: 1,
      found: {
        accounts: { verdict: 'wrong', says: 'fires since 2026-11-30 23:59:59 UTC could not be recorded' },
      },
    });
    await sick.sweep({ watermark: { top: now, gaps: [{ from: midnight, to: midnight + hour }] } });
    expect(await diagnose(sick)).toMatchObject({
      code: 0,
      found: {
        accounts: {
          verdict: 'note',
          says: '1 h since 2026-12-01 00:00 UTC are still to be looked at, newest first',
        },
      },
    });
  });

  test('that can not work out when a job is due is wrong, and the job is named', async () => {
    const sick = await patient();
    await sick.sweep({
      watermark: { top: now, gaps: [], aside: { 'pull-rates': { from: midnight, to: now } } },
    });
    expect((await diagnose(sick)).found.accounts).toMatchObject({ verdict: 'wrong', items: ['pull-rates'] });
  });

  test('is not believed: a fire of the last hour without a record is found', async () => {
    const sick = await patient();
    const { jobId, key } = { jobId: sick.job.id, key: '2026-12-01T01:30:00Z' };
    await forget(sick, jobId, key);
    const { code, found } = await diagnose(sick);
    expect(code).toBe(1);
    expect(found.fires).toMatchObject({
      verdict: 'wrong',
      items: [`${jobId}#${key}`],
      todo: 'fl audit names all of them',
    });
  });

  test('of which the ledger knows nothing yet is wrong where a system runs', async () => {
    const sick = await patient();
    await sick.sweep();
    const client = ledgerClient({ endpoint: sick.endpoint });
    await client.send(
      new PutItemCommand({
        TableName: 'fireledger-local',
        Item: { pk: { S: 'reconciler' }, sk: { S: 'state' } },
      }),
    );
    client.destroy();
    const { found } = await diagnose(sick);
    expect(found.reconciler).toMatchObject({ verdict: 'wrong', says: 'it has not ended a sweep yet' });
    expect(found.accounts).toMatchObject({ verdict: 'unknown' });
  });
});

describe('an open run', () => {
  test.each([
    ['running', 'lease'],
    ['offered', 'offer'],
  ] as const)('that is %s, its %s long over, is wrong', async (state, what) => {
    const sick = await patient();
    const id = await put(sick, { state, attentionAt: now - 5 * minute });
    expect(await diagnose(sick)).toMatchObject({
      code: 1,
      found: {
        'overdue runs': { verdict: 'wrong', items: [`${id}: ${state}, its ${what} ended 5 min ago`] },
      },
    });
  });

  test('that has just ended its lease is the next sweep’s', async () => {
    const sick = await patient();
    await put(sick, { attentionAt: now - minute });
    expect(await diagnose(sick)).toEqual({ code: 0, found: {} });
  });

  test('that is suspected to have died is a note, with the end of its lease', async () => {
    const sick = await patient();
    const suspected = { at: now, requestId: 'request-1', why: 'signal: SIGKILL' };
    const id = await put(sick, { suspected, attempts: [attemptOf(1, last)] });
    expect(await diagnose(sick)).toMatchObject({
      code: 0,
      found: {
        'suspected runs': { verdict: 'note', items: [`${id}: its lease ends in 1 min (signal: SIGKILL)`] },
      },
    });
  });

  test('that is parked needs a person: the exit code is 2', async () => {
    const sick = await patient();
    const id = await put(sick, { state: 'parked', reason: 'crashed', attentionAt: neverNeedsAttention });
    expect(await diagnose(sick)).toMatchObject({
      code: 2,
      found: { 'parked runs': { verdict: 'person', items: [`${id}: crashed`] } },
    });
    await sick.sweep({ sweptAt: now - hour });
    expect((await diagnose(sick)).code).toBe(1);
  });

  test('that has waited for over an hour is a note', async () => {
    const sick = await patient();
    const waits = { state: 'waiting', reason: 'catch-up', attentionAt: turnOf(aside, 'catch-up') } as const;
    const id = await put(sick, { ...waits, createdAt: now - 2 * hour });
    const { code, found } = await diagnose(sick);
    expect(code).toBe(0);
    expect(found['waiting runs']?.items?.[0]).toMatch(`${id}: for 2 h, catch-up: missed`);
  });

  test('that this version can not read is wrong', async () => {
    const sick = await patient();
    const id = await put(sick, {});
    const client = ledgerClient({ endpoint: sick.endpoint });
    const key = { pk: { S: 'job#pull-rates' }, sk: { S: `fire#${fireKey(aside)}` } };
    const index = { openShard: { N: '0' }, attentionAt: { N: String(now) } };
    await client.send(new PutItemCommand({ TableName: 'fireledger-local', Item: { ...key, ...index } }));
    client.destroy();
    expect((await diagnose(sick)).found.records).toMatchObject({ verdict: 'wrong', items: [id] });
  });
});

describe('a job', () => {
  test('whose slot is held by a run that is over is wrong', async () => {
    const sick = await patient();
    const fire = last + 5 * minute;
    const run = runOf(sick.job, fire, { state: 'running', hasSlot: true, attentionAt: now + hour });
    await sick.ledger.create(run, { slot: 'take' });
    expect((await diagnose(sick)).found).toEqual({});
    const fence = { state: 'running', token: 'token' } as const;
    await sick.ledger.move(run, fence, { set: { state: 'succeeded' }, clear: ['attentionAt'] });
    expect(await diagnose(sick)).toMatchObject({
      code: 1,
      found: {
        slots: { verdict: 'wrong', items: ['pull-rates: of 2026-12-01T02:05:00Z, which is succeeded'] },
      },
    });
  });

  test('that a person paused is a note: who, since when and why', async () => {
    const sick = await patient();
    await sick.ledger.setPause('pull-rates', { at: midnight, by: 'ops', note: 'the bank is closed' });
    expect(await diagnose(sick)).toMatchObject({
      code: 0,
      found: {
        'paused jobs': { items: ['pull-rates: since 2026-12-01 00:00 UTC, by ops: the bank is closed'] },
      },
    });
  });

  test('that failed three times in a row is wrong', async () => {
    const sick = await patient();
    for (const nth of [1, 2, 3]) {
      const run = runOf(sick.job, last + nth, { state: 'failed', key: fireKey(last + nth * second) });
      await sick.ledger.create(run, { addFailureInARow: true });
    }
    expect(await diagnose(sick)).toMatchObject({
      code: 1,
      found: { 'failing jobs': { items: ['pull-rates: 3 times in a row, never succeeded'] } },
    });
  });

  test('is compared with the working copy, option by option', async () => {
    const sick = await patient();
    writeFileSync(
      join(sick.jobs, 'pull-rates.ts'),
      jobText({ more: "grace: '4 minutes', timeout: '1 minute'," }),
    );
    writeFileSync(join(sick.jobs, 'new.ts'), jobText());
    expect(await diagnose(sick)).toMatchObject({
      code: 0,
      found: { deployed: { verdict: 'note', items: ['new: only here', 'pull-rates: another grace'] } },
    });
    rmSync(join(sick.jobs, 'pull-rates.ts'));
    expect((await diagnose(sick)).found.deployed?.items).toContain('pull-rates: only deployed');
  });

  test('whose file is bad is named with each mistake, and hides no other check', async () => {
    const sick = await patient();
    writeFileSync(join(sick.jobs, 'bad.ts'), jobText({ more: "crashed: 'ignore', grace: 'soon'," }));
    writeFileSync(join(sick.jobs, 'broken.ts'), 'throw new Error("no such bank");');
    const { code, found } = await diagnose(sick);
    expect(code).toBe(1);
    expect(found.jobs).toMatchObject({ verdict: 'wrong', says: expect.stringContaining('2 files') });
    expect(found.jobs?.items).toEqual([
      expect.stringMatching(/^bad\.ts: crashed: /),
      expect.stringMatching(/^bad\.ts: grace: /),
      expect.stringMatching(/^broken\.ts: .*no such bank/),
    ]);
    expect(found.deployed).toMatchObject({ verdict: 'unknown' });
  });

  test('whose deployed schedule is not in force is wrong', async () => {
    const sick = await patient();
    const { id: jobId, specId, spec } = sick.job;
    await sick.ledger.publish({ jobId, from: now, specId: 'another', spec }, specId);
    expect((await diagnose(sick)).found['in force']).toMatchObject({
      verdict: 'wrong',
      items: ['pull-rates: another schedule is in force'],
    });
  });
});

describe('what jobs ask for by name', () => {
  test('is a secret without a value on this machine: wrong, with where to write it', async () => {
    const sick = await patient();
    const secrets = "secrets: { KEY: 'nobody/{stage}/has-it' },";
    writeFileSync(join(sick.jobs, 'pull-rates.ts'), jobText({ more: secrets }));
    const { code, found } = await diagnose(sick);
    expect(code).toBe(1);
    const told =
      /^pull-rates: secrets\.KEY: "nobody\/local\/has-it" has no value on this machine\. Write it to /;
    expect(found.secrets).toMatchObject({ verdict: 'wrong', items: [expect.stringMatching(told)] });
  });

  test('is found where it is written; a file that is no JSON is wrong, and not quoted', async () => {
    const file = join(temporaryFolder(), 'secrets.local.json');
    const jobs = [manifestJob({ id: 'a', secrets: { KEY: 'bank/{stage}/key', USER: 'bank/database#user' } })];
    writeFileSync(file, JSON.stringify({ 'bank/local/key': 'hush', 'bank/database': '{}' }));
    expect(secretsCheck(jobs, file)).toMatchObject({
      verdict: 'fine',
      says: '2 secrets of jobs, each with a value',
    });
    writeFileSync(file, 'hush');
    const broken = secretsCheck(jobs, file);
    expect(broken).toMatchObject({ verdict: 'wrong', says: expect.stringContaining('is no JSON') });
    expect(broken.says).not.toContain('hush');
  });

  test('is a network that the stage lacks: wrong, as a deployment would say', () => {
    expect(networksCheck('dev', [manifestJob({ id: 'a' })]).verdict).toBe('fine');
    expect(networksCheck('dev', [manifestJob({ id: 'a', vpc: 'main' })])).toMatchObject({
      verdict: 'wrong',
      items: [expect.stringMatching(/^a: vpc: "main" is no vpc of stage dev; it has none; give it vpcs/)],
    });
  });
});

describe('clocks and zones', () => {
  test('a ledger from the future is wrong: one of the clocks is', async () => {
    const sick = await patient();
    const { code, found } = await diagnose(sick, now - 10 * minute);
    expect(code).toBe(1);
    expect(found.clocks?.items).toEqual(['the last sweep: at 2026-12-01 02:00:10 UTC, 9 min 40 s ahead']);
  });

  test('other time zone rules than those that decide are a note', async () => {
    const sick = await patient();
    await sick.ledger.saveZones({ tzdata: '2019a', recordedAt: midnight, zones: {} });
    expect((await diagnose(sick)).found['time zones']).toMatchObject({
      verdict: 'note',
      says: `rules 2019a where the fires are decided, ${tzdata} here`,
    });
  });
});

describe('a data folder', () => {
  test('that nobody runs on is a note, and so is what the next start makes good', async () => {
    const sick = await patient();
    await put(sick, { attentionAt: now - 5 * minute });
    await sick.stop();
    const { code, found } = await diagnose(sick, now + hour);
    expect(code).toBe(0);
    expect(found).toMatchObject({
      'in use': { says: 'by nobody', todo: 'npm start runs the system on it' },
      reconciler: { verdict: 'note', todo: 'npm start runs it' },
      'overdue runs': { verdict: 'note', todo: 'the next start settles them' },
    });
  });

  test('whose system was killed is a note that tells of whom', async () => {
    const sick = await patient();
    await sick.stop();
    const lock = readdirSync(sick.dir).find((name) => name.startsWith('lock.')) ?? '';
    const dead = {
      process: { pid: 2 ** 22 + 1, started: '' },
      holder: 'npm start',
      startedAt: '2026-12-01T00:00:00Z',
    };
    writeFileSync(join(sick.dir, lock), JSON.stringify(dead));
    expect((await diagnose(sick)).found['in use']?.says).toBe(
      'by nobody: `npm start` (process 4194305, since 2026-12-01 00:00 UTC) died without giving it back',
    );
  });

  test('whose system does not tell where its ledger is, a minute after its start, is wrong', async () => {
    const sick = await patient();
    await sick.stop();
    const folder = openDataFolder({ dir: sick.dir, holder: 'npm start', now: now - 2 * minute });
    onTestFinished(() => folder.close());
    const { code, found } = await diagnose(sick);
    expect(code).toBe(1);
    expect(found['in use']).toMatchObject({
      verdict: 'wrong',
      todo: `look at it, or stop it: kill ${process.pid}`,
    });
    expect(found.table).toMatchObject({ verdict: 'unknown' });
  });

  test('that is not there is wrong where it was named', async () => {
    const { jobs } = await patient();
    expect(await diagnose({ dir: '/nowhere/at/all', jobs })).toMatchObject({
      code: 1,
      found: { 'data folder': { verdict: 'wrong' }, table: { verdict: 'unknown', says: 'not looked at' } },
    });
  });
});

describe('a stage', () => {
  const stage = async (name: string, environment: Readonly<Record<string, string>>) => {
    const { endpoint, jobs } = await patient('fireledger-dev');
    const none = { HOME: '/nowhere', AWS_EC2_METADATA_DISABLED: 'true', AWS_ENDPOINT_URL_DYNAMODB: endpoint };
    for (const [variable, value] of Object.entries({ ...none, ...environment })) vi.stubEnv(variable, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    return runFl(['doctor', '--stage', name, '--jobs', jobs], { now });
  };
  const credentials = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', AWS_REGION: 'us-east-1' };

  test('without credentials and a region is told so, and what to set', async () => {
    const { code, out } = await stage('prod', {});
    expect(code).toBe(1);
    expect(out).toContain('✗ credentials  none can be had');
    expect(out).toContain('→ set AWS_PROFILE, or sign in: aws sso login');
    expect(out).toContain('✗ region       none is set');
    expect(out).toContain('- table        not looked at');
  });

  test('in good health is fine, and shows no secret', async () => {
    const { code, out } = await stage('dev', { ...credentials, AWS_SECRET_ACCESS_KEY: 'hush' });
    expect(out).toContain('Ledger of stage dev\n  ✓ table           it answers');
    expect(out).toContain('✓ region          us-east-1, by your environment');
    expect(out).toContain('✓ networks        0 jobs in one of the stage’s');
    expect(out).toContain('\nNothing is wrong.\n');
    expect(out).not.toContain('hush');
    expect(code).toBe(0);
  });

  test('that is not deployed is wrong, with how it is', async () => {
    const { code, out } = await stage('prod', credentials);
    expect(code).toBe(1);
    expect(out.replace(/\s+/g, ' ')).toContain(
      "✗ table stage prod (table fireledger-prod) doesn't exist in this account and region. " +
        'Check AWS_PROFILE and AWS_REGION, or deploy it: npx cdk deploy --all -c stage=prod',
    );
    expect(out).not.toContain('local: ');
  });

  test('where AWS_ENDPOINT_URL leads is called so, since the variable may have been meant for something else', async () => {
    const { out } = await stage('prod', { ...credentials, AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' });
    expect(out.replace(/\s+/g, ' ')).toContain(
      "✗ table stage prod (table fireledger-prod at http://127.0.0.1:4566) doesn't exist",
    );
  });

  test.each([
    ['production', 'there is no stage "production"'],
    ['local', 'is a data folder on this machine'],
  ])('%s is asked wrongly', async (name, message) => {
    const { code, out, err } = await runFl(['doctor', '--stage', name], { now });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
});

describe('this machine', () => {
  test('has a Node that is new enough, or is told which is', () => {
    expect(nodeCheck('24.1.0').verdict).toBe('fine');
    expect(nodeCheck('20.19.0').verdict).toBe('fine');
    expect(nodeCheck('20.18.3')).toMatchObject({
      verdict: 'wrong',
      says: '20.18.3 is too old: 20.19 or newer is needed',
    });
  });

  test('has a native emulator, or another one serves', () => {
    const native = { binary: process.execPath, external: undefined };
    expect(emulatorCheck(native).verdict).toBe('fine');
    const without = emulatorCheck({ ...native, binary: undefined });
    expect(without).toMatchObject({ verdict: 'note', says: expect.stringContaining('dynalite') });
    const external = emulatorCheck({ ...native, external: 'http://127.0.0.1:8000' });
    expect(external.says).toContain('DYNAMODB_ENDPOINT is set');
  });
});

async function forget({ endpoint }: Patient, jobId: string, key: string): Promise<void> {
  const client = ledgerClient({ endpoint });
  const Key = { pk: { S: `job#${jobId}` }, sk: { S: `fire#${key}` } };
  await client.send(new DeleteItemCommand({ TableName: 'fireledger-local', Key }));
  client.destroy();
}
