import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cron, problems, type Timetable, timetable } from '../../../functions/domain/schedule/index.ts';

interface FiresCase {
  readonly id: string;
  readonly operation?: 'next' | 'prev';
  readonly expression: string;
  readonly timezone: string;
  readonly from?: string;
  readonly valid?: boolean;
  readonly fires?: readonly string[];
  readonly count?: number;
}

interface ValidationCase {
  readonly id: string;
  readonly expression: string;
  readonly valid: boolean;
}

/** The rule behind every expected fire in the case files. */
const dst = { gap: 'skip', repeat: 'first' } as const;

/** Where our answer differs from the recorded one, and the rule that we follow. */
const OUR_RULE: Record<string, { valid: boolean; rule: string }> = {
  V024: { valid: false, rule: 'a fire is a whole minute, so at(…:59) is refused rather than moved' },
  V027: { valid: true, rule: 'the refusal is of EventBridge Rules; Scheduler takes singular and plural' },
  V029: { valid: true, rule: 'the refusal is of EventBridge Rules; Scheduler takes singular and plural' },
  V030: { valid: true, rule: 'the refusal is of EventBridge Rules; Scheduler takes singular and plural' },
  V035: { valid: true, rule: 'at() does not exist in EventBridge Rules, but alarms are made in Scheduler' },
};

function load<Case>(name: string): Case[] {
  return JSON.parse(readFileSync(new URL(`../../cases/${name}`, import.meta.url), 'utf8')).cases;
}

function walk(table: Timetable, operation: 'next' | 'prev', from: string, count: number): string[] {
  const fires: string[] = [];
  let at: number | null = Date.parse(from);
  while (fires.length < count) {
    at = operation === 'next' ? table.next(at) : table.previous(at);
    if (at === null) break;
    fires.push(`${new Date(at).toISOString().slice(0, 19)}Z`);
  }
  return fires;
}

describe('fires that other schedulers got wrong', () => {
  test.each(load<FiresCase>('next-fires.json'))('$id $expression in $timezone', (item) => {
    const table = timetable({ schedules: [cron(item.expression)], timezone: item.timezone, dst });
    const fires = walk(table, item.operation ?? 'next', item.from ?? '', item.count ?? 0);
    expect(fires).toEqual(item.fires);
  });
});

describe.each(['expressions-eventbridge.json', 'expressions-unix.json'])('expressions in use: %s', (name) => {
  test.each(load<FiresCase>(name))('$id $expression in $timezone', (item) => {
    const spec = { schedules: [cron(item.expression)], timezone: item.timezone, dst };
    expect(problems(spec).length === 0).toBe(item.valid);
    if (!item.valid || item.fires === undefined) return;
    expect(walk(timetable(spec), 'next', '2026-10-01T00:00:00Z', 3)).toEqual(item.fires);
  });
});

describe('accepted or refused', () => {
  test.each(load<ValidationCase>('validation.json'))('$id $expression', ({ id, expression, valid }) => {
    const expected = OUR_RULE[id]?.valid ?? valid;
    expect(problems({ schedules: [cron(expression)], timezone: 'UTC' }).length === 0).toBe(expected);
  });

  test('every rule of our own differs from the case that it answers', () => {
    const cases = new Map(load<ValidationCase>('validation.json').map((item) => [item.id, item.valid]));
    for (const [id, { valid }] of Object.entries(OUR_RULE)) expect(cases.get(id), id).toBe(!valid);
  });
});
