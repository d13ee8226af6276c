import { randomBytes } from 'node:crypto';
import type fc from 'fast-check';
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest';
import type { Ledger } from '../../functions/domain/ledger.ts';
import { type LedgerEngine, ledgerEngines } from '../support/ledger-engines.ts';
import { holds } from '../support/property.ts';
import type { Script } from './acts.ts';
import { keepsPromises } from './keeps-promises.ts';
import type { Circumstances } from './play.ts';

/** The engine that `npm start` would take. */
const engine = ledgerEngines().find(({ name, missing }) => name !== 'memory' && missing === undefined);

export function describeOnDynamoDb(
  worlds: Readonly<Record<string, fc.Arbitrary<Script>>>,
  options: { runs: number },
): void {
  describe(`with the ledger on ${engine?.name} no promise is broken by`, () => {
    let started: LedgerEngine | undefined;
    beforeAll(async () => {
      started = await engine?.start();
    });
    afterAll(() => started?.stop());

    const anew = async (): Promise<Circumstances> => {
      if (started === undefined) throw new Error('no engine was started');
      const { ledger, close } = await started.open();
      onTestFinished(close);
      return { ledger: withTokensOfItsOwn(ledger) };
    };

    test.each(Object.entries(worlds))('%s', (_, world) => holds(keepsPromises(world, anew), options));
  });
}

/**
 * An engine remembers request tokens for minutes, whatever the table, and takes a transaction with a known one for done.
 * Worlds draw the same tokens, one after the other.
 */
function withTokensOfItsOwn(ledger: Ledger): Ledger {
  const nonce = randomBytes(4).toString('hex');
  return {
    ...ledger,
    move: (ref, fence, change, { requestToken, ...options } = {}) =>
      ledger.move(ref, fence, change, {
        ...options,
        ...(requestToken !== undefined && { requestToken: `${nonce}${requestToken}` }),
      }),
  };
}
