/** Numbers that a seed determines, the same on every machine (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A stream of its own, which the name and this one's state determine: drawing from it leaves this one as it is. */
  fork(name: string): Random {
    return new Random(mix(this.#state ^ hashOf(name)));
  }

  /** In [0, 1). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    return mix(this.#state) / 4_294_967_296;
  }

  /** A whole number from `least` to `most`, both inclusive. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** @throws for an empty list */
  pick<T>(list: readonly T[]): T {
    const picked = list[this.whole(0, list.length - 1)];
    if (picked === undefined) throw new Error('There is nothing to pick from an empty list.');
    return picked;
  }

  /** 24 hex digits, as tokens are. */
  token(): string {
    const digits = () => this.whole(0, 0xffffff).toString(16).padStart(6, '0');
    return digits() + digits() + digits() + digits();
  }
}

function mix(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}

/** FNV-1a, 32 bits. */
export function hashOf(text: string, basis = 0x811c9dc5): number {
  let hash = basis;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
