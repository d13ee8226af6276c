import { afterAll, beforeAll, expect, test } from 'vitest';
import { alertNames } from '../../functions/contract.ts';
import { type Synthesised, synthesiseLedger } from './synthesised.ts';

interface Widget {
  readonly type: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly properties: { readonly markdown?: string; readonly title?: string; readonly alarms?: unknown[] };
}

let prod: Synthesised;
beforeAll(async () => {
  prod = await synthesiseLedger('prod');
});
afterAll(() => prod?.dispose());

function widgets(): Widget[] {
  const [dashboard, ...others] = prod.resources('AWS::CloudWatch::Dashboard');
  expect(others).toEqual([]);
  expect(dashboard?.properties.DashboardName).toBe('fireledger-prod-eu-central-1');
  return JSON.parse(String(dashboard?.properties.DashboardBody)).widgets;
}

test('its widgets fill rows of 24 columns, and none lies on another', () => {
  const all = widgets();
  const taken = new Set<string>();
  for (const { x, y, width, height } of all) {
    expect(x + width).toBeLessThanOrEqual(24);
    for (let column = x; column < x + width; column += 1)
      for (let row = y; row < y + height; row += 1) {
        expect(taken).not.toContain(`${column},${row}`);
        taken.add(`${column},${row}`);
      }
  }
  const rows = Math.max(...all.map(({ y, height }) => y + height));
  expect(taken.size).toBe(24 * rows);
});

test('it begins with the commands to run, and with the state of every alert', () => {
  const [text, status] = widgets();
  expect(text?.properties.markdown).toContain('npm run -s fl -- doctor --stage prod');
  expect(status?.type).toBe('alarm');
  expect(status?.properties.alarms).toHaveLength(Object.keys(alertNames).length);
});

test('it shows fires, lateness, waits, what needs people, sweeps, deliveries and throttles', () => {
  expect(widgets().flatMap(({ properties }) => properties.title ?? [])).toMatchInlineSnapshot(`
    [
      "alerts",
      "fires by outcome",
      "from due to started, ms",
      "waits for pools, ms; oldest waiter, s",
      "parked now, failed, crashed, missed beyond policy, undeliverable",
      "sweeps; seconds and fires unaccounted for",
      "duplicates and strays refused, waiting runs started",
      "throttled table",
    ]
  `);
});
