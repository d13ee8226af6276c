import { exclusions, type Spec, timetable } from '../schedule/index.ts';
import { day } from '../time.ts';

/** From `from` to right before `to`, epoch milliseconds. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** What is due within a range and not excepted, ascending. */
export function firesWithin(spec: Spec, { from, to }: Range): number[] {
  const isExcluded = exclusions(spec);
  const fires = [...timetable(spec).between(from - 1, to - 1)];
  return spec.except === undefined ? fires : fires.filter((fire) => !isExcluded(fire));
}

/** The fires of all specs by their place, and up to where they were told. */
export interface Told {
  readonly fires: readonly (readonly number[])[];
  readonly until: number;
}

/** The fires of a range, day by day until there are `most`; so that a week of a thousand jobs a minute has an end. */
export function tellFires(specs: readonly Spec[], { from, to }: Range, most: number): Told {
  const fires = specs.map((): number[] => []);
  let [until, count] = [from, 0];
  while (until < to && count < most) {
    const today = { from: until, to: Math.min(until + day, to) };
    for (const [index, spec] of specs.entries()) {
      const found = firesWithin(spec, today);
      fires[index]?.push(...found);
      count += found.length;
    }
    until = today.to;
  }
  return { fires, until };
}
