import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { noCatchUp } from '../../functions/domain/catch-up.ts';
import { decideFinish, finishedOrLost, thoughOthersWait } from '../../functions/domain/finish.ts';
import type { Answer, Ledger } from '../../functions/domain/ledger.ts';
import type { PoolState } from '../../functions/domain/pools.ts';
import type { Run } from '../../functions/domain/run.ts';
import { decideStart, takenOrLost, takeOffer } from '../../functions/domain/start.ts';
import { minute } from '../../functions/domain/time.ts';
import { admission, waitForPools } from '../../functions/domain/waiting.ts';
import { type DynamoDb, startDynamoDb } from '../../functions/local/dynamodb/start.ts';
import { dynamoLedger } from '../../functions/store/dynamodb/index.ts';
import { newLedgerTable } from '../support/ledger-engines.ts';
import { disturb, type Fault } from '../support/ledger-faults.ts';
import { all, claim, entry, fireTime, jobId, publishFirst } from '../support/ledger-records.ts';
import { chooseSeed, seededRandom } from '../support/seeded-random.ts';

const runs = 60;
/** So many of them come and go at once. */
const atOnce = 6;
const name = 'reports-db';
/** One after another, while the race is on. */
const capacities = [7, 14, 4];
const heaviest = 3;

let database: DynamoDb;
beforeAll(async () => {
  database = await startDynamoDb();
});
afterAll(() => database?.close());

/** Two writes in ten collide, and of as many the answer is lost. */
function faults(random: () => number): { next: (command: string) => Fault; struck: Record<Fault, number> } {
  const struck = { none: 0, collision: 0, 'lost-answer': 0 };
  const draw = (lot: number): Fault => (lot < 2 ? 'collision' : lot < 4 ? 'lost-answer' : 'none');
  const next = (command: string): Fault => {
    const isWrite = command === 'TransactWriteItemsCommand' || command === 'UpdateItemCommand';
    const fault = isWrite ? draw(random() * 10) : 'none';
    struck[fault] += 1;
    return fault;
  };
  return { next, struck };
}

/** Writes with the same words until it is known what became of them. */
async function known<T extends string | Answer>(write: () => Promise<T>): Promise<T> {
  for (;;) {
    const [written] = await Promise.allSettled([write()]);
    if (written.status === 'rejected' && !String(written.reason).includes('lost')) throw written.reason;
    if (written.status === 'fulfilled' && !isConflict(written.value)) return written.value;
  }
}

function isConflict(answer: string | Answer): boolean {
  return typeof answer === 'object' && answer.kind === 'conflict';
}

/** Written now, or before by the same writer, whose token the record has. */
function isWritten(answer: Answer, token: string): boolean {
  return answer.kind === 'done' || (answer.kind === 'refused' && answer.run?.token === token);
}

/** Runs that want the pool, the reconciler that admits those that wait, and what everybody saw of it. */
class Race {
  readonly #ledger: Ledger;
  readonly #random: () => number;
  /** What each that waits is told when it is offered. */
  readonly #line = new Map<Run, (token: string) => void>();
  #held = 0;
  #highest = 0;
  waited = 0;
  mostHeld = 0;

  constructor(ledger: Ledger, random: () => number) {
    this.#ledger = ledger;
    this.#random = random;
  }

