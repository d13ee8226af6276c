import type { Process } from './process.ts';

/**
 * Where a process can be struck. `request`: before it is sent; `answer`: it was carried out, and the answer is on its way;
 * `work`: in the midst of the job's own code, or at its end.
 */
export interface Point {
  readonly what: string;
  readonly kind: 'request' | 'answer' | 'work';
}

/** When a frozen process thaws: at the nth point of those who go on, once it was taken over, or when all is over. */
export type Thaw = number | 'taken-over' | 'at-rest';

/**
 * What happens at a point, counted from 0 among those passed since the strike before.
 * - `dies`: the process does. `freezes`: it goes on long after its lease. No design can forbid that.
 * - `loses-answer`: the request was carried out, and rejects. `straggles`: it rejects, and is carried out seconds later.
 */
export type Strike =
  | { readonly at: number; readonly kind: 'dies' | 'loses-answer' | 'straggles' }
  | { readonly at: number; readonly kind: 'freezes'; readonly thaws: Thaw };

/** What has been struck so far, and where. */
export class Strikes {
  /** The points that were passed before the first strike, between it and the second, and so on. */
  readonly passed: Point[][] = [[]];
  readonly #left: Strike[];
  #frozen: { readonly process: Process; readonly thaws: Thaw; readonly at: Point } | null = null;

  constructor(plan: readonly Strike[]) {
    this.#left = [...plan];
  }

  /** How many have not struck. */
  get left(): number {
    return this.#left.length;
  }

  /** Where a process was frozen, thawed or not. */
  get frozenAt(): Point | undefined {
    return this.#frozen?.at;
  }

  get isFrozen(): boolean {
    return this.#frozen?.process.isFrozen === true;
  }

  /** What strikes a process that comes to a point. */
  next(point: Point, process: Process): Strike['kind'] | null {
    const section = this.passed.at(-1) ?? [];
    const at = section.push(point) - 1;
    this.thaw(at);
    const [strike] = this.#left;
    if (strike?.at !== at) return null;
    this.#left.shift();
    this.passed.push([]);
    if (strike.kind === 'freezes') this.#frozen = { process, thaws: strike.thaws, at: point };
    return strike.kind;
  }

  /** It is time for whoever was to thaw then. */
  thaw(when: Thaw): void {
    if (this.#frozen?.thaws === when || when === 'at-rest') this.#frozen?.process.thaw();
  }
}
