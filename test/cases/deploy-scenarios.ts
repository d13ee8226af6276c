import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { App } from 'aws-cdk-lib/core';
import { expect, onTestFinished, vi } from 'vitest';
import { bundleFunctions, loadCatalog } from '../../functions/catalog/index.ts';
import type { JobEntry } from '../../functions/domain/manifest.ts';
import { alarmName, functionName } from '../../functions/domain/names.ts';
import {
  at as atLocal,
  compileAlarms,
  cron,
  every,
  problems,
  timetable,
  zoneProblem,
} from '../../functions/domain/schedule/index.ts';
import { day, minute } from '../../functions/domain/time.ts';
import { planStacks } from '../../infra/room.ts';
import { stageNamed } from '../../infra/stage.ts';
import { list, statementsOf } from '../infra/iam.ts';
import { addStage, main, stageWith } from '../infra/networked.ts';
import { type Properties, type Resource, type Synthesised, synthesised } from '../infra/synthesised.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { jobText, temporaryFolder, writeJob } from '../support/jobs-folder.ts';
import { deliver, World as Reconciler, succeed } from '../support/reconciler.ts';

const daily = cron('0 3 * * *');
const manyJobs = (count: number): JobEntry[] =>
  Array.from({ length: count }, (_, index) => manifestJob({ id: `many/job-${index}`, schedule: daily }));

/** What is deployed of a stage with these jobs. */
async function deployed(jobs: readonly JobEntry[], name = 'dev'): Promise<Synthesised> {
  const made = await synthesised((app: App) => addStage(app, stageWith({ main }, name), jobs));
  onTestFinished(made.dispose);
  return made;
}

function everyResource(made: Synthesised): Resource[] {
  const types = [...made.texts.values()].flatMap((text) =>
    Object.values<{ Type: string }>(JSON.parse(text).Resources).map(({ Type }) => Type),
  );
  return [...new Set(types)].flatMap((type) => made.resources(type));
}

async function alarmsOf(job: JobEntry): Promise<Properties[]> {
  const made = await deployed([job]);
  return made.resources('AWS::Scheduler::Schedule', 'Jobs1').map(({ properties }) => properties);
}

const fieldsOfNames = /^(Table|Queue|Topic|Function|Role|LogGroup|Dashboard|Alarm)?Name$/;

/** What a stage's resources are called, each with its type. */
async function namesIn(stage: string): Promise<string[]> {
  const made = await deployed([manifestJob()], stage);
  return everyResource(made).flatMap(({ type, properties }) =>
    Object.entries(properties)
      .filter(([field, value]) => fieldsOfNames.test(field) && !String(value).startsWith('<'))
      .map(([, value]) => `${type} ${[properties.GroupName, value].filter(Boolean).join('/')}`),
  );
}

/** EventBridge's rules have five targets, no zones and no single times; what is deployed has none. */
async function hasNoRule(job: JobEntry): Promise<void> {
  const made = await deployed([job]);
  expect(everyResource(made).filter(({ type }) => type.startsWith('AWS::Events::'))).toEqual([]);
}

