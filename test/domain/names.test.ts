import { describe, expect, test } from 'vitest';
import {
  fireKey,
  fireTimeOf,
  functionName,
  jobIdProblem,
  longestJobId,
  parseRunId,
  runId,
} from '../../functions/domain/names.ts';

describe('a job’s id', () => {
  test.each(['report', 'a1', '2fa', 'billing/send-invoices', 'a/b/c', 'x-1/y-2-z', 'a'.repeat(longestJobId)])(
    'may be %s',
    (id) => {
      expect(jobIdProblem(id)).toBeNull();
    },
  );

  test.each([
    '',
    'Report',
    'a b',
    'a_b',
    'a--b',
    '-a',
    'a-',
    '/a',
    'a/',
    'a//b',
    'a/-b',
    'a/b-',
    'a/B',
    'a/b--c',
    'a/b_c',
    'a#b',
    'ä',
  ])('may not be "%s", and the refusal shows a good one', (id) => {
    expect(jobIdProblem(id)).toBe(
      'must be lower-case words of letters, digits and single "-", separated by "/", such as billing/send-invoices',
    );
  });

  test('may have no more than the greatest length, and the refusal says how long it is', () => {
    expect(jobIdProblem('a'.repeat(longestJobId + 1))).toBe('has 121 characters; at most 120 are allowed');
  });
});

describe('a run’s key', () => {
  const fireTime = Date.parse('2026-11-30T19:00:00Z');

  test('names its fire in UTC', () => {
    expect(fireKey(fireTime)).toBe('2026-11-30T19:00:00Z');
    expect(fireTimeOf('2026-11-30T19:00:00Z')).toBe(fireTime);
  });

  test('of a manual run names the instant and its nonce', () => {
    expect(fireTimeOf('2026-11-30T19:00:00Z~manual-1f')).toBe(fireTime);
  });

  test.each([
    '',
    'tomorrow',
    '2026-11-30',
    '2026-11-30T19:00Z',
    '2026-11-30T19:00:00.000Z',
    '2026-11-30T20:00:00+01:00',
    '2026-11-31T19:00:00Z',
    '2026-11-30T19:00:00Z~',
    '2026-11-30T19:00:00Z~manual-',
    '2026-11-30T19:00:00Z~manual-A',
    '2026-11-30T19:00:00Z~manual-1 ',
    '2026-11-30T19:00:00Z~a-manual-1',
    '~manual-1',
  ])('is not "%s"', (text) => {
    expect(fireTimeOf(text)).toBeNull();
  });
});

describe('a run’s id', () => {
  const ref = { jobId: 'billing/send-invoices', key: '2026-11-30T19:00:00Z' };

  test('is its job and its key, and is read back', () => {
    expect(runId(ref)).toBe('billing/send-invoices#2026-11-30T19:00:00Z');
    expect(parseRunId(runId(ref))).toEqual(ref);
    expect(parseRunId('a#2026-11-30T19:00:00Z~manual-1')).toEqual({
      jobId: 'a',
      key: '2026-11-30T19:00:00Z~manual-1',
    });
  });

  test.each([
    '',
    'billing/send-invoices',
    '#2026-11-30T19:00:00Z',
    '2026-11-30T19:00:00Z',
    'a#',
    'a#tomorrow',
    'A#2026-11-30T19:00:00Z',
    'a#b#2026-11-30T19:00:00Z',
  ])('is not "%s"', (text) => {
    expect(parseRunId(text)).toBeNull();
  });
});

describe('a job’s function', () => {
  test('is named after stage, stack and job; no two ids, and no two stacks, give one name', () => {
    const invoices = 'billing/send-invoices';
    expect(functionName('prod', invoices, 3)).toBe('fireledger-prod-3-billing_send-invoices');
    expect(functionName('prod', 'a/b/c', 12)).toBe('fireledger-prod-12-a_b_c');
    expect(functionName('prod', 'a-b/c', 1)).not.toBe(functionName('prod', 'a/b-c', 1));
    expect(functionName('prod', invoices, 3)).not.toBe(functionName('prod', invoices, 4));
  });

  test('has a name of 64 characters at most, which a longer id keeps apart by a fingerprint', () => {
    const fits = 'a'.repeat(64 - 'fireledger-prod-1-'.length);
    expect(functionName('prod', fits, 1)).toBe(`fireledger-prod-1-${fits}`);
    const [one, other] = [functionName('prod', `${fits}b`, 1), functionName('prod', `${fits}c`, 1)];
    for (const name of [one, other])
      expect(name).toMatch(new RegExp(`^fireledger-prod-1-${fits.slice(13)}-[0-9a-f]{12}$`));
    expect(one).not.toBe(other);
  });
});
