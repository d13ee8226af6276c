import { describe, expect, it } from 'vitest';
import { slotSound } from '../../../functions/simulator/invariants/slot-sound.ts';
import { memoryLedger } from '../../../functions/store/memory.ts';
import { due, run, running, state, succeeded, watched } from './watched.ts';

const owner = running(1, { hasSlot: true });
const taken = state({ slot: owner.key });

/** A claim: the run first, its job's state right after it. */
function claimed() {
  const told = watched(slotSound);
  told.wroteRun(due, null, owner, false);
  told.wroteJob(due, state(), taken, false);
  return told;
}

async function atRest(told: ReturnType<typeof claimed>) {
  await told.atRest(due + 5, memoryLedger());
  return told.broken;
}

describe("a job's slot names the one open run that has it", () => {
  it('holds through a claim and a finish', async () => {
    const told = claimed();
    told.wroteRun(due + 1, owner, succeeded(), false);
    told.wroteJob(due + 1, taken, state(), false);
    expect(await atRest(told)).toEqual([]);
  });
  it('is broken by a finish that does not free it', async () => {
    const told = claimed();
    told.wroteRun(due + 1, owner, succeeded(), false);
    expect(await atRest(told)).toEqual([
      expect.stringContaining('is named by the slot and does not have it'),
    ]);
  });
  it('is broken by a finish that does not free it, though somebody frees it later', () => {
    const told = claimed();
    told.wroteRun(due + 1, owner, succeeded(), false);
    told.wroteJob(due + 2, taken, state(), false);
    expect(told.broken).toHaveLength(1);
  });
  it('is broken by a newcomer that takes it', () => {
    const told = claimed();
    const other = running(1, { fireTime: due + 60_000, hasSlot: true });
    told.wroteRun(due + 1, null, other, false);
    told.wroteJob(due + 1, taken, state({ slot: other.key }), false);
    expect(told.broken).toEqual([expect.stringContaining('has the slot by its record')]);
  });
  it('is broken by one that frees it while its run has it', () => {
    const told = claimed();
    told.wroteJob(due + 1, taken, state(), false);
    expect(told.broken).toEqual([expect.stringContaining('its job says none')]);
  });
  it.each(['waiting', 'parked', 'failed'] as const)('is broken by a run that is %s and has it', (of) => {
    const told = watched(slotSound);
    told.wroteRun(due, null, run({ state: of, hasSlot: true }), false);
    expect(told.broken).toEqual([expect.stringContaining(`is ${of} and has the slot`)]);
  });
});
