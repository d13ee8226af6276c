const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** `2 h 5 min`: the two largest units; `1.2 s`, `840 ms`. */
export function spanText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const first = units.findIndex(([, size]) => ms >= size);
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

/** `1 fire`, `1,200 fires`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** `3 succeeded, 1 failed`; those of which there are none are left out. */
export function countsText(counts: Readonly<Partial<Record<string, number>>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count !== undefined && count > 0)
    .map(([name, count]) => `${count?.toLocaleString('en-US')} ${name}`)
    .join(', ');
}
