/** Spells a set of values as one field of an EventBridge expression, in forms that its documentation shows. */
export function spell(values: readonly number[], min: number, max: number): string {
  if (values.length === max - min + 1) return '*';
  return asSteps(values, max) ?? spellList(values, String);
}

/** `1-5,8`: runs of three or more as ranges. */
export function spellList(values: readonly number[], name: (value: number) => string): string {
  return runsOf(values)
    .map((run) => spellRun(run, name))
    .join(',');
}

/** `5/15`: from 5 to the end of the field in steps of 15. */
function asSteps(values: readonly number[], max: number): string | null {
  const [first = 0, second = 0] = values;
  const step = second - first;
  const even = values.every((value, index) => value === first + index * step);
  return values.length >= 3 && step > 1 && even && first + values.length * step > max
    ? `${first}/${step}`
    : null;
}

function runsOf(values: readonly number[]): number[][] {
  const runs: number[][] = [];
  for (const value of values) {
    const run = runs.at(-1);
    if (run && run.at(-1) === value - 1) run.push(value);
    else runs.push([value]);
  }
  return runs;
}

function spellRun(run: readonly number[], name: (value: number) => string): string {
  const [first = 0] = run;
  const last = run.at(-1) ?? first;
  return run.length < 3 ? run.map(name).join(',') : `${name(first)}-${name(last)}`;
}
