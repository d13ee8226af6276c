import { describe, expect, test } from 'vitest';
import { plainLook } from '../../../functions/cli/render/look.ts';
import { silent } from '../../../functions/cli/render/progress.ts';
import type { Machine } from '../../../functions/simulator/command/machine.ts';
import type { ReplayRequest, Request } from '../../../functions/simulator/command/options.ts';
import { run } from '../../../functions/simulator/command/run.ts';
import { workersAt } from '../../../functions/simulator/command/workers.ts';
import { faultNames } from '../../../functions/simulator/faults.ts';
import { type Breaks, brokenBy, fakeSimulate, run as runOfFake } from './fake-simulate.ts';

const seeds = [7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18];
const request = { kind: 'seeds', seeds, days: 10, faults: faultNames, json: false, workers: 1 } as const;
const rule = 'no two executions of one run are alive at the same time';

async function done(asked: Request, breaks: Breaks, simulate = fakeSimulate(breaks)) {
  const out: string[] = [];
  let now = 0;
  const machine: Machine = {
    simulate,
    workers: workersAt([{ simulate, close: () => {} }]),
    invariants: [{ name: 'one-live-attempt', rule, watch: () => ({}) }],
    mutants: ['claim-without-condition', 'finish-without-fence'].map((name) => ({ name, what: `${name}!` })),
    say: (text) => void out.push(text),
    progress: silent,
    look: plainLook(120),
    now: () => {
      now += 1;
      return now;
    },
  };
  const isFine = await run(asked, machine);
  return { isFine, out: out.join('\n') };
}

const never: Breaks = () => false;
const broken = brokenBy('lost-answer', 'clock-skew');

describe('seeds that break no promise', () => {
  test('are counts, strikes, what was checked, and the verdict', async () => {
    const { isFine, out } = await done(request, never);
    expect(isFine).toBe(true);
    expect(out).toContain('Seeds 7 to 18, 10 days each, faults drawn from all');
    expect(out).toContain('10,800 fires, 12,000 deliveries, 11,400 executions of job code');
    expect(out).toMatch(/lost-answer +\d+/);
    expect(out).toContain(`✓ one-live-attempt  ${rule}`);
    expect(out).toMatch(/✓ 0 promises broken\nhash [0-9a-f]{16}$/);
  });

  test('are one JSON object in one line', async () => {
    const { isFine, out } = await done({ ...request, json: true }, never);
    expect(isFine).toBe(true);
    const { faults, hash, ...counts } = JSON.parse(out);
    expect(out).not.toContain('\n');
    expect(counts).toEqual({
      seeds: 12,
      days: 10,
      deliveries: 12_000,
      fires: 10_800,
      bodies: 11_400,
      neverStruck: [],
      dead: [],
      seedsToTell: 30,
      violations: [],
    });
    expect(Object.keys(faults)).toEqual(faultNames);
    expect(hash).toMatch(/^[0-9a-f]{16}$/);
  });

  test('are not fine when a fault that had its chance never struck', async () => {
    const simulate = fakeSimulate(never);
    const silentStrikes = async (one: Parameters<typeof simulate>[0]) => {
      const simulated = await simulate(one);
      return { ...simulated, strikes: { ...simulated.strikes, 'dead-letter': 0 } };
    };
    const many = Array.from({ length: 60 }, (_, seed) => seed);
    const { isFine, out } = await done({ ...request, seeds: many }, never, silentStrikes);
    expect(isFine).toBe(false);
    expect(out).toContain('✗ dead-letter never struck');
    const few = await done({ ...request, seeds: [1, 2] }, never, silentStrikes);
    expect(few.isFine).toBe(true);
    expect(few.out).toContain(
      'never struck. That is an error from 30 seeds of this length on; these were 2.',
    );
  });
});

