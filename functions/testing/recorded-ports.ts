import type { Bill } from '../domain/bill.ts';
import type { Ledger } from '../domain/ledger.ts';
import { runId } from '../domain/names.ts';
import type { Log, LogFields } from '../domain/ports.ts';
import { countedDynamo } from '../handlers/counted-dynamo.ts';
import { readingMeter } from '../runtime/bill.ts';
import type { Ports, Secrets } from '../runtime/ports.ts';
import { openSecrets } from '../runtime/secrets.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: LogFields;
}

/** What the ports were told, in order. */
export interface Recording {
  readonly logs: readonly LogLine[];
  readonly nudges: readonly string[];
  /** Ids of runs that people are to be told of. */
  readonly announced: readonly string[];
  readonly counts: readonly string[];
  readonly lateness: readonly number[];
  readonly bills: readonly Bill[];
  readonly exits: readonly number[];
  /** How often the metrics were published. */
  readonly flushes: () => number;
  /** Lets an error escape, as an unhandled rejection does. False when nobody listens. */
  readonly letEscape: (error: unknown) => boolean;
}

/**
 * The runtime's ports in virtual time: tokens are drawn in a row, pauses have no jitter, nothing leaves the process.
 * `secrets`: none, unless they are given.
 */
export function recordedPorts(
  ledger: Ledger,
  time: VirtualTime,
  secrets?: Secrets,
): { ports: Ports; recording: Recording } {
  const logs: LogLine[] = [];
  const nudges: string[] = [];
  const announced: string[] = [];
  const counts: string[] = [];
  const lateness: number[] = [];
  const bills: Bill[] = [];
  const exits: number[] = [];
  const listeners = new Set<(error: unknown) => void>();
  const dynamo = countedDynamo();
  let flushes = 0;
  const letEscape = (error: unknown) => {
    for (const listener of listeners) listener(error);
    return listeners.size > 0;
  };
  const ports: Ports = {
    ledger,
    clock: time.clock,
    after: time.after,
    random: () => 0,
    drawToken,
    nudger: {
      nudge: async (why) => void nudges.push(why),
      announce: async (ended) => void announced.push(runId(ended)),
    },
    log: recordingLog(logs),
    metrics: {
      count: (what) => counts.push(what),
      lateness: (ms) => lateness.push(ms),
      used: (bill) => bills.push(bill),
      flush: () => {
        flushes += 1;
      },
    },
    faults: {
      listen: (onFault) => {
        listeners.add(onFault);
        return () => listeners.delete(onFault);
      },
    },
    meter: readingMeter(() => ({ wallMs: time.clock(), dynamo: dynamo.used() })),
    dynamo: dynamo.client,
    secrets: secrets ?? openSecrets({ declared: undefined, stage: 'test', readers: {}, clock: time.clock }),
    exit: (code) => exits.push(code),
    pid: process.pid,
  };
  const recording = {
    logs,
    nudges,
    announced,
    counts,
    lateness,
    bills,
    exits,
    flushes: () => flushes,
    letEscape,
  };
  return { ports, recording };
}

let drawn = 0;

/** No two are alike in one process, and their beginnings differ. */
function drawToken(): string {
  drawn += 1;
  return String(drawn).padStart(8, '0').padEnd(24, '-');
}

function recordingLog(lines: LogLine[]): Log {
  const at =
    (level: LogLine['level']) =>
    (message: string, fields: LogFields = {}) =>
      lines.push({ level, message, fields });
  return { info: at('info'), warn: at('warn'), error: at('error') };
}
