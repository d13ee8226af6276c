import { minute } from '../time.ts';
import type { Range } from './fires.ts';

/** While more is needed of a pool than there is: by those who have it and those who wait for it. */
export interface Peak {
  readonly from: number;
  readonly to: number;
  /** The most that was needed at once, in units. */
  readonly demand: number;
  /** Whose runs had it or waited for it, sorted. */
  readonly jobs: readonly string[];
}

/** A stretch of a quarter of an hour. */
export interface Slice {
  /** The most that was needed at once, in units. */
  demand: number;
  heldUnitMs: number;
}

/** Every zone's midnight begins one. */
export const sliceMs = 15 * minute;
/** The others are counted. */
const mostPeaks = 1_000;

/** The waits of one job's runs for one pool. */
export interface Waits {
  readonly job: string;
  readonly waitsMs: number[];
  /** How often which job had what they lacked when they began to wait. */
  readonly behind: Map<string, number>;
}

/** What is needed and held of one pool, as time goes by. */
export class PoolMeter {
  readonly name: string;
  readonly capacity: number;
  readonly peaks: Peak[] = [];
  readonly slices: Slice[] = [];
  readonly waits = new Map<string, Waits>();
  /** Of the first slice, epoch milliseconds. */
  readonly slicesFrom: number;
  free: number;
  peakCount = 0;
  overMs = 0;
  mostNeeded = 0;
  heldUnitMs = 0;
  #demand = 0;
  #lastAt: number;
  #over: { from: number; demand: number; jobs: Set<string> } | null = null;
  readonly #needing = new Map<string, number>();
  readonly #holding = new Map<string, number>();

  constructor(name: string, capacity: number, { from }: Range) {
    this.name = name;
    this.capacity = capacity;
    this.free = capacity;
    this.#lastAt = from;
    this.slicesFrom = Math.floor(from / sliceMs) * sliceMs;
  }

  /** Whether all who need some of it can have it at once. */
  get suffices(): boolean {
    return this.#demand <= this.capacity;
  }

  get isHeld(): boolean {
    return this.#holding.size > 0;
  }

  /** The jobs whose runs have some of it now. */
  holders(): Iterable<string> {
    return this.#holding.keys();
  }

  need(job: string, weight: number, now: number): void {
    this.#passTo(now);
    this.#demand += weight;
    count(this.#needing, job, 1);
    this.#over?.jobs.add(job);
  }

  /** One who waited for it does no more. */
  leave(job: string, weight: number, now: number): void {
    this.#passTo(now);
    this.#demand -= weight;
    count(this.#needing, job, -1);
  }

  take(job: string, weight: number, now: number): void {
    this.#passTo(now);
    this.free -= weight;
    count(this.#holding, job, 1);
  }

  giveBack(job: string, weight: number, now: number): void {
    this.leave(job, weight, now);
    this.free += weight;
    count(this.#holding, job, -1);
  }

  beganToWait(job: string, behind: readonly string[]): void {
    const { behind: others } = this.#waitsOf(job);
    for (const other of behind) count(others, other, 1);
  }

  waited(job: string, ms: number): void {
    this.#waitsOf(job).waitsMs.push(ms);
  }

  /** All that happens at an instant has happened. */
  settle(now: number): void {
    this.mostNeeded = Math.max(this.mostNeeded, this.#demand);
    if (this.#demand > this.capacity) {
      this.#over ??= { from: now, demand: 0, jobs: new Set(this.#needing.keys()) };
      this.#over.demand = Math.max(this.#over.demand, this.#demand);
    } else this.#endPeak(now);
  }

  close(now: number): void {
    this.#passTo(now);
    this.#endPeak(now);
  }

  #endPeak(now: number): void {
    if (this.#over === null) return;
    const { from, demand, jobs } = this.#over;
    this.#over = null;
    this.peakCount += 1;
    this.overMs += now - from;
    if (this.peaks.length < mostPeaks) this.peaks.push({ from, to: now, demand, jobs: [...jobs].sort() });
  }

  #waitsOf(job: string): Waits {
    const waits = this.waits.get(job) ?? { job, waitsMs: [], behind: new Map() };
    this.waits.set(job, waits);
    return waits;
  }

  /** What was needed and held since the last change is written into the slices that it lasted. */
  #passTo(now: number): void {
    const held = this.capacity - this.free;
    let at = this.#lastAt;
    this.#lastAt = now;
    if (this.#demand === 0) return;
    this.heldUnitMs += held * (now - at);
    while (at < now) {
      const slice = this.#sliceAt(at);
      const end = Math.min(now, at - ((at - this.slicesFrom) % sliceMs) + sliceMs);
      slice.demand = Math.max(slice.demand, this.#demand);
      slice.heldUnitMs += held * (end - at);
      at = end;
    }
  }

  #sliceAt(at: number): Slice {
    const index = Math.floor((at - this.slicesFrom) / sliceMs);
    while (this.slices.length <= index) this.slices.push({ demand: 0, heldUnitMs: 0 });
    return this.slices[index] ?? { demand: 0, heldUnitMs: 0 };
  }
}

function count(counts: Map<string, number>, of: string, change: number): void {
  const now = (counts.get(of) ?? 0) + change;
  if (now === 0) counts.delete(of);
  else counts.set(of, now);
}