describe('seeds that break a promise', () => {
  test('are told with rule, seed, what was shrunk, the trace, and the command that shows it again', async () => {
    const { isFine, out } = await done(request, broken);
    expect(isFine).toBe(false);
    expect(out).toContain(`✗ one-live-attempt: ${rule}`);
    expect(out).toMatch(/seed \d+, 2026-12-\d\dT.*, billing\/close-month#2026-12-01T00:20:00Z/);
    expect(out).toMatch(/also in seeds? \d+/);
    expect(out).toMatch(/shrunk to 2 strikes of \d+, 2 faults of \d+, \d days? of 10/);
    expect(out).toMatch(
      /\+\d.* ! fault +lost-answer \(strike \d+\): the store writes, and its answer is lost/,
    );
    expect(out).toMatch(
      /Again: {2}npm run simulate -- --replay \d+ --days \d+ --plan lost-answer,clock-skew:\d+/,
    );
    expect(out).toMatch(/✗ broken promises in \d+ seeds of 12\nhash/);
  });

  test('are violations in JSON: seed, invariant, run, instant, plan, trace', async () => {
    const { isFine, out } = await done({ ...request, json: true }, broken);
    expect(isFine).toBe(false);
    const violations: readonly Readonly<Record<string, unknown>>[] = JSON.parse(out).violations;
    expect(violations.length).toBeGreaterThan(1);
    expect(
      violations.every(({ invariant, seed }) => invariant === 'one-live-attempt' && Number(seed) >= 7),
    ).toBe(true);
    const shrunk = violations.filter(({ replay }) => replay !== undefined);
    expect(shrunk).toHaveLength(1);
    expect(shrunk[0]).toMatchObject({
      invariant: 'one-live-attempt',
      run: runOfFake,
      at: expect.stringMatching(/^2026-12-\d\dT\d\d:\d\d:\d\dZ$/),
      what: 'two attempts were alive',
      replay: expect.stringMatching(/^npm run simulate -- --replay \d+ /),
      shrunk: { strikes: 2, faults: 2, plan: expect.stringMatching(/^lost-answer,clock-skew:/) },
    });
    expect(shrunk[0]?.trace).toContainEqual(expect.objectContaining({ fault: 'lost-answer' }));
  });

  test('are one more when the first seed, simulated twice, was not the same', async () => {
    let times = 0;
    const simulate = fakeSimulate(never);
    const drifting = async (one: Parameters<typeof simulate>[0]) => {
      times += 1;
      return { ...(await simulate(one)), hash: `${times}` };
    };
    const { isFine, out } = await done(request, never, drifting);
    expect(isFine).toBe(false);
    expect(out).toContain('✗ same-seed-same-trace');
    expect(out).toContain('have the hashes 1 and 13');
  });
});

describe('a replay', () => {
  const plan = { enabled: new Set(['lost-answer'] as const) };
  const one: ReplayRequest = {
    kind: 'replay',
    seed: 10,
    days: 10,
    faults: faultNames,
    plan,
    json: false,
    workers: 1,
  };
  const breaks = brokenBy('lost-answer');

  test('tells every line and the verdict', async () => {
    const { isFine, out } = await done(one, breaks);
    expect(isFine).toBe(false);
    expect(out).toContain('Seed 10, 10 days, by the plan lost-answer\n');
    expect(out).toContain('2026-12-01T00:00:00.000Z  alarm clock  delivers 0');
    expect(out).toContain('Z  ! fault  lost-answer (strike 1): the store writes, and its answer is lost');
    expect(out).toContain('✗ one-live-attempt: two attempts were alive');
    expect(out).toContain(`--replay 10 --days 10 --plan lost-answer --trace ${runOfFake}`);
  });

  test('of one run tells its lines alone', async () => {
    const { isFine, out } = await done({ ...one, trace: runOfFake }, never);
    expect(isFine).toBe(true);
    expect(out).toMatch(/\+0\.000 s +alarm clock +delivers 2\n/);
    expect(out).not.toMatch(/delivers 1\n/);
    expect(out).toContain('✓ 0 promises broken');
    const other = 'rates/pull-fx#2026-12-01T05:00:00Z';
    expect((await done({ ...one, trace: other }, never)).out).toContain(`Nothing is told of ${other}.`);
  });

  test('has its lines in JSON', async () => {
    const { out } = await done({ ...one, trace: runOfFake, json: true }, breaks);
    const { seed, violations, trace, faults } = JSON.parse(out);
    expect(seed).toBe(10);
    expect(faults['lost-answer']).toBe(1);
    expect(violations).toMatchObject([{ invariant: 'one-live-attempt', run: runOfFake }]);
    expect(trace[0]).toEqual({
      at: '2026-12-01T00:00:00.000Z',
      actor: 'alarm clock',
      what: 'delivers 0',
      run: runOfFake,
    });
    expect(trace).toContainEqual(expect.objectContaining({ fault: 'lost-answer', strike: 1 }));
  });
});

describe('mutants', () => {
  const hunt = {
    kind: 'mutants',
    mutants: ['claim-without-condition', 'finish-without-fence'],
    seeds: [1, 2, 3],
    days: 1,
    faults: faultNames,
    json: false,
    workers: 1,
  } as const;
  const simulate = fakeSimulate(never);
  const caught = async (one: Parameters<typeof simulate>[0]) => ({
    ...(await simulate(one)),
    violations:
      one.mutant === 'claim-without-condition' && one.seed === 2
        ? [{ invariant: 'one-success', at: 0, what: 'twice' }]
        : [],
  });

  test('are a table: what caught each, and after how many seeds; a survivor is an error', async () => {
    const { isFine, out } = await done(hunt, never, caught);
    expect(isFine).toBe(false);
    expect(out).toMatch(/✓ claim-without-condition +one-success +2 +claim-without-condition!/);
    expect(out).toMatch(/✗ finish-without-fence +survived +- /);
    expect(out).toContain('✗ 1 of 2 survived: finish-without-fence');
    expect(out).toContain('--replay 2 --days 1 --mutants claim-without-condition');
    const one = await done({ ...hunt, mutants: ['claim-without-condition'] }, never, caught);
    expect(one.isFine).toBe(true);
    expect(one.out).toContain('✓ all 1 caught');
  });

  test('are one JSON object', async () => {
    const { out } = await done({ ...hunt, json: true }, never, caught);
    expect(JSON.parse(out)).toEqual({
      mutants: [
        {
          name: 'claim-without-condition',
          what: 'claim-without-condition!',
          isCaught: true,
          invariant: 'one-success',
          seed: 2,
          seedsNeeded: 2,
        },
        { name: 'finish-without-fence', what: 'finish-without-fence!', isCaught: false },
      ],
      survivors: ['finish-without-fence'],
      unmutatedViolations: [],
    });
  });
});
