import { describe, expect, it } from 'vitest';
import { type StageConfig, stageConfig, stageNames, stageProblems } from '../functions/config.ts';

const prod: StageConfig = stageConfig('prod');

describe('stageConfig', () => {
  it('gives every stage of functions/config.ts', () => {
    for (const name of stageNames) expect(stageConfig(name)).toBeDefined();
  });

  it('prod keeps its ledger', () => {
    expect(prod).toMatchObject({ removal: 'retain', deletionProtection: true, retentionDays: 400 });
  });

  it.each(['staging', '', 'constructor', '__proto__'])(
    'names the known stages when asked for "%s"',
    (name) => {
      expect(() => stageConfig(name)).toThrow(
        `there is no stage "${name}"; the stages of functions/config.ts are local, dev, e2e, prod`,
      );
    },
  );
});

describe('a stage is refused with what is allowed', () => {
  it('when it is fine, nothing', () => {
    expect(stageProblems('euprod2', { ...prod, region: 'eu-west-1' })).toEqual([]);
  });

  it('its name', () => {
    expect(stageProblems('Prod', prod)).toMatchInlineSnapshot(`
      [
        "functions/config.ts: Prod: the name is "Prod"; allowed is a letter and up to 15 of a-z and 0-9",
      ]
    `);
    expect(stageProblems('astageof17letters', prod)).toHaveLength(1);
  });

  it('a name that another stage may begin with: the functions of one would be in reach of the other', () => {
    expect(stageProblems('prod-eu', prod)).toHaveLength(1);
  });

  it('its lengths of time', () => {
    expect(stageProblems('prod', { ...prod, retentionDays: 7, logRetentionDays: 10 })).toMatchInlineSnapshot(`
      [
        "functions/config.ts: prod: retentionDays is 7; allowed is a whole number of days from 366 to 3650",
        "functions/config.ts: prod: logRetentionDays is 10; allowed is one of 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653",
      ]
    `);
  });

  it.each([0, 201, 1.5])('that its jobs are spread over %s stacks', (jobStacks) => {
    expect(stageProblems('prod', { ...prod, jobStacks })).toEqual([
      `functions/config.ts: prod: jobStacks is ${jobStacks}; allowed is a whole number from 1 to 200`,
    ]);
  });

  it('its region', () => {
    expect(stageProblems('prod', { ...prod, region: 'Ireland' })).toMatchInlineSnapshot(`
      [
        "functions/config.ts: prod: region is "Ireland"; allowed is a region such as ap-northeast-1",
      ]
    `);
  });

  it('its alerts', () => {
    const config = { ...prod, alerts: 'loud' } as unknown as StageConfig;
    expect(stageProblems('prod', config)).toEqual([
      'functions/config.ts: prod: alerts is "loud"; allowed is "on" or "off"',
    ]);
  });

  it('what becomes of its ledger, where a slip would not keep it', () => {
    const config = { ...prod, removal: 'keep', deletionProtection: 'no' } as unknown as StageConfig;
    expect(stageProblems('prod', config)).toEqual([
      'functions/config.ts: prod: removal is "keep"; allowed is "destroy" or "retain"',
      'functions/config.ts: prod: deletionProtection is "no"; allowed is true or false',
    ]);
  });

  it('a protected table that is to be destroyed', () => {
    expect(stageProblems('prod', { ...prod, removal: 'destroy' })).toMatchInlineSnapshot(`
      [
        "functions/config.ts: prod: removal is "destroy"; allowed is "retain", since deletionProtection is on and would stop the deletion",
      ]
    `);
  });
});
