import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { plainLook } from '../../../functions/cli/render/look.ts';
import { type Request, readOptions } from '../../../functions/simulator/command/options.ts';
import { faultNames, faultTable } from '../../../functions/simulator/faults.ts';

const mutants = ['claim-without-condition', 'finish-without-fence'];
const told: string[] = [];

beforeEach(() => {
  told.length = 0;
  const hear = (text: string | Uint8Array) => {
    told.push(String(text));
    return true;
  };
  vi.spyOn(process.stderr, 'write').mockImplementation(hear);
  vi.spyOn(process.stdout, 'write').mockImplementation(hear);
});

afterEach(() => {
  vi.restoreAllMocks();
});

function read(line: string): Request {
  const words = line.split(' ').filter((word) => word !== '');
  return readOptions(words, { mutants, look: plainLook(100) });
}

/** What is said of a line that can't be read. */
function refusal(line: string): string {
  expect(() => read(line)).toThrow();
  return told.join('').split('\n')[0] ?? '';
}

describe('what is simulated', () => {
  test('is twenty seeds of three days, from one that is drawn, with all faults', () => {
    const request = read('');
    expect(request).toMatchObject({ kind: 'seeds', days: 3, faults: faultNames, json: false });
    const seeds = 'seeds' in request ? request.seeds : [];
    expect(seeds).toHaveLength(20);
    expect(seeds.every((seed, index) => seed === (seeds[0] ?? 0) + index)).toBe(true);
  });

  test('are so many seeds from the one that is named', () => {
    expect(read('--days 30 --seed 7 --seeds 3')).toMatchObject({ days: 30, seeds: [7, 8, 9] });
    expect(read('--seed 4294967295 --seeds 2')).toMatchObject({ seeds: [4_294_967_295, 0] });
  });

  test('are the faults that are named, in the order of the table', () => {
    expect(read('--faults none')).toMatchObject({ faults: [] });
    expect(read('--faults all')).toMatchObject({ faults: faultNames });
    expect(read('--faults clock-skew,lost-delivery')).toMatchObject({
      faults: ['lost-delivery', 'clock-skew'],
    });
  });

  test('is one seed under --replay, by a plan, of one run, with a mutant', () => {
    const words = '--replay 7 --days 2 --plan lost-answer:1,3-4 --mutants finish-without-fence';
    expect(read(`${words} --trace billing/close-month#2026-12-01T05:00:00Z`)).toMatchObject({
      kind: 'replay',
      seed: 7,
      days: 2,
      plan: { enabled: new Set(['lost-answer']), mostStrikes: 4, without: new Set([1]) },
      mutant: 'finish-without-fence',
      trace: 'billing/close-month#2026-12-01T05:00:00Z',
    });
  });

  test('are seeds 1 to 50 of a week for mutants, all or those named', () => {
    const request = read('--mutants');
    expect(request).toMatchObject({ kind: 'mutants', mutants, days: 7 });
    expect('seeds' in request ? request.seeds : []).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
    expect(read('--mutants finish-without-fence --json')).toMatchObject({
      mutants: ['finish-without-fence'],
      json: true,
    });
  });
});

describe('what was asked wrongly is refused with what is allowed', () => {
  test('a fault that nobody knows, with the nearest and the list', () => {
    const said = refusal('--faults lost-anser');
    expect(said).toContain('There is no "lost-anser". Did you mean "lost-answer"?');
    expect(said).toContain(`Faults are ${faultNames.join(', ')}.`);
  });

  test.each([
    ['--mutants never', 'There is no "never". Mutants are claim-without-condition, finish-without-fence.'],
    ['--days 0', 'Allowed is a whole number from 1 to 3650.'],
    ['--seed -1', 'Allowed is a whole number from 0 to 4294967295.'],
    ['--replay 7 --plan lost-answer:0', 'Allowed is a whole number from 1 to 1000000.'],
    ['--replay 7 --plan lost-answer:2-1', '"2-1" goes backwards.'],
    ['--replay 7 --plan lost-answer:1:2', 'A plan has one colon'],
    ['--replay 7 --trace close-month', 'A fire is a job and a time'],
    ['--trace billing/close-month#2026-12-01T05:00:00Z', "option '--trace' needs --replay"],
    ['--plan none', "option '--plan' needs --replay"],
    ['--replay 7 --seeds 2', "option '--replay' names its one seed"],
    ['--replay 7 --mutants', "option '--replay' takes one mutant"],
    ['--fault all', "unknown option '--fault'"],
    ['7', 'too many arguments'],
  ])('%s', (line, said) => {
    expect(refusal(line)).toContain(said);
  });
});

test('--help tells every fault and what it does', () => {
  expect(() => read('--help')).toThrow();
  const help = told.join('');
  for (const name of faultNames) expect(help).toContain(`${name}`);
  expect(help).toContain(faultTable['lost-answer'].what);
});
