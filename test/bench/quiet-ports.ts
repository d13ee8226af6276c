import type { Log } from '../../functions/domain/ports.ts';
import { after, drawToken } from '../../functions/handlers/machine.ts';
import { processMeter } from '../../functions/handlers/process-meter.ts';
import type { Ports } from '../../functions/runtime/ports.ts';
import { openSecrets } from '../../functions/runtime/secrets.ts';

/** Nothing is written anywhere. */
export const quiet: Log = { info: () => {}, warn: () => {}, error: () => {} };

/** The ports of a process in which there is nothing but the ledger. */
export function quietPorts(ledger: Ports['ledger'], clock: Ports['clock']): Ports {
  return {
    ledger,
    clock,
    after,
    random: Math.random,
    drawToken,
    nudger: { nudge: async () => {}, announce: async () => {} },
    log: quiet,
    metrics: { count: () => {}, lateness: () => {}, used: () => {}, flush: () => {} },
    faults: { listen: () => () => {} },
    meter: processMeter(() => ({ readUnits: 0, writeUnits: 0 })),
    dynamo: () => {
      throw new Error('An empty handler has no use for DynamoDB.');
    },
    secrets: openSecrets({ declared: undefined, stage: 'bench', readers: {}, clock }),
    exit: (code) => {
      throw new Error(`The process was to exit with ${code}.`);
    },
    pid: process.pid,
  };
}
