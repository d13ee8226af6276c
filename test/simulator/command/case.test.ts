import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainLook } from '../../../functions/cli/render/look.ts';
import {
  type Case,
  keptOf,
  parsePlan,
  planOf,
  planText,
  replayCommand,
} from '../../../functions/simulator/command/case.ts';
import { readOptions } from '../../../functions/simulator/command/options.ts';
import { type FaultName, faultNames } from '../../../functions/simulator/faults.ts';
import { holds } from '../../support/property.ts';

const faults = fc.uniqueArray(fc.constantFrom(...faultNames), { maxLength: 5 });
const kept = fc.uniqueArray(fc.nat(60), { maxLength: 20 }).map((places) => [...places].sort((a, b) => a - b));
const plan = fc
  .tuple(fc.option(faults, { nil: undefined }), kept)
  .map(([names, places]) => planOf(names && new Set(names), places));

describe('a plan', () => {
  test('is one word: its faults, and the strikes that are kept, from 1', () => {
    const enabled = new Set<FaultName>(['clock-skew', 'lost-answer']);
    expect(planText(planOf(enabled, [2, 16, 17]))).toBe('lost-answer,clock-skew:3,17-18');
    expect(planText({ enabled })).toBe('lost-answer,clock-skew');
    expect(planText({ enabled: new Set() })).toBe('none');
    expect(planText(planOf(undefined, []))).toBe('drawn:none');
    expect(planText({ mostStrikes: 12 })).toBe('drawn:1-12');
  });

  test('is read as it was written', () => {
    holds(
      fc.property(plan, (one) => {
        expect(parsePlan(planText(one))).toEqual(one);
      }),
    );
  });

  test('keeps the strikes that it names', () => {
    holds(
      fc.property(kept, (places) => {
        expect(keptOf(planOf(undefined, places))).toEqual(places);
      }),
    );
  });
});

test('the command line of a case replays just this case', () => {
  const cases: fc.Arbitrary<Case> = fc.record(
    {
      seed: fc.nat(2 ** 32 - 1),
      days: fc.integer({ min: 1, max: 100 }),
      faults: fc.oneof(
        fc.constant(faultNames),
        faults.map((names) => faultNames.filter((name) => names.includes(name))),
      ),
      plan,
      mutant: fc.constant('finish-without-fence'),
    },
    { requiredKeys: ['seed', 'days', 'faults'] },
  );
  holds(
    fc.property(cases, (one) => {
      const words = replayCommand(one).replace('npm run simulate -- ', '').split(' ');
      const request = readOptions(words, { mutants: ['finish-without-fence'], look: plainLook(80) });
      // A plan that names its faults draws none.
      const drawn = one.plan?.enabled === undefined ? one.faults : faultNames;
      expect(request).toMatchObject({ ...one, kind: 'replay', faults: drawn });
    }),
  );
});

test('a command line needs no quotes', () => {
  holds(
    fc.property(plan, (one) => {
      const command = replayCommand({ seed: 7, days: 3, faults: faultNames, plan: one });
      expect(command).toMatch(/^[\w\-:,. ]+$/);
    }),
  );
});
