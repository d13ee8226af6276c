import { runId } from '../../domain/names.ts';
import type { Body, Invariant, WorldView } from '../observe.ts';
import { everDeployed } from './models/deployed.ts';

export const oneAtATime: Invariant = {
  name: 'one-at-a-time',
  rule: 'unless its overlap is allowed, no two executions of a job are alive at the same time',
  watch(violate, world) {
    const alive = new Map<string, Map<number, Body>>();
    const withSlot = new Set<string>();
    const mustBeAlone = (body: Body) => isNeverAllowed(world, body.jobId) || withSlot.has(runId(body));
    return {
      wroteRun(_at, _before, after) {
        if (after === null) return;
        if (after.hasSlot) withSlot.add(runId(after));
        else if (after.state === 'offered' || after.state === 'running') withSlot.delete(runId(after));
      },
      bodyBegan(_at, body) {
        const others = alive.get(body.jobId) ?? new Map<number, Body>();
        for (const other of others.values())
          if (other.key !== body.key && mustBeAlone(body) && mustBeAlone(other))
            violate(`began while ${runId(other)} was alive`, body);
        alive.set(body.jobId, others.set(body.number, body));
      },
      bodyEnded(_at, body) {
        alive.get(body.jobId)?.delete(body.number);
      },
    };
  },
};

/** Where an edit allows or forbids overlap, each run goes by what it was when it started: its record tells. */
function isNeverAllowed(world: WorldView, jobId: string): boolean {
  return everDeployed(world, jobId).every(({ overlap }) => overlap !== 'allow');
}
