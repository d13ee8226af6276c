import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import type { LedgerEngine, LedgerUnderTest } from '../support/ledger-engines.ts';
import { dayRules } from './rules/days.ts';
import { jobRules } from './rules/job.ts';
import { logRules } from './rules/log.ts';
import { lostAnswerRules } from './rules/lost-answers.ts';
import { moveRules } from './rules/move.ts';
import { poolCapacityRules } from './rules/pool-capacity.ts';
import { poolRules } from './rules/pools.ts';
import { queueRules } from './rules/queue.ts';
import { readRules } from './rules/read.ts';
import { reconcilerRules } from './rules/reconciler.ts';
import { startRules } from './rules/start.ts';
import { commitRules, stepRules } from './rules/steps.ts';

/** Opens an empty ledger, closed when the test ends. */
export type Opener = () => Promise<LedgerUnderTest>;

/** The rules that every store of the ledger keeps. */
export function describeLedger(name: string, start: () => Promise<LedgerEngine>): void {
  describe(`the ledger (${name})`, () => {
    let engine: LedgerEngine;
    beforeAll(async () => {
      engine = await start();
    });
    afterAll(() => engine?.stop());

    const open: Opener = async () => {
      const ledger = await engine.open();
      onTestFinished(() => ledger.close());
      return ledger;
    };

    describe('start', () => startRules(open));
    describe('move', () => moveRules(open));
    describe('a queue', () => queueRules(open));
    describe('pools', () => poolRules(open));
    describe("a pool's capacity", () => poolCapacityRules(open));
    describe('a step', () => stepRules(open));
    describe('a commit', () => commitRules(open));
    describe('lost answers', () => lostAnswerRules(open));
    describe('reads', () => readRules(open));
    describe('jobs', () => jobRules(open));
    describe('days', () => dayRules(open));
    describe('the log of actions', () => logRules(open));
    describe('the reconciler', () => reconcilerRules(open));
  });
}
