import { it } from 'vitest';
import { ledgerEngines } from '../support/ledger-engines.ts';
import { describeLedger } from './conformance.ts';

for (const { name, missing, start } of ledgerEngines()) {
  if (missing === undefined) describeLedger(name, start);
  else {
    process.stderr.write(`SKIPPED: the ledger on ${name}: ${missing}\n`);
    it.skipIf(missing !== undefined)(`the ledger (${name}): ${missing}`, () => {});
  }
}
