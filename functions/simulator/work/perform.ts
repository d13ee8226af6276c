import { minute, second } from '../../domain/time.ts';
import { type CommitWrite, type Context, Fatal, type Fire, Retry, type Verified } from '../../job.ts';
import type { BodyPlace } from '../bodies.ts';
import type { Faults } from '../faults.ts';
import type { StepCall } from '../observe.ts';
import type { Random } from '../random.ts';
import type { Part, WorkPlan } from './plan.ts';

/** The table that commits write to: one item for each run and commit, with how often it was committed. */
export const effectsTable = 'effects';

export class WorkFailed extends Error {
  override readonly name = 'WorkFailed';
}

interface Performance {
  readonly fire: Fire;
  readonly ctx: Context;
  readonly place: BodyPlace;
  readonly faults: Faults;
  /** What goes wrong before the part at this place, or at the end. */
  readonly mishapAt: (place: number, isEnd: boolean) => Promise<void>;
}

/** Does the work of a fire from where the attempt before it went on, by the real verbs of steps. */
export async function performWork(plan: WorkPlan, of: Performance): Promise<unknown> {
  const { ctx, fire } = of;
  const hop = hopOf(ctx.cursor);
  const parts = plan[hop] ?? [];
  for (const [at, part] of parts.entries()) {
    await of.mishapAt(at, false);
    await performPart(part, of);
  }
  await of.mishapAt(parts.length, true);
  return hop + 1 < plan.length ? ctx.continueWith({ hop: hop + 1 }) : { done: fire.id };
}

function hopOf(cursor: unknown): number {
  return typeof cursor === 'object' && cursor !== null && 'hop' in cursor ? Number(cursor.hop) : 0;
}

async function performPart(part: Part, of: Performance): Promise<unknown> {
  switch (part.kind) {
    case 'pause':
      return of.place.sandbox.pause(part.takesMs);
    case 'step':
      return performStep(part, of);
    case 'once':
      return performOnce(part, of);
    case 'map':
      return performMap(part, of);
    case 'commit':
      return performCommit(part, of);
  }
}

function performStep({ name, retries, takesMs }: Part & { kind: 'step' }, of: Performance) {
  const call: StepCall = { kind: 'step', name };
  return told(call, of, () => of.ctx.step(name, { retries }, () => workOf(call, { takesMs, of })));
}

function performOnce({ name, takesMs, hasVerify }: Part & { kind: 'once' }, of: Performance) {
  const call: StepCall = { kind: 'once', name, hasVerify };
  const work = () => workOf(call, { takesMs, of });
  const verify = () => verified(call, of);
  return told(call, of, () => (hasVerify ? of.ctx.once(name, { verify }, work) : of.ctx.once(name, work)));
}

function performMap(part: Part & { kind: 'map' }, of: Performance) {
  const { name, takesMs, batch, concurrency } = part;
  const items = Array.from({ length: part.items }, (_, index) => `item ${index}`);
  const call: StepCall = { kind: 'map', name, batch, items };
  const options = { key: (item: string) => item, batch, concurrency };
  return told(call, of, () =>
    of.ctx.map(name, items, options, (item) => workOf(call, { takesMs, of, item })),
  );
}

function performCommit({ name, isFinal }: Part & { kind: 'commit' }, of: Performance) {
  const { fire, ctx, faults } = of;
  const call: StepCall = { kind: 'commit', name, isFinal };
  const refusal = faults.strikes('refused-commit') ? [neverHolds] : [];
  const writes = [...refusal, oneMore(`${fire.id} ${name}`)];
  return told(call, of, () => ctx.commit(name, writes, isFinal ? { final: true, result: fire.id } : {}));
}

const neverHolds: CommitWrite = {
  ConditionCheck: {
    TableName: effectsTable,
    Key: { id: 'nobody writes this' },
    ConditionExpression: 'attribute_exists(id)',
  },
};

function oneMore(id: string): CommitWrite {
  return {
    Update: {
      TableName: effectsTable,
      Key: { id },
      UpdateExpression: 'ADD times :one',
      ExpressionAttributeValues: { ':one': 1 },
    },
  };
}

/** Tells of the call, and of what it came to. */
async function told<T>(call: StepCall, { place }: Performance, make: () => Promise<T>): Promise<T> {
  place.atStep(call, { what: 'called' });
  try {
    const result = await make();
    place.atStep(call, { what: 'returned', result });
    return result;
  } catch (error) {
    place.atStep(call, { what: 'threw', error });
    throw error;
  }
}

/** The work of a step, or of an item: it takes its time, has its effect half-way, and may die before that or after it. */
async function workOf(
  call: StepCall,
  { takesMs, of: { faults, place }, item }: { takesMs: number; of: Performance; item?: string },
): Promise<unknown> {
  const { sandbox, atStep } = place;
  const which = item === undefined ? {} : { item };
  atStep(call, { what: 'begun', ...which });
  const dies = deathOf(faults);
  const isFailing = faults.strikes('failing-step');
  await sandbox.pause(takesMs / 2);
  if (dies === 'before') await die(place);
  if (isFailing) throw failureOf(faults.extent('failing-step'));
  const result = place.nextResult();
  atStep(call, { what: 'done', ...which, result });
  if (dies === 'after') await die(place);
  await sandbox.pause(takesMs / 2);
  return result;
}

function deathOf(faults: Faults): 'before' | 'after' | null {
  if (!faults.strikes('crash-in-step')) return null;
  return faults.extent('crash-in-step').pick(['before', 'after'] as const);
}

/** Goes on should it thaw. */
export function die({ sandbox }: BodyPlace): Promise<void> {
  sandbox.die('crash');
  return sandbox.alive();
}

/** What failing code throws: mostly an error of its own, now and then one that says whether to try again. */
export function failureOf(random: Random): Error {
  const kind = random.whole(0, 9);
  if (kind === 0) return new Fatal('never again');
  if (kind === 1) return new Retry({ after: `${random.whole(1, (30 * minute) / second)} seconds` });
  return new WorkFailed('the work could not be done');
}

/** What was truly done is found out; that takes its time. */
async function verified(call: StepCall, { place, faults }: Performance): Promise<Verified<unknown>> {
  const { sandbox, atStep, doneOnce } = place;
  await sandbox.pause(second / 2);
  if (faults.strikes('crash-in-step')) await die(place);
  const done = doneOnce(call.name);
  atStep(call, { what: 'verified', isDone: done !== null, ...(done && { result: done.result }) });
  return done === null ? { done: false } : { done: true, result: done.result };
}
