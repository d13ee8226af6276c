import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { answers } from './exactly-once-answers.ts';
import { scenarios } from './exactly-once-scenarios.ts';

interface Case {
  readonly id: string;
  readonly title: string;
}

const root = new URL('../../', import.meta.url);

function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

const cases: readonly Case[] = JSON.parse(read('test/cases/exactly-once.json')).cases;

describe('double runs and stuck records that others met', () => {
  test.each(cases.map(({ id, title }) => [id, title]))('%s: %s', async (id) => {
    const scenario = scenarios[id];
    const tests = answers[id]?.tests ?? [];
    expect(scenario !== undefined || tests.length > 0, 'the case is played through or answered').toBe(true);
    for (const [file, name] of tests) expect(read(file), `the test that answers ${id}`).toContain(name);
    await scenario?.();
  });

  test('every scenario and every answer is of a case', () => {
    const known = cases.map(({ id }) => id);
    expect([...Object.keys(scenarios), ...Object.keys(answers)].filter((id) => !known.includes(id))).toEqual(
      [],
    );
  });
});
