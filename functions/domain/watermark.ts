/** (from, to]: epoch milliseconds. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/**
 * What the reconciler has accounted for: every fire due up to `top` has its record, but for those in `gaps` (oldest
 * first, disjoint). The classical watermark is the start of the oldest gap.
 */
export interface Watermark {
  readonly top: number;
  readonly gaps: readonly Interval[];
  /** By job: a stretch in which its fires are not known. It is no gap, so that the other jobs' accounts go on. */
  readonly aside?: Readonly<Record<string, Interval>>;
}

/** Up to here every fire has its record. */
export function settledUpTo(mark: Watermark): number {
  const aside = Object.values(mark.aside ?? {}).map(({ from }) => from);
  return Math.min(mark.gaps[0]?.from ?? mark.top, ...aside);
}

/** Up to here each fire of a job has its record, as far as its own stretch is known. */
export function settledOf(jobId: string, { aside: { [jobId]: own } = {}, ...mark }: Watermark): number {
  return settledUpTo(own === undefined ? mark : { ...mark, aside: { [jobId]: own } });
}

/** The first watermark of a ledger: nothing is owed from before. */
export function firstWatermark(now: number): Watermark {
  return { top: now, gaps: [] };
}

/** Time has passed: what lies between the top and now is unaccounted for. A clock set back never leaves the top in the future. */
export function advance(mark: Watermark, now: number): Watermark {
  if (now <= mark.top) return { ...mark, top: now, gaps: within(mark.gaps, Number.NEGATIVE_INFINITY, now) };
  return { ...mark, top: now, gaps: merge([...mark.gaps, { from: mark.top, to: now }]) };
}

/**
 * What one turn looks at: all that is unaccounted for since `liveFrom`, single instants left over from before (a write
 * that failed), and the newest part of a backlog, at most `span` long. Live fires first, whatever the backlog.
 */
export function slicesOf(mark: Watermark, liveFrom: number, span: number): Interval[] {
  const live = within(mark.gaps, liveFrom, mark.top);
  const older = within(mark.gaps, Number.NEGATIVE_INFINITY, liveFrom);
  const newest = older.filter((gap) => !isInstant(gap)).at(-1);
  const backlog = newest ? [{ from: Math.max(newest.from, newest.to - span), to: newest.to }] : [];
  return [...live, ...older.filter(isInstant), ...backlog];
}

/** Part of an outage has not been looked at yet. */
export function hasBacklog(mark: Watermark, liveFrom: number): boolean {
  return within(mark.gaps, Number.NEGATIVE_INFINITY, liveFrom).some((gap) => !isInstant(gap));
}

/** Milliseconds before `liveFrom` that are unaccounted for. A turn that leaves as many as it found got nowhere. */
export function backlogLength(mark: Watermark, liveFrom: number): number {
  return within(mark.gaps, Number.NEGATIVE_INFINITY, liveFrom).reduce(
    (sum, gap) => sum + gap.to - gap.from,
    0,
  );
}

function isInstant(gap: Interval): boolean {
  return gap.to - gap.from <= 1;
}

function within(gaps: readonly Interval[], from: number, to: number): Interval[] {
  return gaps
    .map((gap) => ({ from: Math.max(gap.from, from), to: Math.min(gap.to, to) }))
    .filter((gap) => gap.from < gap.to);
}

/** A slice was looked at; `unrecorded` are its fires that still have no record, and stay owed. */
export function account(mark: Watermark, slice: Interval, unrecorded: readonly number[]): Watermark {
  const outside = mark.gaps.flatMap((gap) => subtract(gap, slice));
  const owed = unrecorded.map((fire) => ({ from: fire - 1, to: fire }));
  return { ...mark, gaps: merge([...outside, ...owed]) };
}

/**
 * Slices were looked at, but the fires that these jobs had in them are not known: they are put aside. What was put aside
 * of a job that is known again becomes a gap, and is looked at once more.
 */
export function putAside(mark: Watermark, slices: readonly Interval[], jobIds: readonly string[]): Watermark {
  const before = new Map(Object.entries(mark.aside ?? {}));
  const aside = new Map<string, Interval>();
  for (const jobId of jobIds) {
    const earlier = before.get(jobId);
    const parts = earlier ? [...slices, earlier] : slices;
    if (parts.length > 0) aside.set(jobId, hull(parts));
  }
  const back = [...before].filter(([jobId]) => !aside.has(jobId)).map(([, stretch]) => stretch);
  const gaps = merge([...mark.gaps, ...within(back, Number.NEGATIVE_INFINITY, mark.top)]);
  return { top: mark.top, gaps, ...(aside.size > 0 && { aside: Object.fromEntries(aside) }) };
}

function hull(parts: readonly Interval[]): Interval {
  const [froms, tos] = [parts.map(({ from }) => from), parts.map(({ to }) => to)];
  return { from: Math.min(...froms), to: Math.max(...tos) };
}

function subtract(gap: Interval, slice: Interval): Interval[] {
  const before = { from: gap.from, to: Math.min(gap.to, slice.from) };
  const after = { from: Math.max(gap.from, slice.to), to: gap.to };
  return [before, after].filter((part) => part.from < part.to);
}

function merge(gaps: readonly Interval[]): Interval[] {
  const merged: Interval[] = [];
  for (const gap of [...gaps].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && gap.from <= last.to)
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, gap.to) };
    else merged.push(gap);
  }
  return merged.length <= mostGaps ? merged : coalesceOldest(merged);
}

/** The watermark is one small item: when writes kept failing here and there, the oldest gaps become one, looked at again. */
const mostGaps = 64;

function coalesceOldest(gaps: readonly Interval[]): Interval[] {
  const cut = gaps.length - mostGaps;
  const [first, last] = [gaps[0], gaps[cut]];
  return first && last ? [{ from: first.from, to: last.to }, ...gaps.slice(cut + 1)] : [...gaps];
}