  async publish(capacity: number, replaces: number | null): Promise<void> {
    this.#highest = Math.max(this.#highest, capacity);
    expect(await known(() => this.#ledger.publishPool({ name, capacity }, replaces))).toBe('done');
  }

  async look(): Promise<PoolState> {
    const pool = (await this.#ledger.pools([name])).get(name);
    if (pool === undefined) throw new Error('The pool is gone.');
    const held = Object.values(pool.holds).reduce((sum, weight) => sum + weight, 0);
    expect(pool.free + held).toBe(pool.capacity);
    expect(held).toBeLessThanOrEqual(this.#highest);
    expect(pool.waiting).toBeGreaterThanOrEqual(0);
    return pool;
  }

  /** From a delivery to its end. */
  async run(index: number): Promise<void> {
    const weight = 1 + Math.floor(this.#random() * heaviest);
    const run = await this.#started(index, weight);
    this.#holds(weight);
    for (let looks = this.#random() * 4; looks > 0; looks -= 1) await this.look();
    // It may have it no more from the first write of its end on.
    this.#holds(-weight);
    await this.#finish(run);
  }

  async #started(index: number, weight: number): Promise<Run> {
    const pools = { [name]: weight };
    const claimed = claim(`run-${index}`, { overlap: 'allow', pools }, fireTime + index * minute);
    const answer = await known(() => this.#ledger.create(claimed.run, claimed.effect));
    const decision = decideStart(answer, claimed);
    if (decision.kind === 'run') return claimed.run;
    expect(decision.kind).toBe('wait');
    this.waited += 1;
    const { run, effect } = waitForPools(claimed, { token: `waiter-${index}`, now: fireTime });
    const counted = await known(() => this.#ledger.create(run, effect));
    expect(isWritten(counted, run.token)).toBe(true);
    const offer = await new Promise<string>((tell) => this.#line.set(run, tell));
    const { fence, change } = takeOffer({ token: offer, attempt: 1 }, entry(`run-${index}`));
    const taken = takenOrLost(await known(() => this.#ledger.move(run, fence, change)), `run-${index}`);
    if (taken === null || taken === 'conflict') throw new Error(`The offer of run ${index} is gone.`);
    return taken;
  }

  #holds(weight: number): void {
    this.#held += weight;
    this.mostHeld = Math.max(this.mostHeld, this.#held);
    expect(this.#held).toBeLessThanOrEqual(this.#highest);
  }

  async #finish(run: Run): Promise<void> {
    const outcome = { kind: 'succeeded' } as const;
    const { change, effect } = decideFinish(run, { outcome, attempt: 1, now: fireTime + 9_000 });
    const fence = { state: 'running', token: run.token } as const;
    const first = await known(() => this.#ledger.move(run, fence, change, { effect }));
    if (finishedOrLost(first, run) === 'finished') return;
    const though = { effect: thoughOthersWait(effect) };
    const again = await known(() => this.#ledger.move(run, fence, change, though));
    expect(finishedOrLost(again, run)).toBe('finished');
  }

  /** Admits whomever it comes upon: who is to have what first is not for the store to say. */
  async admitUntil(isOver: () => boolean): Promise<void> {
    for (let turns = 0; !isOver(); turns += 1) {
      await this.look();
      const line = [...this.#line.keys()];
      const next = line[Math.floor(this.#random() * line.length)];
      if (next !== undefined) await this.#admit(next, `offer-${turns}`);
    }
  }

  async #admit(run: Run, token: string): Promise<void> {
    const job = { overlap: 'allow', graceMs: minute, pools: run.waitsFor ?? {} } as const;
    const { fence, change, effect } = admission(run, job, { catchUp: noCatchUp, token, now: fireTime });
    const answer = await known(() => this.#ledger.move(run, fence, change, { effect }));
    if (!isWritten(answer, token)) return;
    this.#line.get(run)?.(token);
    this.#line.delete(run);
  }
}

it('a race of 60 runs for one pool, with conflicts and lost answers, never exceeds its capacity, and leaves it free', {
  timeout: 60_000,
}, async () => {
  const seed = chooseSeed();
  const random = seededRandom(seed);
  const { client, table } = await newLedgerTable(database.endpoint, { maxSockets: 2 * atOnce });
  const ledger = dynamoLedger({ client, table, random, sleep: () => turn() });
  await publishFirst(ledger);
  const { next, struck } = faults(random);
  disturb(client, 'command', next);
  const race = new Race(ledger, random);
  const [first = 1, ...later] = capacities;
  await race.publish(first, null);

  let [begun, finished] = [0, 0];
  const running = Array.from({ length: atOnce }, async () => {
    while (begun < runs) {
      await race.run(begun++);
      finished += 1;
    }
  });
  const changing = later.map(async (capacity, index) => {
    while (finished < ((index + 1) * runs) / capacities.length) await race.look();
    await race.publish(capacity, capacities[index] ?? null);
  });
  await Promise.all([...running, ...changing, race.admitUntil(() => finished === runs)]);
  const { waited, mostHeld } = race;
  console.log(`pool race: SEED=${seed}`, { waited, mostHeld, struck });

  const capacity = capacities.at(-1);
  expect(await race.look()).toEqual({ name, capacity, free: capacity, waiting: 0, holds: {} });
  const records = await all(ledger.history(jobId, { from: 0, to: fireTime + runs * minute }));
  expect(records.map(({ state, attempts }) => [state, attempts.length])).toEqual(
    records.map(() => ['succeeded', 1]),
  );
  expect(records).toHaveLength(runs);
  expect(waited).toBeGreaterThan(20);
  expect(struck.collision).toBeGreaterThan(50);
  expect(struck['lost-answer']).toBeGreaterThan(50);
  client.destroy();
});
