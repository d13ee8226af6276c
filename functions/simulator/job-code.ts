import { killMarginMs } from '../contract.ts';
import type { Ledger } from '../domain/ledger.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import type { RunRef } from '../domain/names.ts';
import type { Nudger } from '../domain/ports.ts';
import type { Run } from '../domain/run.ts';
import type { Timetable } from '../domain/schedule/index.ts';
import type { Context, Fire } from '../job.ts';
import { readingMeter } from '../runtime/bill.ts';
import type { LoadedJob, Ports } from '../runtime/ports.ts';
import { type Handled, handleEvent } from '../runtime/runtime.ts';
import { openSecrets } from '../runtime/secrets.ts';
import type { Alterations } from './alterations.ts';
import type { Bodies, CodePlace, JobCode } from './bodies.ts';
import type { Code } from './lambda.ts';
import type { Body } from './observe.ts';
import type { Random } from './random.ts';
import type { Sandbox } from './sandbox.ts';
import type { SimulatedLog } from './simulated-log.ts';
import type { CrashNames } from './store-client.ts';

export interface JobCodeWorld {
  readonly bodies: Bodies;
  readonly code: JobCode;
  readonly random: Random;
  readonly timetableOf: (job: ManifestJob) => Timetable;
  readonly ledgerOf: (sandbox: Sandbox, crashes: () => CrashNames) => Ledger;
  readonly nudgerOf: (sandbox: Sandbox) => Nudger;
  readonly log: SimulatedLog;
  /** The runtime came to the end of an invocation. `body`: the code that it ran. */
  readonly onHandled: (jobId: string, body: Body | null, outcome: Handled['outcome']) => void;
  /** A run's record as it is. */
  readonly standing: (ref: RunRef) => Run | null;
  /** Told of each invocation. */
  readonly onInvoked: () => void;
  readonly alter: Alterations['job'] | undefined;
}

/** A job's function in one version: the real runtime around modelled code. */
export function jobCode(job: ManifestJob, world: JobCodeWorld): Code {
  return {
    timeoutMs: job.timeoutMs + killMarginMs,
    boot: (sandbox) => {
      let begun = false;
      const ledger = world.ledgerOf(sandbox, () => (begun ? aroundFinish : aroundStart));
      const escapes = new Set<(error: unknown) => void>();
      const letEscape = (error: unknown) => {
        for (const onFault of escapes) onFault(error);
      };
      const ports: Ports = {
        ...portsOf(sandbox, world),
        ledger,
        faults: {
          listen: (onFault) => {
            escapes.add(onFault);
            return () => escapes.delete(onFault);
          },
        },
      };
      return async (event, invocation) => {
        begun = false;
        let body: Body | null = null;
        let token = '';
        let deaths = 0;
        const forget = sandbox.whenDead(() => {
          deaths += 1;
        });
        const place: CodePlace = { sandbox, job, letEscape, byOffer: isOffer(event) };
        const run = (fire: Fire, ctx: Context) => {
          begun = true;
          const ref = { jobId: job.id, key: fire.id.slice(job.id.length + 1) };
          const of = { standing: world.standing(ref), token, cursor: ctx.cursor };
          body = world.bodies.begin(fire, place, of);
          return world.bodies.run(body, world.code, { fire, ctx, place });
        };
        world.onInvoked();
        const { alter = asItIs } = world;
        const altered = alter({ ports, job, event });
        const drawToken = () => {
          token = altered.ports.drawToken();
          return token;
        };
        const loaded: LoadedJob = { entry: altered.job, timetable: world.timetableOf(job), run };
        const handled = await handleEvent(event, invocation, loaded, { ...altered.ports, drawToken });
        // What a process believes after it was taken for dead counts for nothing.
        if (deaths === 0) world.onHandled(job.id, body, handled.outcome);
        forget();
        sandbox.onlyFreezes = isDead;
        return handled;
      };
    },
  };
}

const aroundStart: CrashNames = { before: 'crash-before-start', after: 'crash-after-start' };
const aroundFinish: CrashNames = { before: 'crash-before-finish', after: 'crash-after-finish' };

function isDead(): false {
  return false;
}

function asItIs<T>(same: T): T {
  return same;
}

function isOffer(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'fireledger' in event && event.fireledger === 'offer';
}

function portsOf(
  sandbox: Sandbox,
  { random, nudgerOf, log }: JobCodeWorld,
): Omit<Ports, 'ledger' | 'faults'> {
  return {
    clock: sandbox.clock,
    after: sandbox.after,
    random: () => random.fraction(),
    drawToken: () => random.token(),
    nudger: nudgerOf(sandbox),
    log: log.of(sandbox.name),
    metrics: { count: () => {}, lateness: () => {}, used: () => {}, flush: () => {} },
    meter: readingMeter(() => ({ wallMs: sandbox.clock() })),
    dynamo: noDynamo,
    secrets: openSecrets({ declared: undefined, stage: 'simulated', readers: {}, clock: sandbox.clock }),
    exit: () => sandbox.die('exit'),
    pid: 1,
  };
}

function noDynamo(): never {
  throw new Error('modelled code has no DynamoDB');
}