/** Cases that are synthesised, compiled or bundled, as a deploy does it. */
export const scenarios: Readonly<Record<string, () => Promise<void>>> = {
  async D002() {
    const one = { ...stageNamed('dev'), jobStacks: 1 };
    const named =
      /^fireledger-dev-jobs-1 has 5\d\d resources for 101 of 101 jobs.*Raise jobStacks .* from 1 to 2/;
    expect(() => planStacks(one, manyJobs(101))).toThrow(named);
    expect(planStacks(one, manyJobs(81))[0]?.warning).toMatch(/405 resources .*from 1 to 2/);
    expect(planStacks(one, manyJobs(80))[0]?.warning).toBeUndefined();
  },

  async D003() {
    const made = await deployed(manyJobs(45));
    expect(made.resources('AWS::Lambda::Function', 'Jobs1')).toHaveLength(45);
    // A resource of somebody's own code calls AWS by itself, at once with its 44 neighbours, and gives up.
    const types = everyResource(made).map(({ type }) => type);
    expect(types.filter((type) => /^(Custom::|AWS::CloudFormation::CustomResource)/.test(type))).toEqual([]);
  },

  async D005() {
    const six = manifestJob({ schedule: [1, 2, 3, 4, 5, 6].map((of) => cron(`${of} ${of} * * *`)) });
    const targets = (await alarmsOf(six)).map(({ Target }) => (Target as Properties).Arn);
    expect(targets).toHaveLength(6);
    expect(new Set(targets).size).toBe(1);
    await hasNoRule(six);
  },

  async D006() {
    const once = manifestJob({ schedule: atLocal('2027-01-01T09:00') });
    const [alarm, ...others] = await alarmsOf(once);
    expect(others).toEqual([]);
    // CloudFormation made it and deletes it, with its job or with an edit; had it deleted itself, the next change would fail.
    expect(alarm).not.toHaveProperty('ActionAfterCompletion');
  },

  async D008() {
    const once = manifestJob({ schedule: cron('at(2027-01-01T09:00)'), timezone: 'Asia/Taipei' });
    expect(await alarmsOf(once)).toMatchObject([
      { ScheduleExpression: 'at(2027-01-01T09:00:00)', ScheduleExpressionTimezone: 'Asia/Taipei' },
    ]);
    await hasNoRule(once);
  },

  async D009() {
    const made = await deployed([manifestJob()]);
    const [role] = made.resources('AWS::IAM::Role').filter(({ properties }) => properties.RoleName);
    const { Resources } = JSON.parse(made.texts.get('Ledger') ?? '');
    const [minutely] = made.resources('AWS::Scheduler::Schedule', 'Ledger');
    // The one alarm in the role's own stack waits for the table besides, which takes longer than a role to be known.
    const kinds = Resources[minutely?.id ?? ''].DependsOn.map((id: string) => Resources[id].Type);
    expect(Resources[minutely?.id ?? ''].DependsOn).toContain(role?.id);
    expect(kinds).toEqual(expect.arrayContaining(['AWS::DynamoDB::Table', 'AWS::Scheduler::ScheduleGroup']));
  },

  async D012() {
    const made = await deployed([manifestJob()]);
    const allowed = made
      .resources('AWS::IAM::Role')
      .flatMap(statementsOf)
      .flatMap(({ Action }) => list(Action));
    expect(allowed.length).toBeGreaterThan(10);
    expect(allowed.filter((action) => /^(scheduler|iam|sts):/.test(action))).toEqual([]);
  },

  async D016() {
    const made = await deployed([manifestJob()]);
    for (const { properties } of made.resources('AWS::Scheduler::Schedule'))
      expect(properties.GroupName).toBe('fireledger-dev');
  },

  async D019() {
    const [dev, prod] = [await namesIn('dev'), await namesIn('prod')];
    expect(dev.length).toBeGreaterThan(15);
    expect(dev.filter((name) => prod.includes(name))).toEqual([]);
    // Those that an account has once, and not once in each region.
    const global = dev.filter((name) => /^AWS::(IAM::Role|CloudWatch::Dashboard) /.test(name));
    expect(global).toHaveLength(2);
    for (const name of global) expect(name).toMatch(/eu-central-1$/);
  },

  async D020() {
    const paris = manifestJob({ schedule: cron('0 8 * * *'), timezone: 'Europe/Paris' });
    expect(await alarmsOf(paris)).toMatchObject([
      { ScheduleExpression: 'cron(0 8 * * ? *)', ScheduleExpressionTimezone: 'Europe/Paris' },
    ]);
  },

  async D021() {
    const id = 'a-team-with-a-very-long-name-for-a-nightly-reconciliation-of-invoices-eu-west-1-production';
    const namesOf = (of: string) => [functionName('prod', of, 1), alarmName(of, 1, 1)];
    const all = [id, `${id}-2`, id.replace(/production$/, 'proving')].flatMap(namesOf);
    expect(new Set(all).size).toBe(6);
    expect(all.filter((name) => name.length > 64)).toEqual([]);
    expect(namesOf(id)).toMatchInlineSnapshot(`
      [
        "fireledger-prod-1-a-team-with-a-very-long-name-for--ed56059755bd",
        "1-a-team-with-a-very-long-name-for-a-nightly-reco-d300bcfa50bc.1",
      ]
    `);
  },

  async D022() {
    for (const expression of ['4', '* 4', 'cron(4)'])
      expect(problems({ schedules: [cron(expression)], timezone: 'UTC' })[0]).toMatch(
        / fields?; an? .* cron has /,
      );
  },

  async D024() {
    expect(zoneProblem('Americas/Vancouver')).toContain('did you mean America/Vancouver?');
  },

  async D025() {
    expect(zoneProblem('PST')).toContain(
      'is an abbreviation, not a time zone; name a place: America/Los_Angeles',
    );
  },

  async D026() {
    expect(zoneProblem('asia/kolkata')).toContain('did you mean Asia/Kolkata?');
  },

  async D027() {
    const firesIn = (timezone: string) => {
      const times = timetable({ schedules: [daily], timezone });
      return [at('00:00'), at('12:00'), at('00:00') + 120 * day].map((from) => times.next(from));
    };
    expect(zoneProblem('America/Indianapolis')).toBeNull();
    expect(firesIn('America/Indianapolis')).toEqual(firesIn('America/Indiana/Indianapolis'));
  },

  async D028() {
    expect(zoneProblem('CET')).toBeNull();
    expect(zoneProblem('MET')).toBeNull();
    expect(zoneProblem('EST')).toContain('is an abbreviation');
    vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function refuse() {
      throw new RangeError('Invalid time zone specified: WET');
    });
    onTestFinished(() => void vi.restoreAllMocks());
    expect(zoneProblem('WET')).toContain('not in the time zone data of this Node.js; update Node.js');
  },

  async D032() {
    // Neither a lock file nor a package.json is above the jobs; the working directory is somewhere else.
    const jobsDir = path.join(temporaryFolder(), 'packages/reports/jobs');
    writeJob(jobsDir, 'daily.ts', jobText());
    vi.spyOn(process, 'cwd').mockReturnValue(temporaryFolder());
    onTestFinished(() => void vi.restoreAllMocks());
    const outDir = temporaryFolder();
    const { functions } = await bundleFunctions({ catalog: await loadCatalog({ jobsDir }), outDir });
    expect(functions.daily?.bytes).toBeGreaterThan(0);
  },

  async D034() {
    // No program is found by its name, so none is: esbuild is a dependency, and there is nothing else to fall back on.
    vi.stubEnv('PATH', '');
    onTestFinished(() => void vi.unstubAllEnvs());
    const jobsDir = temporaryFolder();
    writeJob(jobsDir, 'daily.ts', jobText());
    const outDir = temporaryFolder();
    const { functions } = await bundleFunctions({ catalog: await loadCatalog({ jobsDir }), outDir });
    expect(functions.daily?.bytes).toBeGreaterThan(0);
  },

  async D036() {
    // No shell comes between, so what it would eat stays.
    const jobsDir = path.join(temporaryFolder(), String.raw`a\b "c" $d 'e'`);
    mkdirSync(jobsDir);
    writeJob(jobsDir, 'reports/daily.ts', jobText({ run: "return 'found';" }));
    const outDir = path.join(temporaryFolder(), String.raw`out\of "it"`);
    const { functions } = await bundleFunctions({ catalog: await loadCatalog({ jobsDir }), outDir });
    const dir = functions['reports/daily']?.dir ?? '';
    expect(dir).toBe(path.join(outDir, 'reports_daily'));
    expect(readFileSync(path.join(dir, 'index.js'), 'utf8')).toContain('"found"');
  },

  async D039() {
    const made = await deployed([manifestJob()]);
    for (const { properties } of made.resources('AWS::Scheduler::Schedule'))
      expect(properties).not.toHaveProperty('KmsKeyArn');
  },

  async D041() {
    const [a, b] = [
      manifestJob({ id: 'a', schedule: daily }),
      manifestJob({ id: 'b', schedule: every('1 hour') }),
    ];
    const edited = manifestJob({ id: 'b', schedule: daily });
    expect((await deployed([a, b])).resources('AWS::Scheduler::Schedule', 'Jobs1')).toHaveLength(2);
    expect(await alarmsOf(edited)).toMatchObject([
      { Name: '1-b.1', ScheduleExpression: 'cron(0 3 * * ? *)' },
    ]);
  },

  async D045() {
    await hasNoRule(manifestJob({ schedule: every('5 minutes') }));
  },

  async D048() {
    const made = await deployed([manifestJob()]);
    for (const { properties } of made.resources('AWS::Lambda::Function'))
      expect(properties).not.toHaveProperty('ReservedConcurrentExecutions');
    const types = everyResource(made).map(({ type }) => type);
    expect(types.filter((type) => /::(Alias|Version)$/.test(type))).toEqual([]);
  },

  async D050() {
    const once = (local: string) => manifestJob({ schedule: atLocal(local) });
    const [first, second] = [once('2026-12-01T03:00'), once('2026-12-01T09:00')];
    const made = new Reconciler(at('02:00'), [first]);
    await made.sweep();
    await succeed(made, await deliver(made, first, at('03:00')));
    made.jobs = [second];
    await made.sweepAt(at('08:00'));
    await made.sweepAt(at('09:00') + 5 * minute);
    expect(await made.lines()).toEqual(['03:00 succeeded', '09:00 waiting catch-up']);
    expect(compileAlarms(second.spec).alarms).toMatchObject([{ expression: 'at(2026-12-01T09:00:00)' }]);
  },
};
