import { describe, expect, test } from 'vitest';
import { isAllowed, type Statement } from './iam.ts';

const allow = (of: Partial<Statement>): Statement => ({
  Effect: 'Allow',
  Action: 's3:Get*',
  Resource: '*',
  ...of,
});
const get = { action: 's3:GetObject', resource: 'arn:aws:s3:::a/b' };

describe('the model of IAM', () => {
  test('allows nothing by itself, and what an Allow says by action and resource', () => {
    expect(isAllowed([], get)).toBe(false);
    expect(isAllowed([allow({})], get)).toBe(true);
    expect(isAllowed([allow({ Action: 'S3:getobject' })], get)).toBe(true);
    expect(isAllowed([allow({ Resource: 'arn:aws:s3:::A/b' })], get)).toBe(false);
    expect(isAllowed([allow({ Resource: 'arn:aws:s3:::a/?' })], get)).toBe(true);
    expect(
      isAllowed([allow({ Resource: 'arn:aws:s3:::a/?' })], { ...get, resource: 'arn:aws:s3:::a/bc' }),
    ).toBe(false);
    expect(isAllowed([allow({ Resource: 'arn.aws:s3:::a/b' })], get)).toBe(false);
  });

  test('denies what a Deny says, whatever is allowed and in whatever order', () => {
    const deny = allow({ Effect: 'Deny', Action: 's3:GetObject' });
    for (const statements of [
      [allow({}), deny],
      [deny, allow({})],
    ])
      expect(isAllowed(statements, get)).toBe(false);
    expect(isAllowed([allow({}), deny], { ...get, action: 's3:GetBucketTagging' })).toBe(true);
    const byCode = { ArnEquals: { 'lambda:SourceFunctionArn': 'arn:aws:lambda:*:1:function:a' } };
    const conditional = [allow({}), { ...deny, Condition: byCode }];
    const context = { 'lambda:SourceFunctionArn': ['arn:aws:lambda:eu-west-1:1:function:a'] };
    expect([isAllowed(conditional, get), isAllowed(conditional, { ...get, context })]).toEqual([true, false]);
  });

  test('finds ForAllValues true of a request without the key, and Null then false', () => {
    const forAll = { 'ForAllValues:StringLike': { key: ['own#*', 'pool#*'] } };
    const may = (Condition: NonNullable<Statement['Condition']>, ...key: string[]) =>
      isAllowed([allow({ Condition })], { ...get, context: key.length > 0 ? { key } : {} });
    expect([
      may(forAll),
      may(forAll, 'own#1'),
      may(forAll, 'own#1', 'pool#1'),
      may(forAll, 'own#1', 'x'),
    ]).toEqual([true, true, true, false]);
    const some = { ...forAll, Null: { key: 'false' } };
    expect([may(some), may(some, 'own#1'), may(some, 'own#1', 'x')]).toEqual([false, true, false]);
    expect([may({ StringEquals: { key: 'a' } }), may({ StringEquals: { key: 'a' } }, 'a')]).toEqual([
      false,
      true,
    ]);
  });

  test('refuses to guess', () => {
    const odd = [{ StringNotEquals: { key: 'a' } }, { 'ForAnyValue:StringLike': { key: 'a' } }];
    for (const Condition of odd)
      expect(() => isAllowed([allow({ Condition })], get)).toThrow('No idea how IAM evaluates');
    expect(() => isAllowed([{ ...allow({}), NotAction: 'x' } as Statement], get)).toThrow('NotAction');
    expect(() => isAllowed([allow({ Resource: ['a/$', '{aws:username}'].join('') })], get)).toThrow(
      'No idea what IAM puts',
    );
  });
});
