const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** `2 h 5 min`: the two largest units. */
export function spanText(ms: number): string {
  const first = units.findIndex(([, size]) => ms >= size);
  if (first === -1) return `${Math.max(0, Math.round(ms))} ms`;
  let left = ms;
  return units
    .slice(first, first + 2)
    .flatMap(([name, size]) => {
      const count = Math.floor(left / size);
      left -= count * size;
      return count > 0 ? [`${count} ${name}`] : [];
    })
    .join(' ');
}
