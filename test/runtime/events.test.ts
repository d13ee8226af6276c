import { describe, expect, it } from 'vitest';
import { alarmPayload } from '../../functions/contract.ts';
import { ForeignPayload, parseEvent } from '../../functions/runtime/events.ts';
import { jobId, key, ref, world } from './world.ts';

const offer = { fireledger: 'offer', jobId, run: key, token: 'token', attempt: 1 };

function problemOf(event: unknown): string {
  try {
    parseEvent(event, jobId);
  } catch (error) {
    if (error instanceof ForeignPayload) return error.message.split('. The function of')[0] ?? '';
  }
  throw new Error('the event was taken');
}

describe('an event', () => {
  it('of an alarm or an offer is read', () => {
    const alarm = { ...alarmPayload(jobId), scheduledTime: key, attemptNumber: '1' };
    expect(parseEvent(alarm, jobId)).toEqual(alarm);
    expect(parseEvent(offer, jobId)).toEqual(offer);
  });

  it("that isn't ours is refused with what arrived, by its keys alone, and what is expected", () => {
    const foreign = [
      undefined,
      'text',
      [offer],
      {},
      { password: 'hunter2', fireledger: 'sweep' },
      { ...offer, jobId: 'another/job' },
      { ...offer, attempt: 0 },
      { ...offer, attempt: '1' },
      { ...offer, token: '' },
      { ...offer, run: 'yesterday' },
      { fireledger: 'alarm', jobId },
      Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`${index}`.padEnd(60, 'k'), 1])),
    ];
    expect(foreign.map(problemOf).join('\n')).toMatchInlineSnapshot(`
      "a payload that isn't ours: got nothing, not an object
      a payload that isn't ours: got a string, not an object
      a payload that isn't ours: got a list, not an object
      a payload that isn't ours: its field "fireledger" is neither "alarm" nor "offer", its keys are none
      a payload that isn't ours: its field "fireledger" is neither "alarm" nor "offer", its keys are "password", "fireledger"
      a payload that isn't ours: its field "jobId" names another job, its keys are "fireledger", "jobId", "run", "token", "attempt"
      a payload that isn't ours: its field "attempt" must be a whole number of at least 1, got a number
      a payload that isn't ours: its field "attempt" must be a whole number of at least 1, got a string
      a payload that isn't ours: its field "token" must be text, got a string
      a payload that isn't ours: its field "run" is not the key of a run
      a payload that isn't ours: its field "scheduledTime" must be text, got nothing
      a payload that isn't ours: its field "fireledger" is neither "alarm" nor "offer", its keys are "0kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk", "1kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk", "2kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk", "3kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk", "4kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk", "5kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk", "6kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk", "7kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk", "8kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk", "9kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk", and 2 more"
    `);
    expect(() => parseEvent({}, jobId)).toThrowErrorMatchingInlineSnapshot(
      `[ForeignPayload: a payload that isn't ours: its field "fireledger" is neither "alarm" nor "offer", its keys are none. The function of billing/send-invoices takes an alarm {"fireledger":"alarm","jobId":"billing/send-invoices","scheduledTime":"…","attemptNumber":"…"} or an offer {"fireledger":"offer","jobId":"billing/send-invoices","run":"2026-11-30T19:00:00Z","token":"…","attempt":1}; to start the job by hand, let the ledger offer it instead of invoking the function]`,
    );
  });

  it("that isn't ours fails its invocation, and starts and writes nothing", async () => {
    const w = await world();
    await expect(w.send({ hello: 1 })).rejects.toThrow(ForeignPayload);
    expect(w.started).toEqual([]);
    expect(await w.ledger.run(ref)).toBeNull();
    expect(w.recording.logs).toMatchObject([{ level: 'error', fields: { jobId } }]);
  });
});
