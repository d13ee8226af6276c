/** One comparison with a peer in the same run. `ratio` is ours / peer: below 1 is better, unless the metric says otherwise. */
export interface BenchRow {
  readonly name: string;
  readonly metric: string;
  readonly ours: number;
  readonly peer: number;
  readonly peerName: string;
  readonly ratio: number;
  /** What the ratio may be at most. */
  readonly target?: number;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

export function row(of: Omit<BenchRow, 'ratio'>): BenchRow {
  return { ...of, ours: rounded(of.ours), peer: rounded(of.peer), ratio: rounded(of.ours / of.peer) };
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
