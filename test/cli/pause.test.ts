import { describe, expect, test } from 'vitest';
import { minute } from '../../functions/domain/time.ts';
import { at } from '../support/jobs.ts';
import { type Acting, actingFolder, rates } from './acting.ts';
import { runOf } from './seeded.ts';

const now = at('03:00:20');
const { id } = rates;

/** Each delivery up to a time finds its job paused. */
async function until({ world }: Acting, time: number): Promise<void> {
  for (let fire = at('03:01'); fire < time; fire += minute)
    await world.ledger.create(runOf(rates, fire, { state: 'skipped', reason: 'paused', settledAt: fire }));
  world.now = time;
}

describe('fl pause', () => {
  test('pauses a job until it is resumed, and fl jobs says who did and why', async () => {
    const { fl, world } = await actingFolder(now);
    expect((await fl(`pause ${id} --note the_bank_is_closed`)).out).toBe(
      `${id} is paused until fl resume ${id}.\n`,
    );
    expect((await world.ledger.job(id))?.paused).toEqual({ at: now, by: 'ops', note: 'the bank is closed' });
    const { out } = await fl('jobs');
    expect(out).toContain('paused 2026-12-01 11:00:20 +08:00 by ops: the bank is closed');
  });

  test('--until ends it at a time in the job’s zone, and fl jobs names it', async () => {
    const { fl, turn, world } = await actingFolder(now);
    const { out } = await fl(`pause ${id} --until 18:00 --json`);
    expect(JSON.parse(out)).toEqual({
      jobId: id,
      paused: { at: '2026-12-01T03:00:20Z', by: 'ops', note: '', until: '2026-12-01T10:00:00Z' },
    });
    expect((await fl('jobs')).out).toContain('paused until 2026-12-01 18:00');
    const [told] = JSON.parse((await fl('jobs --json')).out);
    expect(told.paused).toMatchObject({ until: '2026-12-01T10:00:00Z' });
    world.now = at('10:00:30');
    await turn();
    expect((await world.ledger.job(id))?.paused).toBeUndefined();
  });

  test('18:00 is the next there is: tomorrow’s, when it is over for today', async () => {
    const { fl } = await actingFolder(at('10:30'));
    expect((await fl(`pause ${id} --until 18:00`)).out).toBe(
      `${id} is paused until 2026-12-02 18:00 +08:00.\n`,
    );
  });

  test('changes nothing for a time that is over, no time at all, or a job that there is not', async () => {
    const { fl, world } = await actingFolder(now);
    expect(await fl(`pause ${id} --until 2026-12-01T03:00`)).toMatchObject({
      code: 2,
      err: expect.stringContaining('would be over already; say a time that is yet to come'),
    });
    expect((await fl(`pause ${id} --until soon`)).err).toContain('--until: "soon" is not a time');
    expect((await fl('pause rates/pull')).err).toContain(`did you mean ${id}?`);
    expect((await world.ledger.job(id))?.paused).toBeUndefined();
  });
});

describe('fl resume', () => {
  test('ends the pause, says since when it was, and how to have its fires made up', async () => {
    const acting = await actingFolder(now);
    const { fl, world } = acting;
    await fl(`pause ${id}`);
    await until(acting, at('03:04:20'));
    expect((await fl(`resume ${id} --note it_is_open`)).out).toBe(
      `${id} is resumed; it was paused since 2026-12-01 11:00:20. 4 fires were skipped meanwhile; ` +
        `to have them made up: fl backfill ${id} --only skipped --from 2026-12-01T03:00:20Z\n`,
    );
    expect((await world.ledger.job(id))?.paused).toBeUndefined();
    expect((await world.lines()).every((line) => line.endsWith('skipped paused'))).toBe(true);
  });

  test('--catch-up has each made up that the pause had skipped, and no other', async () => {
    const acting = await actingFolder(now);
    const { fl, world } = acting;
    await fl(`pause ${id}`);
    await until(acting, at('03:04:20'));
    const { out } = await fl(`resume ${id} --catch-up --json`);
    expect(JSON.parse(out)).toMatchObject({
      ...{ jobId: id, was: { at: '2026-12-01T03:00:20Z', by: 'ops' } },
      ...{ skipped: 4, madeUp: 4 },
    });
    expect(await world.lines()).toEqual(
      ['03:01', '03:02', '03:03', '03:04'].map((time) => `${time} waiting catch-up`),
    );
    const [run] = await world.runs();
    expect(run?.requested).toEqual({ at: at('03:04:20'), by: 'ops', note: 'the pause is over' });
  });

  test('of a job that is not paused is refused', async () => {
    const { fl } = await actingFolder(now);
    expect(await fl(`resume ${id}`)).toMatchObject({ code: 2, out: '', err: `fl: ${id} is not paused\n` });
  });
});

describe('fl log', () => {
  test('tells who did what, when, to what and why, newest first', async () => {
    const acting = await actingFolder(now);
    const { fl, world } = acting;
    await fl(`pause ${id} --until 12:00 --note the_bank_is_closed`);
    world.now = at('03:02');
    await fl(`trigger ${id} --at 11:00 --note by_hand`);
    world.now = at('03:03');
    await fl(`resume ${id}`);
    expect((await fl('log')).out).toMatchInlineSnapshot(`
      "WHEN                        WHO  DID      TO
      2026-12-01 11:03 +08:00     ops  resume   rates/pull-fx
      2026-12-01 11:02 +08:00     ops  trigger  rates/pull-fx#2026-12-01T03:00:00Z~manual-drawntok
        “by hand”
      2026-12-01 11:00:20 +08:00  ops  pause    rates/pull-fx
        until 2026-12-01 12:00 +08:00: “the bank is closed”
      "
    `);
    const verbs = async (words: string) =>
      JSON.parse((await fl(`log ${words} --json`)).out).map(({ verb }: { verb: string }) => verb);
    expect(await verbs(`${id} --limit 2`)).toEqual(['resume', 'trigger']);
    expect(await verbs(`${id} --from 11:01 --to 11:02`)).toEqual(['trigger']);
    expect(JSON.parse((await fl('log --limit 1 --json')).out)).toEqual([
      { at: '2026-12-01T03:03:00Z', by: 'ops', verb: 'resume', jobId: id },
    ]);
  });

  test('says so when nobody has done anything, or nothing to this job', async () => {
    const { fl } = await actingFolder(now);
    expect((await fl('log')).out).toBe('Nobody has done anything yet.\n');
    expect((await fl('log pull-fx')).err).toContain(`did you mean ${id}?`);
  });
});
