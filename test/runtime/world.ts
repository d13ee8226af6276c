import { alarmPayload, killMarginMs, type OfferPayload } from '../../functions/contract.ts';
import type { Ledger } from '../../functions/domain/ledger.ts';
import type { ManifestJob } from '../../functions/domain/manifest.ts';
import { fireKey } from '../../functions/domain/names.ts';
import { newRun, type Run } from '../../functions/domain/run.ts';
import { startEffect } from '../../functions/domain/start.ts';
import { toIso } from '../../functions/domain/time.ts';
import type { Context, Fire, Job } from '../../functions/job.ts';
import { defineJob, manual } from '../../functions/job.ts';
import { loadJob } from '../../functions/runtime/load.ts';
import type { Invocation, Ports } from '../../functions/runtime/ports.ts';
import { type Handled, handleEvent } from '../../functions/runtime/runtime.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { type Recording, recordedPorts } from '../../functions/testing/recorded-ports.ts';
import { VirtualTime } from '../../functions/testing/virtual-time.ts';
import { at, manifestJob } from '../support/jobs.ts';

/** The fire that most rules are told with, of a job due every minute. */
export const fireTime = at('03:00');
export const key = '2026-12-01T03:00:00Z';
export const jobId = 'billing/send-invoices';
export const ref = { jobId, key };

type Code = (fire: Fire, ctx: Context) => unknown;

export interface World {
  readonly ledger: Ledger;
  readonly time: VirtualTime;
  readonly ports: Ports;
  readonly recording: Recording;
  readonly entry: ManifestJob;
  /** Every fire for which the job's code was started. */
  readonly started: readonly Fire[];
  /** An alarm's delivery. */
  deliver(of?: { scheduledTime?: string; remainingMs?: number }): Promise<Handled>;
  /** Any invocation, such as an offer's. */
  send(event: unknown, of?: Partial<Invocation>): Promise<Handled>;
  /** The record of a fire. */
  run(key?: string): Promise<Run>;
}

export interface WorldOptions {
  readonly code?: Code;
  readonly job?: Parameters<typeof manifestJob>[0];
  /** @default two seconds after the fire */
  readonly now?: number;
  readonly ledger?: Ledger;
  readonly input?: Job['options']['input'];
  readonly ports?: (recorded: Ports) => Partial<Ports>;
}

/** One job's function, deployed, on a ledger in memory, in virtual time. */
export async function world({
  code = () => undefined,
  job = {},
  now = fireTime + 2_000,
  ledger = memoryLedger(),
  input,
  ports: changed = () => ({}),
}: WorldOptions = {}): Promise<World> {
  const entry = manifestJob(job);
  await ledger.publish({ jobId: entry.id, from: 0, spec: entry.spec, specId: entry.specId }, null);
  const time = new VirtualTime(now);
  const { ports: recorded, recording } = recordedPorts(ledger, time);
  const ports = { ...recorded, ...changed(recorded) };
  const started: Fire[] = [];
  const loaded = loadJob(entry, authored(code, started, input));
  let requests = 0;
  const send = (event: unknown, of: Partial<Invocation> = {}) => {
    requests += 1;
    const remainingMs = () => entry.timeoutMs + killMarginMs;
    return handleEvent(event, { requestId: `request-${requests}`, remainingMs, ...of }, loaded, ports);
  };
  return {
    ...{ ledger, time, ports, recording, entry, started, send },
    deliver: ({ scheduledTime = toIso(fireTime), remainingMs } = {}) =>
      send(
        { ...alarmPayload(entry.id), scheduledTime },
        remainingMs === undefined ? {} : { remainingMs: () => remainingMs },
      ),
    run: (of = key) => recordOf(ledger, { jobId: entry.id, key: of }),
  };
}

function authored(code: Code, started: Fire[], input: Job['options']['input']): Job {
  return defineJob({
    description: 'of the manifest',
    schedule: manual(),
    missed: 'skip',
    crashed: 'park',
    ...(input && { input }),
    run: (fire, ctx) => {
      started.push(fire);
      return code(fire, ctx);
    },
  });
}

async function recordOf(ledger: Ledger, of: { jobId: string; key: string }): Promise<Run> {
  const run = await ledger.run(of);
  if (run === null) throw new Error(`there is no run ${of.jobId}#${of.key}`);
  return run;
}

/** A run that the reconciler has offered, with the payload that it then sends. */
export async function offered(
  { ledger, entry }: Pick<World, 'ledger' | 'entry'>,
  of: Partial<Run> = {},
): Promise<OfferPayload> {
  const run = newRun({
    ...{ jobId: entry.id, key: fireKey(fireTime), fireTime, specId: entry.specId },
    ...{ state: 'offered', trigger: 'backfill', token: 'of-the-offer', createdAt: fireTime },
    hasSlot: entry.overlap !== 'allow',
    ...of,
  });
  await ledger.create(run, startEffect(entry));
  return { fireledger: 'offer', jobId: entry.id, run: run.key, token: run.token, attempt: 1 };
}

/** Work that ends when the test says so; `code` is a handler that waits for it. */
export function held() {
  let settle: (value?: unknown) => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const promise = new Promise<unknown>((resolve, reject) => {
    settle = resolve;
    fail = reject;
  });
  return { promise, code: () => promise, settle, fail };
}

/** The ledger with some of its verbs replaced. */
export function ledgerWith(ledger: Ledger, verbs: Partial<Ledger>): Ledger {
  return new Proxy(ledger, {
    get: (target, verb: keyof Ledger) => verbs[verb] ?? target[verb].bind(target),
  });
}

/** The ledger, whose first answer to a verb is lost: the write lands, and its caller does not hear of it. */
export function losingFirstAnswer(ledger: Ledger, verb: 'create' | 'move'): Ledger {
  let lost = false;
  const lose = async <T>(answer: Promise<T>): Promise<T> => {
    const given = await answer;
    if (lost) return given;
    lost = true;
    throw new Error('the answer was lost');
  };
  return verb === 'create'
    ? ledgerWith(ledger, { create: (...args) => lose(ledger.create(...args)) })
    : ledgerWith(ledger, { move: (...args) => lose(ledger.move(...args)) });
}
