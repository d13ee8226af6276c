import type { Answer, Ledger } from '../domain/ledger.ts';
import { minute, second } from '../domain/time.ts';
import type { EventLoop } from './event-loop.ts';
import type { FaultName, Faults } from './faults.ts';
import type { OpenIndex } from './open-index.ts';
import type { Random } from './random.ts';
import type { Sandbox } from './sandbox.ts';

/** An index may be so far behind. */
export const greatestLagMs = 30 * second;

/** What a process dies of around a request: before and after it. */
export interface CrashNames {
  readonly before: FaultName;
  readonly after: FaultName;
}

const aroundStep: CrashNames = { before: 'crash-before-step', after: 'crash-after-step' };

/** What a process reaches its store through. */
export interface StoreClient {
  readonly ledger: Ledger;
  readonly sandbox: Sandbox;
  readonly loop: EventLoop;
  readonly faults: Faults;
  readonly index: OpenIndex;
  /** The faults by which this process dies around the request that it now makes, unless it is for a step. */
  readonly crashes: () => CrashNames;
  /** The store answers nobody now. */
  readonly isDown: () => boolean;
  /** How long requests take at most. */
  readonly paceMs: number;
  readonly pace: Random;
}

class StoreFault extends Error {
  override readonly name = 'StoreFault';
}

/** Always the same ones: where they were thrown is of no interest, and to find out takes time. */
const throttled = new StoreFault('the store throttles');
const unanswered = new StoreFault('no answer came');

/** The ledger as one process sees it: over a network, with a store that throttles, collides, and answers late or never. */
export function disturbedLedger(client: StoreClient): Ledger {
  const { ledger, faults, index, loop } = client;
  const ask = <T>(what: () => Promise<T>, crashes = client.crashes()) => request(client, crashes, what);
  const write = <T extends Answer>(what: () => Promise<T>, crashes = client.crashes()) =>
    request(client, crashes, async () => (faults.strikes('colliding-writes') ? collision : what()));
  return {
    create: (run, effect) => write(() => ledger.create(run, effect)),
    move: (ref, fence, change, options) => write(() => ledger.move(ref, fence, change, options)),
    steps: (ref) => ask(() => ledger.steps(ref), aroundStep),
    writeStep: (ref, fence, step) => write(() => ledger.writeStep(ref, fence, step), aroundStep),
    countDuplicate: (ref) => ask(() => ledger.countDuplicate(ref)),
    countStray: (jobId, refusedFire) => ask(() => ledger.countStray(jobId, refusedFire)),
    suspect: (ref, suspicion) => ask(() => ledger.suspect(ref, suspicion)),
    run: (ref) => ask(() => ledger.run(ref)),
    runs: (refs, onUnreadable) => ask(() => ledger.runs(refs, onUnreadable)),
    history: (jobId, range) => pages(client, ledger.history(jobId, range)),
    open: (until, limit, from = 0) =>
      ask(async () =>
        faults.strikes('stale-index')
          ? index.openAt(loop.now - faults.extent('stale-index').whole(0, greatestLagMs), {
              until,
              limit,
              from,
            })
          : ledger.open(until, limit, from),
      ),
    job: (jobId) => ask(() => ledger.job(jobId)),
    jobs: (jobIds) => ask(() => ledger.jobs(jobIds)),
    pools: (names) => ask(() => ledger.pools(names)),
    specs: (jobId) => ask(() => ledger.specs(jobId)),
    publish: (version, replaces) => ask(() => ledger.publish(version, replaces)),
    publishPool: (pool, replaces) => ask(() => ledger.publishPool(pool, replaces)),
    manifest: () => ask(() => ledger.manifest()),
    saveManifest: (manifest) => ask(() => ledger.saveManifest(manifest)),
    zones: () => ask(() => ledger.zones()),
    saveZones: (table) => ask(() => ledger.saveZones(table)),
    acquire: (token, now, until) => ask(() => ledger.acquire(token, now, until)),
    save: (token, state) => ask(() => ledger.save(token, state)),
    releaseLease: (token) => ask(() => ledger.releaseLease(token)),
    setPause: (jobId, pause, options) => ask(() => ledger.setPause(jobId, pause, options)),
    closedDays: (jobId, range) => pages(client, ledger.closedDays(jobId, range)),
    dayRecord: (ref) => ask(() => ledger.dayRecord(ref)),
    closeDay: (closed, fence) => ask(() => ledger.closeDay(closed, fence)),
    leaveDay: (ref, fence, where) => ask(() => ledger.leaveDay(ref, fence, where)),
    log: (action) => ask(() => ledger.log(action)),
    actions: (range) => pages(client, ledger.actions(range)),
  };
}

const collision = { kind: 'conflict' } as const;

/** A history is read in pages; one is enough here. */
async function* pages<T>(client: StoreClient, page: AsyncIterable<T>): AsyncGenerator<T> {
  const read = async () => {
    const all: T[] = [];
    for await (const one of page) all.push(one);
    return all;
  };
  yield* await request(client, client.crashes(), read);
}

async function request<T>(client: StoreClient, crashes: CrashNames, perform: () => Promise<T>): Promise<T> {
  const { sandbox, loop, faults, paceMs, pace } = client;
  if (!sandbox.isAlive) await sandbox.alive();
  if (faults.strikes(crashes.before)) await dieIn(sandbox);
  if (paceMs > 0) await loop.pause(pace.whole(1, paceMs));
  if (faults.strikes('slow-store')) await loop.pause(faults.extent('slow-store').whole(50, 2 * second));
  if (!sandbox.isAlive) await sandbox.alive();
  if (client.isDown()) return silence(client);
  if (faults.strikes('throttled-store')) throw throttled;
  if (faults.strikes('silent-store')) return silence(client);
  if (faults.strikes('late-request')) return arriveLate(client, perform);
  const answer = await perform();
  if (faults.strikes(crashes.after)) await dieIn(sandbox);
  if (faults.strikes('lost-answer')) return silence(client);
  return answer;
}

/** Nobody waits for its answer any more. */
async function arriveLate<T>(client: StoreClient, perform: () => Promise<T>): Promise<T> {
  const { loop, faults, sandbox } = client;
  const late = faults.extent('late-request').whole(5 * second, 10 * minute);
  loop.after(late, () => void perform().catch(() => undefined));
  if (faults.extent('late-request').chance(0.5)) await dieIn(sandbox);
  return silence(client);
}

async function silence<T>({ sandbox }: StoreClient): Promise<T> {
  await sandbox.pause(second);
  throw unanswered;
}

/** Goes on should it thaw. */
function dieIn(sandbox: Sandbox): Promise<void> {
  sandbox.die('crash');
  return sandbox.alive();
}
