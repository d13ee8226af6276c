import type { Ledger } from '../domain/ledger.ts';
import type { Manifest } from '../domain/manifest.ts';
import type { Invoker, Nudger } from '../domain/ports.ts';
import { second } from '../domain/time.ts';
import { handleReconcile } from '../reconciler/handle.ts';
import type { Compiled } from '../reconciler/observe.ts';
import type { ReconcilerPorts, SweepCounts } from '../reconciler/ports.ts';
import type { Alterations } from './alterations.ts';
import type { Code } from './lambda.ts';
import type { Swept } from './observe.ts';
import type { Random } from './random.ts';
import type { Sandbox } from './sandbox.ts';
import type { SimulatedLog } from './simulated-log.ts';
import type { CrashNames } from './store-client.ts';

export interface ReconcilerWorld {
  readonly now: () => number;
  readonly random: Random;
  readonly compiled: Compiled;
  readonly ledgerOf: (sandbox: Sandbox, crashes: () => CrashNames) => Ledger;
  readonly nudgerOf: (sandbox: Sandbox) => Nudger;
  readonly invokerOf: (sandbox: Sandbox) => Invoker;
  readonly log: SimulatedLog;
  readonly onSwept: (sweep: Swept) => void;
  readonly alter: Alterations;
}

/** As the template has it. */
const timeoutMs = 60 * second;

/** The reconciler's function in one version: the real one. */
export function reconcilerCode(manifest: Manifest, world: ReconcilerWorld): Code {
  const { alter } = world;
  const believed = alter.manifest?.(manifest) ?? manifest;
  const compiled = alter.compiled?.(world.compiled) ?? world.compiled;
  return {
    timeoutMs,
    boot: (sandbox) => {
      const ports = portsOf(sandbox, world);
      return async (event, { remainingMs }) => {
        const beganAt = world.now();
        const report = async (counts: SweepCounts) =>
          world.onSwept({ counts, beganAt, skewMs: sandbox.skewMs, manifest });
        const all = { ...ports, metrics: { report, undeliverable: async () => undefined } };
        const altered = alter.reconciler?.(all) ?? all;
        return handleReconcile(event, believed, { compiled, remainingMs, ports: altered });
      };
    },
  };
}

const crashes: CrashNames = { before: 'crash-of-reconciler', after: 'crash-of-reconciler' };

function portsOf(sandbox: Sandbox, world: ReconcilerWorld): Omit<ReconcilerPorts, 'metrics'> {
  return {
    ledger: world.ledgerOf(sandbox, () => crashes),
    clock: sandbox.clock,
    loadedAt: sandbox.clock(),
    drawToken: () => world.random.token(),
    invoker: world.invokerOf(sandbox),
    nudger: world.nudgerOf(sandbox),
    log: world.log.of(sandbox.name),
    sleep: (ms) => sandbox.pause(ms),
    notifier: { notify: async () => undefined },
    stage: 'simulated',
    tzdata: 'simulated',
  };
}
