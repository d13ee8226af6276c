import type { Random } from './random.ts';

/** What a clock on the wall shows; weekday 0 is Sunday. */
export interface Wall {
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  readonly month: number;
  readonly weekday: number;
  readonly lastDay: number;
}

/** A field as text, and what it means, written without our parser. */
interface RandomField {
  readonly text: string;
  readonly fits: (wall: Wall) => boolean;
}

/** A Unix expression, and what it means. */
export interface RandomCron {
  readonly text: string;
  readonly fits: (wall: Wall) => boolean;
  readonly starHour: boolean;
}

/** `near`: hours that the expression should like, so that it meets the change of the clocks. */
export function randomCron(random: Random, near: readonly number[], specials = true): RandomCron {
  const minute = numbers(random, 0, 59, [0, 1, 15, 29, 30, 31, 45, 59], (wall) => wall.minute);
  const hour = numbers(random, 0, 23, near, (wall) => wall.hour);
  const day =
    specials && random.chance(0.2) ? specialDay(random) : mostlyStar(random, 1, 31, (wall) => wall.day);
  const month = mostlyStar(random, 1, 12, (wall) => wall.month);
  const weekday =
    specials && random.chance(0.2)
      ? specialWeekday(random)
      : mostlyStar(random, 0, 6, (wall) => wall.weekday);
  const star = day.text.startsWith('*') || weekday.text.startsWith('*');
  return {
    text: [minute, hour, day, month, weekday].map((field) => field.text).join(' '),
    starHour: hour.text.startsWith('*'),
    fits: (wall) =>
      minute.fits(wall) &&
      hour.fits(wall) &&
      month.fits(wall) &&
      (star ? day.fits(wall) && weekday.fits(wall) : day.fits(wall) || weekday.fits(wall)),
  };
}

type Read = (wall: Wall) => number;

function mostlyStar(random: Random, min: number, max: number, read: Read): RandomField {
  return random.chance(0.6) ? { text: '*', fits: () => true } : numbers(random, min, max, [], read);
}

function numbers(
  random: Random,
  min: number,
  max: number,
  likely: readonly number[],
  read: Read,
): RandomField {
  const value = () =>
    likely.length > 0 && random.chance(0.8) ? random.pick(likely) : random.integer(min, max);
  const step = random.integer(1, Math.min(20, max));
  const [first, last] = [value(), value()];
  const upTo = (from: number, to: number, by: number) => (wall: Wall) => {
    // A range that runs backwards goes round the end, its steps counted in that order.
    const size = max - min + 1;
    const distance = (read(wall) - from + size) % size;
    return distance <= (to - from + size) % size && distance % by === 0;
  };
  return random.pick<() => RandomField>([
    () => ({ text: '*', fits: () => true }),
    () => ({ text: `*/${step}`, fits: (wall) => (read(wall) - min) % step === 0 }),
    () => ({ text: `${first}`, fits: (wall) => read(wall) === first }),
    () => ({ text: `${first},${last}`, fits: (wall) => [first, last].includes(read(wall)) }),
    () => ({ text: `${first}-${last}`, fits: upTo(first, last, 1) }),
    () => ({ text: `${first}-${last}/${step}`, fits: upTo(first, last, step) }),
    () => ({
      text: `${first}/${step}`,
      fits: (wall) => read(wall) >= first && (read(wall) - first) % step === 0,
    }),
  ])();
}

function specialDay(random: Random): RandomField {
  const n = random.integer(1, 31);
  const isWorkingDay = (weekday: number) => weekday >= 1 && weekday <= 5;
  return random.pick<RandomField>([
    { text: 'L', fits: (wall) => wall.day === wall.lastDay },
    { text: `L-${n - 1}`, fits: (wall) => wall.day === wall.lastDay - (n - 1) },
    { text: 'LW', fits: (wall) => wall.day === nearest(wall, wall.lastDay, isWorkingDay) },
    { text: `${n}W`, fits: (wall) => n <= wall.lastDay && wall.day === nearest(wall, n, isWorkingDay) },
  ]);
}

/** The day of this month that is closest to `target` among those whose weekday fits. */
function nearest(wall: Wall, target: number, fits: (weekday: number) => boolean): number {
  const days = Array.from({ length: wall.lastDay }, (_, index) => index + 1);
  const weekday = (day: number) => (wall.weekday + (day - wall.day) + 35) % 7;
  const fitting = days.filter((day) => fits(weekday(day)));
  return fitting.reduce((best, day) => (Math.abs(day - target) < Math.abs(best - target) ? day : best));
}

function specialWeekday(random: Random): RandomField {
  const weekday = random.integer(0, 6);
  const n = random.integer(1, 5);
  return random.pick<RandomField>([
    { text: `${weekday}L`, fits: (wall) => wall.weekday === weekday && wall.day > wall.lastDay - 7 },
    { text: `${weekday}#${n}`, fits: (wall) => wall.weekday === weekday && Math.ceil(wall.day / 7) === n },
  ]);
}
