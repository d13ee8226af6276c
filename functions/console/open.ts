import { setTimeout as delay } from 'node:timers/promises';
import { defaultDataDir, type LedgerOptions } from '../cli/ledger-options.ts';
import { nudgeReconciler } from '../cli/nudge-reconciler.ts';
import { type OpenLedger, usingLedgerAs } from '../cli/open-ledger.ts';
import type { Queues } from '../cli/queues.ts';
import { userName } from '../cli/user-name.ts';
import { drawToken } from '../handlers/machine.ts';
import type { Operator } from '../operator/ports.ts';
import type { UnreadableQueue } from '../operator/redrive.ts';
import type { Bundle } from './bundle.ts';
import { serveConsole } from './server/serve.ts';

export interface OpenOptions {
  /** Which ledger it looks into. */
  readonly ledger: Pick<LedgerOptions, 'data' | 'stage'>;
  readonly bundle: Bundle;
  /** @default 0: any free one */
  readonly port?: number | undefined;
  /** By which a person starts it again on the same port. @default - `npm run console` with these options */
  readonly command?: string;
  /** Where the job files are, by which inputs are checked. */
  readonly jobsDir?: string;
  /** Tells the person at the terminal what the page isn't told. */
  readonly warn: (text: string) => void;
}

export interface OpenConsole {
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  readonly url: string;
  /** What a person calls the ledger. */
  readonly name: string;
  /** Absent: a data folder on this machine. */
  readonly stage?: string;
  /** No system runs on the ledger, and none can start meanwhile. */
  readonly isAlone: boolean;
  close(): Promise<void>;
}

/** Opens a ledger, and serves the console on it until it is closed. Rejects when either can't be done. */
export async function openConsole(options: OpenOptions): Promise<OpenConsole> {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return new Promise((opened, failed) => {
    const served = usingLedgerAs(options.ledger, 'npm run console', async (open) => {
      const { url, close } = await serveOn(open, options);
      const closing = async () => {
        end();
        await served;
      };
      const { name, stage, isAlone = false } = open;
      opened({ url, name, ...(stage !== undefined && { stage }), isAlone, close: closing });
      await ended;
      await close();
    });
    served.catch(failed);
  });
}

async function serveOn(open: OpenLedger, options: OpenOptions) {
  const { ledger, bundle, port, command, jobsDir, warn } = options;
  return serveConsole({
    ...{ place: open, clock: Date.now, operator: operatorOn(open, warn), port },
    flOptions: optionsOf(ledger),
    command: (bound) => command ?? `npm run console -- ${optionsOf(ledger)} --port ${bound}`,
    sleep: (ms, signal) => delay(ms, undefined, { ...(signal && { signal }) }).catch(() => {}),
    ...(jobsDir !== undefined && { jobsDir }),
    ...(open.queues !== undefined && { unreadable: unreadableOn(open.queues, open.name) }),
    bundle,
    report: (error) => warn(`console: ${error instanceof Error ? (error.stack ?? error.message) : error}\n`),
  });
}

/** As a shell takes them. */
function optionsOf({ stage, data = defaultDataDir }: OpenOptions['ledger']): string {
  if (stage !== undefined) return `--stage ${stage}`;
  const isPlain = /^[\w./-]+$/.test(data);
  return `--data ${isPlain ? data : `'${data.replaceAll("'", "'\\''")}'`}`;
}

/** Loads the client of queues with the first press: few consoles need it. */
function unreadableOn(queues: Queues, name: string): UnreadableQueue {
  const loaded = async () => (await import('../cli/unreadable-queue.ts')).unreadableQueue(queues, name);
  return { count: async () => (await loaded()).count(), redrive: async () => (await loaded()).redrive() };
}

/** The person at the page is whoever started the console. */
function operatorOn(open: OpenLedger, warn: (text: string) => void): Operator {
  const io = { warn, sleep: (ms: number) => delay(ms) };
  return {
    ...{ ledger: open.ledger, clock: Date.now, drawToken, by: userName() },
    nudge: (why) => nudgeReconciler(open, why, io),
  };
}
