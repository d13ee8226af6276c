import type { Body } from '../../observe.ts';

/** Which executions are alive: one whose process was taken for dead is not, though it may thaw. */
export class Living {
  readonly #bodies = new Set<number>();

  began({ number }: Body): void {
    this.#bodies.add(number);
  }

  ended({ number }: Body): void {
    this.#bodies.delete(number);
  }

  has({ number }: Body): boolean {
    return this.#bodies.has(number);
  }
}
