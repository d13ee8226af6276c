import { expect, it } from 'vitest';
import { decideFinish, finishedOrLost, thoughOthersWait } from '../../../functions/domain/finish.ts';
import { type Ledger, Unwritable } from '../../../functions/domain/ledger.ts';
import type { Run } from '../../../functions/domain/run.ts';
import {
  type AuthorWrite,
  roomForWrites,
  type StepRecord,
  toldOf,
  writtenOrNot,
} from '../../../functions/domain/steps.ts';
import { claim, fireTime, publishFirst, record, refused, stateOf } from '../../support/ledger-records.ts';
import type { Opener } from '../conformance.ts';

const running = (token: string) => ({ state: 'running', token }) as const;

function step(name: string, of: Partial<StepRecord> = {}): StepRecord {
  return { name, kind: 'step', state: 'done', at: fireTime + 3_000, restarts: 0, token: 'a', ...of };
}

async function started(ledger: Ledger, token = 'a'): Promise<Run> {
  const { run, effect } = claim(token);
  expect(await ledger.create(run, effect)).toEqual({ kind: 'done' });
  return run;
}

function write(ledger: Ledger, of: StepRecord, replaces: StepRecord | null = null, token = of.token) {
  return ledger.writeStep(claim('a').run, running(token), { step: of, replaces });
}

async function takenOver(ledger: Ledger, run: Run): Promise<void> {
  const change = { set: { state: 'running', token: 'b' } } as const;
  expect(await ledger.move(run, running('a'), change)).toMatchObject({ kind: 'done' });
}

/** The last write of a run that succeeded. */
function last(run: Run) {
  return decideFinish(run, { outcome: { kind: 'succeeded' }, attempt: 1, now: fireTime + 9_000 });
}

/** An author's writes: of one payment, which must be new, and its sum. Where no such table is, the ledger is asked. */
function payment(table: string, of: string, amount = 5): AuthorWrite[] {
  return [
    {
      Put: {
        TableName: table,
        Item: { pk: `payment ${of}`, sk: 'paid', amount },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
    {
      Update: {
        TableName: table,
        Key: { pk: 'total', sk: 'paid' },
        UpdateExpression: 'ADD #sum :amount',
        ExpressionAttributeNames: { '#sum': 'sum' },
        ExpressionAttributeValues: { ':amount': amount },
      },
    },
  ];
}

/** What attempts know of their run's steps. */
export function stepRules(open: Opener): void {
  it('keeps what is known of each step of a run, and mixes no two runs', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const run = await started(ledger);
    const known = [
      step('plain', { result: { sent: 3, of: [1.5, null], none: null } }),
      step('without a result'),
      step('charge', { kind: 'once', state: 'begun' }),
      step('later', { kind: 'commit', restarts: 2, result: 'x' }),
      step('pay#0', { kind: 'map', result: [['a', 1], ['b']] }),
      step('__proto__ ünïcode 日本', { result: 0 }),
    ];
    for (const one of known) expect(await write(ledger, one)).toEqual({ kind: 'done' });
    const byName = (a: StepRecord, b: StepRecord) => (a.name < b.name ? -1 : 1);
    expect((await ledger.steps(run)).sort(byName)).toEqual([...known].sort(byName));
    expect(await ledger.steps(record(fireTime + 60_000))).toEqual([]);
    expect(await ledger.run(run)).toEqual(run);
  });

  it('reads steps of a run that are more than a page', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const run = await started(ledger);
    const result = 'x'.repeat(290 * 1024);
    for (let index = 0; index < 5; index += 1) await write(ledger, step(`step ${index}`, { result }));
    const known = await ledger.steps(run);
    expect(known.map((one) => one.name).sort()).toEqual([0, 1, 2, 3, 4].map((index) => `step ${index}`));
    expect(known.every((one) => one.result === result)).toBe(true);
  });

  it('is refused once another attempt owns the run, and the record says which', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const run = await started(ledger);
    await takenOver(ledger, run);
    const answer = await write(ledger, step('late'));
    expect(answer).toEqual({ kind: 'refused', run: { ...run, token: 'b' } });
    expect(writtenOrNot(answer, step('late'))).toBe('fenced');
    expect(await ledger.steps(run)).toEqual([]);
  });

  it('is refused when the run is settled, and when there is none', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    expect(await write(ledger, step('of no run'))).toMatchObject({ kind: 'refused', run: null });
    const run = await started(ledger);
    const { change, effect } = last(run);
    await ledger.move(run, running('a'), change, { effect });
    expect(writtenOrNot(await write(ledger, step('late')), step('late'))).toBe('fenced');
    expect(await ledger.steps(run)).toEqual([]);
  });

  it('takes the place of the record that its writer knows, and of no other', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const run = await started(ledger);
    const begun = step('charge', { kind: 'once', state: 'begun' });
    const done = { ...begun, state: 'done', result: 7 } as const;
    expect(await write(ledger, done, begun)).toEqual({ kind: 'refused', step: null });
    await write(ledger, begun);
    await takenOver(ledger, run);
    const anew = { ...begun, token: 'b' };
    expect(await write(ledger, anew)).toEqual({ kind: 'refused', step: begun });
    expect(writtenOrNot(await write(ledger, anew), anew)).toBe('taken');
    expect(await write(ledger, anew, begun)).toEqual({ kind: 'done' });
    expect(await write(ledger, { ...done, token: 'b' }, begun)).toEqual({ kind: 'refused', step: anew });
    expect(await write(ledger, { ...done, token: 'b' }, anew)).toEqual({ kind: 'done' });
    expect(await ledger.steps(run)).toEqual([{ ...done, token: 'b' }]);
    const again = step('charge', { token: 'b', restarts: 1 });
    expect(await write(ledger, again, { ...done, token: 'b' })).toEqual({ kind: 'done' });
    expect(await ledger.steps(run)).toEqual([again]);
  });

  it('whose answer was lost recognises its own record', async () => {
    const { ledger, loseNextAnswer } = await open();
    await publishFirst(ledger);
    await started(ledger);
    const begun = step('charge', { kind: 'once', state: 'begun' });
    const done = { ...begun, state: 'done', result: 7 } as const;
    for (const [one, replaces] of [[begun, null] as const, [done, begun] as const]) {
      loseNextAnswer();
      await expect(write(ledger, one, replaces)).rejects.toThrow('lost');
      expect(writtenOrNot(await write(ledger, one, replaces), one)).toBe('written');
    }
    expect(await ledger.steps(claim('a').run)).toEqual([done]);
  });

  it('takes a person’s word for a parked run’s step, while it is parked', async () => {
    const { ledger } = await open();
    const run = record(fireTime, { state: 'parked', token: 'a' });
    await ledger.create(record(fireTime, { state: 'running', token: 'a' }));
    const begun = step('charge', { kind: 'once', state: 'begun' });
    await write(ledger, begun);
    await ledger.move(run, running('a'), { set: { state: 'parked' } });
    const told = toldOf(begun, { done: false }, fireTime + 60_000);
    const tell = (fence: Parameters<Ledger['writeStep']>[1]) =>
      ledger.writeStep(run, fence, { step: told, replaces: begun });
    expect(await tell(running('a'))).toMatchObject({ kind: 'refused', run });
    expect(await tell({ state: 'parked', token: 'a' })).toEqual({ kind: 'done' });
    expect(await ledger.steps(run)).toEqual([{ ...begun, state: 'not-done', at: fireTime + 60_000 }]);
  });
}

