import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest';
import type { Ledger } from '../../functions/domain/ledger.ts';
import { type LedgerEngine, ledgerEngines } from '../support/ledger-engines.ts';
import { pagedVerbs } from '../support/paged-verbs.ts';
import { singles, zombies } from './enumerate.ts';
import { keepsPromises, scenes } from './keeps-promises.ts';
import type { Circumstances } from './play.ts';

/** The engine that `npm start` would take. */
const engine = ledgerEngines().find(({ name, missing }) => name !== 'memory' && missing === undefined);

/** Each world has tables of its own, which takes longer than it does. */
const jobs = ['once, without and with verify', 'a map that commits each item', 'steps and a final commit'];
const played = scenes.filter(([, { job, policy }]) => jobs.includes(job) && policy === 'resume');

describe(`with the records on ${engine?.name}, strikes at whichever point break no promise of`, () => {
  let started: LedgerEngine | undefined;
  beforeAll(async () => {
    started = await engine?.start();
  });
  afterAll(() => started?.stop());

  const anew = async (): Promise<Circumstances> => {
    if (started === undefined) throw new Error('no engine was started');
    const { ledger, openAuthorsTable, close } = await started.open();
    onTestFinished(close);
    // The engine remembers request tokens for minutes, whatever the table.
    const nonce = randomBytes(4).toString('hex');
    return { place: { ...(await openAuthorsTable()), ...settling(ledger), nonce } };
  };

  test.each(played)('%s', (_, scene) => keepsPromises(scene, [singles, zombies], anew));

  test('three hops with steps, resume', () =>
    keepsPromises({ job: 'three hops with steps', policy: 'resume' }, [singles], anew));
});

/** Virtual time stands still while a request is on its way. */
function settling(ledger: Ledger): { ledger: Ledger; settle: () => Promise<void> } {
  const underWay = new Set<unknown>();
  const tracked = async (effect: Promise<unknown>) => {
    underWay.add(effect);
    try {
      return await effect;
    } finally {
      underWay.delete(effect);
    }
  };
  const settle = async () => {
    do {
      await Promise.allSettled(underWay);
      await turn();
      await turn();
    } while (underWay.size > 0);
  };
  const watched = new Proxy(ledger, {
    get: (target, verb: keyof Ledger) => {
      const act = target[verb].bind(target) as (...args: readonly unknown[]) => unknown;
      if (pagedVerbs.has(verb)) return act;
      return (...args: readonly unknown[]) => tracked(act(...args) as Promise<unknown>);
    },
  });
  return { ledger: watched, settle };
}
