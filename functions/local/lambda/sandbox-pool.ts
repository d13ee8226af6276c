import { Sandbox, type SandboxOptions } from './sandbox-process.ts';

export interface PooledSandbox {
  readonly sandbox: Sandbox;
  /** Started for this invocation. */
  readonly cold: boolean;
}

/** The sandboxes of one function: a warm one when there is, else a new one; idle ones go after a while. */
export class SandboxPool {
  readonly #options: SandboxOptions;
  readonly #idleMs: number;
  readonly #all = new Set<Sandbox>();
  readonly #idle = new Map<Sandbox, NodeJS.Timeout>();

  constructor(options: SandboxOptions, idleMs: number) {
    this.#options = options;
    this.#idleMs = idleMs;
  }

  get sandboxes(): readonly Sandbox[] {
    return [...this.#all];
  }

  /** The most recently used first, so that the others grow idle. */
  take(): PooledSandbox {
    const warm = [...this.#idle.keys()].filter((sandbox) => sandbox.alive).at(-1);
    if (warm === undefined) return { sandbox: this.#start(), cold: true };
    this.#leaveIdle(warm);
    return { sandbox: warm, cold: false };
  }

  /** Back after an invocation; a dead one is forgotten. */
  giveBack(sandbox: Sandbox): void {
    if (!sandbox.alive) return;
    const reap = setTimeout(() => void sandbox.kill(), this.#idleMs);
    this.#idle.set(sandbox, reap.unref());
  }

  async close(): Promise<void> {
    await Promise.all(this.sandboxes.map((sandbox) => sandbox.kill()));
  }

  #start(): Sandbox {
    const sandbox = new Sandbox(this.#options);
    this.#all.add(sandbox);
    void sandbox.ended.then(() => {
      this.#all.delete(sandbox);
      this.#leaveIdle(sandbox);
    });
    return sandbox;
  }

  #leaveIdle(sandbox: Sandbox): void {
    clearTimeout(this.#idle.get(sandbox));
    this.#idle.delete(sandbox);
  }
}