/** What authors write together with a step. */
export function commitRules(open: Opener): void {
  const commit = step('pay', { kind: 'commit' });

  async function opened() {
    const under = await open();
    await publishFirst(under.ledger);
    const run = await started(under.ledger);
    const authors = await under.openAuthorsTable();
    const pay = (of: Partial<StepRecord> = {}, writes = payment(authors.authorsTable, '1')) =>
      under.ledger.writeStep(run, running(of.token ?? 'a'), {
        ...{ step: { ...commit, ...of }, replaces: null, writes },
      });
    return { ...under, ...authors, run, pay };
  }

  const paid = { pk: 'payment 1', sk: 'paid', amount: 5 };
  const total = { pk: 'total', sk: 'paid', sum: 5 };

  it('writes what goes with a step with it', async () => {
    const { ledger, run, pay, authorsItems } = await opened();
    expect(await pay()).toEqual({ kind: 'done' });
    expect(await authorsItems()).toEqual([paid, total]);
    expect(await ledger.steps(run)).toEqual([commit]);
    expect(await ledger.run(run)).toEqual(run);
  });

  it('writes nothing of it for a zombie, and nothing of it twice', async () => {
    const { ledger, run, pay, authorsItems } = await opened();
    await takenOver(ledger, run);
    expect(writtenOrNot(await pay(), commit)).toBe('fenced');
    expect(await authorsItems()).toEqual([]);
    expect(await pay({ token: 'b' })).toEqual({ kind: 'done' });
    expect(writtenOrNot(await pay({ token: 'b' }), { ...commit, token: 'b' })).toBe('written');
    expect(await authorsItems()).toEqual([paid, total]);
  });

  it('writes nothing when a condition of the author’s fails, and says which', async () => {
    const { ledger, run, pay, authorsTable, authorsItems } = await opened();
    await pay();
    const both = [...payment(authorsTable, '2').slice(0, 1), ...payment(authorsTable, '1')];
    const answer = await pay({ name: 'pay again' }, both);
    expect(answer).toEqual({ kind: 'refused', writes: [1] });
    expect(writtenOrNot(answer, commit)).toBe('writes-refused');
    expect(await authorsItems()).toEqual([paid, total]);
    expect(await ledger.steps(run)).toEqual([commit]);
  });

  it('recognises a commit whose answer was lost, though its own conditions fail by now', async () => {
    const { pay, loseNextAnswer, authorsItems } = await opened();
    loseNextAnswer();
    await expect(pay()).rejects.toThrow('lost');
    const answer = await pay();
    expect(refused(answer)).toMatchObject({ step: commit, writes: [0] });
    expect(writtenOrNot(answer, commit)).toBe('written');
    expect(await authorsItems()).toEqual([paid, total]);
  });

  it('takes deletes and checks', async () => {
    const { pay, authorsTable, authorsItems } = await opened();
    await pay();
    const check = (amount: number) => ({
      ConditionCheck: {
        TableName: authorsTable,
        Key: { pk: 'total', sk: 'paid' },
        ConditionExpression: '#sum = :sum',
        ExpressionAttributeNames: { '#sum': 'sum' },
        ExpressionAttributeValues: { ':sum': amount },
      },
    });
    const gone = { Delete: { TableName: authorsTable, Key: { pk: 'payment 1', sk: 'paid' } } };
    expect(await pay({ name: 'undo' }, [check(6), gone])).toEqual({ kind: 'refused', writes: [0] });
    expect(await pay({ name: 'undo' }, [check(5), gone])).toEqual({ kind: 'done' });
    expect(await authorsItems()).toEqual([total]);
  });

  it('finishes the run with its last step, or neither', async () => {
    const { ledger, run, authorsTable, authorsItems } = await opened();
    const ending = { step: commit, replaces: null, last: last(run) };
    const end = (writes: AuthorWrite[]) => ledger.writeStep(run, running('a'), { ...ending, writes });
    const never = {
      ConditionCheck: {
        TableName: authorsTable,
        Key: { pk: 'nothing', sk: 'paid' },
        ConditionExpression: 'attribute_exists(pk)',
      },
    };
    expect(await end([...payment(authorsTable, '1'), never])).toEqual({ kind: 'refused', writes: [2] });
    expect(await ledger.run(run)).toEqual(run);
    expect(await authorsItems()).toEqual([]);
    expect(await end(payment(authorsTable, '1'))).toEqual({ kind: 'done' });
    expect(await ledger.run(run)).toMatchObject({ state: 'succeeded', settledAt: fireTime + 9_000 });
    expect(await stateOf(ledger)).not.toHaveProperty('slot');
    expect(await authorsItems()).toEqual([paid, total]);
    const again = await end(payment(authorsTable, '1'));
    expect(refused(again)).toMatchObject({ step: commit, writes: [0] });
    expect(finishedOrLost(again, run)).toBe('finished');
  });

  it('is not the last of a run for whose slot others wait, unless that is said', async () => {
    const { ledger, run, authorsTable, authorsItems } = await opened();
    const waiting = record(fireTime + 60_000, { state: 'waiting', reason: 'slot' });
    await ledger.create(waiting, { addQueued: 1 });
    const end = (of = last(run)) =>
      ledger.writeStep(run, running('a'), {
        ...{ step: commit, replaces: null, writes: payment(authorsTable, '1'), last: of },
      });
    const answer = await end();
    expect(finishedOrLost(answer, run)).toBe('others-wait');
    expect(await authorsItems()).toEqual([]);
    const { change, effect } = last(run);
    expect(await end({ change, effect: thoughOthersWait(effect) })).toEqual({ kind: 'done' });
    expect(await ledger.run(run)).toMatchObject({ state: 'succeeded' });
    expect(await authorsItems()).toEqual([paid, total]);
  });

  it('takes as many writes as fit with ours, and refuses more before anything is written', async () => {
    const { ledger, run, pay, authorsTable, authorsItems } = await opened();
    const puts = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        Put: { TableName: authorsTable, Item: { pk: `item ${index}`, sk: 'paid' } },
      }));
    const room = roomForWrites();
    await expect(pay({}, puts(room + 1))).rejects.toThrow(Unwritable);
    await expect(pay({}, puts(room + 1))).rejects.toThrow(`${room + 1} writes`);
    expect(await authorsItems()).toEqual([]);
    expect(await pay({}, puts(room))).toEqual({ kind: 'done' });
    expect(await authorsItems()).toHaveLength(room);
    const ending = { step: { ...commit, name: 'end' }, replaces: null, last: last(run) };
    const withRoom = roomForWrites(ending.last);
    const end = (count: number) => ledger.writeStep(run, running('a'), { ...ending, writes: puts(count) });
    await expect(end(withRoom + 1)).rejects.toThrow(Unwritable);
    expect(await end(withRoom)).toEqual({ kind: 'done' });
  });

  it('says at once what no store can take', async () => {
    const { ledger, run, pay, authorsTable } = await opened();
    const nonsense = {
      Update: {
        TableName: authorsTable,
        Key: { pk: 'total', sk: 'paid' },
        UpdateExpression: 'SUM it UP',
      },
    };
    await expect(pay({}, [nonsense])).rejects.toThrow(Unwritable);
    expect(await ledger.steps(run)).toEqual([]);
  });
}
