import type { RetryPolicy } from '../../functions/domain/manifest.ts';
import { minute } from '../../functions/domain/time.ts';
import type { CommitWrite, Context } from '../../functions/job.ts';

/** What a job's code has at hand. */
export interface Hands {
  readonly ctx: Context;
  /** Does something outside of the ledger. */
  readonly does: (name: string) => Promise<string>;
  readonly wasDone: (name: string) => Promise<boolean>;
  readonly resultOf: (name: string) => string;
  /** Throws, so often in all. */
  readonly failsAtFirst: (name: string, often: number) => void;
  /** The process may be struck here. */
  readonly between: (what: string) => Promise<void>;
  /** A person asks for the run's end soon. */
  readonly cancelSoon: () => void;
  /** The author's table. */
  readonly table: string;
}

/** A job, and what a run of it does. */
export interface CrashJob {
  readonly run: (hands: Hands) => Promise<unknown>;
  readonly retry?: RetryPolicy;
  /** How it ends when nothing goes wrong. */
  readonly ends: 'succeeded' | 'failed' | 'canceled';
  /** Outside effects of plain steps. All of them come about, but for those of `maybe`, and no others. */
  readonly plain?: readonly string[];
  readonly maybe?: readonly string[];
  /** Outside effects of `once`. */
  readonly once?: readonly string[];
  /** Effects of a map's items, so many of which a crash may have done again. */
  readonly items?: { readonly names: readonly string[]; readonly batch: number };
  /** The keys of what it commits. */
  readonly commits?: readonly string[];
}

/** Each item is counted, so that a second write shows. */
function counting(table: string, key: string): CommitWrite {
  return {
    Update: {
      TableName: table,
      Key: { pk: key, sk: 'of the run' },
      UpdateExpression: 'ADD times :one',
      ExpressionAttributeValues: { ':one': 1 },
    },
  };
}

function numbered(what: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${what} ${index + 1}`);
}

const batch = 3;
const employees = numbered('employee', 12);
const invoices = numbered('invoice', 6);
const pages = numbered('page', 3);
const rows = numbered('row', 3);

/** Two more after the first; each pause is half of its longest. */
const thrice: RetryPolicy = { attempts: 3, backoffMs: minute, capMs: minute };

export const jobs = {
  'three steps, one of them retried': {
    ends: 'succeeded',
    plain: ['collect', 'send', 'report'],
    run: async ({ ctx, does, failsAtFirst, between }) => {
      const collected = await ctx.step('collect', () => does('collect'));
      await between('collect and send');
      const sent = await ctx.step('send', { retries: 1 }, () => {
        failsAtFirst('send', 1);
        return does('send');
      });
      await between('send and report');
      return [collected, sent, await ctx.step('report', () => does('report'))];
    },
  },
  'once, without and with verify': {
    ends: 'succeeded',
    plain: ['prepare'],
    once: ['pay', 'book'],
    run: async ({ ctx, does, wasDone, resultOf, between }) => {
      await ctx.step('prepare', () => does('prepare'));
      await between('prepare and pay');
      const paid = await ctx.once('pay', () => does('pay'));
      await between('pay and book');
      const verify = async () =>
        (await wasDone('book')) ? { done: true, result: resultOf('book') } : { done: false as const };
      return [paid, await ctx.once('book', { verify }, () => does('book'))];
    },
  },
  'a map': {
    ends: 'succeeded',
    items: { names: employees, batch },
    run: async ({ ctx, does, between }) => {
      const mailed = await ctx.map(
        'mail',
        employees,
        { key: (name) => name, concurrency: 2, batch },
        (name) => does(name),
      );
      await between('the map and the end');
      return mailed;
    },
  },
  'a map that commits each item': {
    ends: 'succeeded',
    commits: invoices,
    run: async ({ ctx, table, between }) => {
      const options = { key: (name: string) => name, concurrency: 2, batch };
      const billed = await ctx.map('bill', invoices, options, async (name, index) => {
        await ctx.commit(`bill ${name}`, [counting(table, name)]);
        return index;
      });
      await between('the map and the end');
      return billed;
    },
  },
  'steps and a final commit': {
    ends: 'succeeded',
    plain: ['collect'],
    commits: ['ledger', 'total'],
    run: async ({ ctx, does, table, between }) => {
      const collected = await ctx.step('collect', () => does('collect'));
      await ctx.commit('ledger', [counting(table, 'ledger')]);
      await between('the commits');
      await ctx.commit('total', [counting(table, 'total')], { final: true, result: collected });
      await between('the final commit and the end');
    },
  },
  'three hops with steps': {
    ends: 'succeeded',
    plain: pages,
    commits: rows,
    run: async ({ ctx, does, table, between }) => {
      const read = Array.isArray(ctx.cursor) ? ctx.cursor : [];
      const number = read.length + 1;
      const page = await ctx.step(`page ${number}`, () => does(`page ${number}`));
      await ctx.commit(`row ${number}`, [counting(table, `row ${number}`)]);
      await between('the row and the end');
      const all = [...read, page];
      return all.length < pages.length ? ctx.continueWith(all) : all;
    },
  },
  'a failing job that is tried again': {
    ends: 'succeeded',
    retry: thrice,
    plain: ['collect', 'send'],
    commits: ['charge'],
    run: async ({ ctx, does, failsAtFirst, table }) => {
      await ctx.step('collect', () => does('collect'));
      await ctx.commit('charge', [counting(table, 'charge')]);
      failsAtFirst('the job', 2);
      return ctx.step('send', () => does('send'));
    },
  },
  'a job that fails for good': {
    ends: 'failed',
    retry: thrice,
    plain: ['collect'],
    commits: ['charge'],
    run: async ({ ctx, does, failsAtFirst, table }) => {
      await ctx.step('collect', () => does('collect'));
      await ctx.commit('charge', [counting(table, 'charge')]);
      failsAtFirst('the job', Number.POSITIVE_INFINITY);
      return ctx.step('send', () => does('send'));
    },
  },
  'a cancel during a step': {
    ends: 'canceled',
    plain: ['collect'],
    maybe: ['send'],
    run: async ({ ctx, does, cancelSoon }) => {
      await ctx.step('collect', () => does('collect'));
      await ctx.step('send', async () => {
        cancelSoon();
        await does('send');
        await aborted(ctx.signal);
      });
      return ctx.step('report', () => does('report'));
    },
  },
} as const satisfies Readonly<Record<string, CrashJob>>;

export type JobName = keyof typeof jobs;

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}
