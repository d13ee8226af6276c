import type { Ledger, RunChange } from '../../functions/domain/ledger.ts';
import { runId } from '../../functions/domain/names.ts';
import type { Run } from '../../functions/domain/run.ts';
import { pagedVerbs } from '../support/paged-verbs.ts';
import { type Fault, never, type Process } from './process.ts';
import type { Stage } from './stage.ts';

/** A request that is not answered may still be carried out, so much later. */
const longestStraggleMs = 20_000;

/** The ledger as one process has it: each call is one step, which may fail, come late or be its last. */
export function scheduledLedger(ledger: Ledger, process: Process, stage: Stage): Ledger {
  return new Proxy(ledger, {
    get: (target, verb: keyof Ledger) => {
      const act = target[verb].bind(target) as (...args: readonly unknown[]) => unknown;
      if (pagedVerbs.has(verb)) return (...args: readonly unknown[]) => paged(verb, act, args);
      return (...args: readonly unknown[]) => call(verb, told(verb, args), async () => act(...args));
    },
  });

  async function* paged(
    verb: keyof Ledger,
    act: (...args: readonly unknown[]) => unknown,
    args: readonly unknown[],
  ) {
    const pages = act(...args) as AsyncIterable<unknown>;
    await call(verb, verb, async () => undefined);
    yield* pages;
  }

  async function call(verb: keyof Ledger, what: string, effect: () => Promise<unknown>): Promise<unknown> {
    const fault = process.nextFault();
    const at = stage.time.now;
    await stage.step(process, fault === undefined ? what : `${what} (${fault})`);
    if (fault === 'freezes') await thaw(what);
    if (fault === 'straggles') void straggle(what, effect, at);
    const early = before(verb, fault);
    if (early !== undefined) return early;
    const answer = await stage.whole(effect());
    return after(fault, answer);
  }

  async function thaw(what: string): Promise<void> {
    await process.freeze();
    await stage.step(process, `${what}, thawed`);
  }

  /** What comes of a call that is not carried out (yet). */
  function before(verb: keyof Ledger, fault: Fault | undefined): Promise<unknown> | undefined {
    if (fault === 'crash-before') return dead();
    if (fault === 'conflict' && (verb === 'create' || verb === 'move'))
      return Promise.resolve({ kind: 'conflict' });
    if (fault === 'rejected' || fault === 'conflict' || fault === 'straggles')
      return Promise.reject(new Error(`${verb} was not answered`));
    return undefined;
  }

  async function after(fault: Fault | undefined, answer: unknown): Promise<unknown> {
    if (fault === 'crash-after') return dead();
    if (fault === 'lost-answer') throw new Error('the answer was lost');
    if (fault === 'late-answer') await stage.step(process, 'the late answer');
    return answer;
  }

  function dead(): Promise<never> {
    process.kill();
    return never();
  }

  async function straggle(what: string, effect: () => Promise<unknown>, sentAt: number): Promise<void> {
    await stage.pick(`${process.name} ${what}, straggling`);
    if (stage.time.now <= sentAt + longestStraggleMs) await Promise.allSettled([stage.whole(effect())]);
  }
}

/** `moves reports/inventory#2026-12-01T12:00:00Z to succeeded` */
function told(verb: keyof Ledger, [ref, ...how]: readonly unknown[]): string {
  if (verb !== 'create' && verb !== 'move') return verb;
  const { state, ...run } = ref as Run;
  const [, change] = how as [unknown, RunChange];
  return `${verb}s ${runId(run)} ${verb === 'create' ? state : `to ${change.set.state}`}`;
}
