import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** A rule of ours that meets a case, and the tests that prove it, by file and name. */
export interface Answer {
  readonly rule: string;
  readonly tests: readonly (readonly [file: string, name: string])[];
}

interface Case {
  readonly id: string;
  readonly title: string;
}

const root = new URL('../../', import.meta.url);

function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

/** Each case of a file is played through, answered by tests that exist, or both. */
export function answerCases(
  what: string,
  {
    file,
    scenarios,
    answers,
  }: {
    file: string;
    scenarios: Readonly<Record<string, () => Promise<void>>>;
    answers: Readonly<Record<string, Answer>>;
  },
): void {
  const cases: readonly Case[] = JSON.parse(read(file)).cases;
  describe(what, () => {
    test.each(cases.map(({ id, title }) => [id, title]))('%s: %s', async (id) => {
      const scenario = scenarios[id];
      const tests = answers[id]?.tests ?? [];
      expect(scenario !== undefined || tests.length > 0, 'the case is played through or answered').toBe(true);
      for (const [path, name] of tests) expect(read(path), `the test that answers ${id}`).toContain(name);
      await scenario?.();
    });

    test('every scenario and every answer is of a case', () => {
      const known = cases.map(({ id }) => id);
      const given = [...Object.keys(scenarios), ...Object.keys(answers)];
      expect(given.filter((id) => !known.includes(id))).toEqual([]);
    });
  });
}
