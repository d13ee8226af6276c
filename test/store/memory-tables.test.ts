import { describe, expect, it } from 'vitest';
import type { AuthorWrite } from '../../functions/domain/steps.ts';
import { MemoryTables } from '../../functions/store/memory-tables.ts';

function opened() {
  const tables = new MemoryTables({ payments: ['employee'] });
  tables.put('payments', { employee: 'ada', amount: 5, paid: true });
  const write = (...writes: AuthorWrite[]) => {
    const { failed, changes } = tables.try(writes);
    if (failed.length === 0) tables.apply(changes);
    return failed;
  };
  const update = (
    employee: string,
    UpdateExpression: string,
    values: Record<string, unknown>,
    ConditionExpression?: string,
  ) =>
    write({
      Update: {
        ...{ TableName: 'payments', Key: { employee }, UpdateExpression, ExpressionAttributeValues: values },
        ...{
          ExpressionAttributeNames: { '#amount': 'amount' },
          ...(ConditionExpression && { ConditionExpression }),
        },
      },
    });
  return { tables, write, update };
}

describe('tables in memory', () => {
  it('update by SET, sums of SET, and ADD, of an item that is there or not', () => {
    const { tables, update } = opened();
    update('ada', 'SET #amount = #amount + :more, paid = :no ADD times :one', {
      ':more': 2,
      ':no': false,
      ':one': 1,
    });
    update('bob', 'ADD #amount :more', { ':more': 3 });
    expect(tables.items.payments).toEqual([
      { employee: 'ada', amount: 7, paid: false, times: 1 },
      { employee: 'bob', amount: 3 },
    ]);
  });

  it.each([
    ['attribute_exists(#amount)', true],
    ['attribute_not_exists(#amount)', false],
    ['attribute_not_exists(iban)', true],
    ['#amount = :five', true],
    ['#amount <> :five', false],
    ['#amount < :five', false],
    ['#amount <= :five', true],
    ['#amount > :five', false],
    ['#amount >= :five AND attribute_exists(employee)', true],
    ['#amount >= :five AND attribute_exists(iban)', false],
    ['iban > :five', false],
    ['paid <= :five', false],
  ])('know the condition %s: %j', (condition, holds) => {
    const { update } = opened();
    expect(update('ada', 'SET x = :five', { ':five': 5 }, condition)).toEqual(holds ? [] : [0]);
  });

  it('write all of several, or none', () => {
    const { tables, write } = opened();
    const gone = { Delete: { TableName: 'payments', Key: { employee: 'ada' } } };
    const check = (ConditionExpression: string) => ({
      ConditionCheck: { TableName: 'payments', Key: { employee: 'bob' }, ConditionExpression },
    });
    expect(write(gone, check('attribute_exists(employee)'))).toEqual([1]);
    expect(tables.items.payments).toHaveLength(1);
    expect(write(gone, check('attribute_not_exists(employee)'))).toEqual([]);
    expect(tables.items.payments).toEqual([]);
  });

  it.each([
    ['SET a = if_not_exists(a, :x)', undefined],
    ['SET list[0] = :x', undefined],
    ['REMOVE a', undefined],
    ['SET employee = employee + :x', undefined],
    ['SET a = :x', 'size(a) > :x'],
    ['SET a = :x', 'attribute_exists(a) OR attribute_exists(b)'],
    ['SET a = :x', 'NOT attribute_exists(a)'],
  ])('refuse what they do not know: %s, %s', (expression, condition) => {
    const { update } = opened();
    expect(() => update('ada', expression, { ':x': 1 }, condition)).toThrow('tables in memory do not know');
  });

  it.each<[AuthorWrite, string]>([
    [{ Put: { TableName: 'bills', Item: { number: 7 } } }, 'name them, such as { "bills": [\'employee\'] }'],
    [{ Put: { Item: { id: 7 } } }, 'a write needs its TableName'],
    [
      { Update: { TableName: 'payments', Key: { employee: 'ada' }, UpdateExpression: 'SET a = :x' } },
      'lacks :x',
    ],
    [
      {
        Update: {
          TableName: 'payments',
          Key: { employee: 'ada' },
          UpdateExpression: 'SET #a = :x',
          ExpressionAttributeValues: { ':x': 1 },
        },
      },
      'lacks #a',
    ],
  ])('refuse %j', (write, message) => {
    expect(() => opened().write(write)).toThrow(message);
  });
});
