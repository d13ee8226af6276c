import { describe } from 'vitest';
import { keepsItsPromises } from './scenarios/promises.ts';
import { onStage } from './system-under-test.ts';

/** The stage is named by whoever wants this: nobody's account is touched by accident. */
const stage = process.env.FIRELEDGER_E2E_STAGE;

if (stage === undefined)
  console.warn('SKIPPED: FIRELEDGER_E2E_STAGE names no stage, so nothing that is deployed was tested');

describe.skipIf(stage === undefined)(`at ${process.env.AWS_ENDPOINT_URL ?? 'AWS itself'}`, () => {
  keepsItsPromises(`stage ${stage}`, onStage(stage ?? 'dev'));
});
