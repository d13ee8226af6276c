import { expect, test } from 'vitest';
import { logUrlOf } from '../../functions/console/api/log-url.ts';
import { minute } from '../../functions/domain/time.ts';
import { attemptOf } from '../cli/seeded.ts';
import { at } from '../support/jobs.ts';

const attempt = attemptOf(1, at('02:00'), { settledAt: at('02:04') });
const where = { stage: 'prod', jobStacks: 1, jobId: 'billing/send-invoices', now: at('03:00') };

/** As the console of CloudWatch reads its fragment: percent-encoded twice, the second time with $ for %. */
function read(url: string) {
  const [, group = '', query = ''] = /log-group\/(.*)\/log-events(.*)$/.exec(url) ?? [];
  const once = (text: string) => decodeURIComponent(text.replaceAll('$', '%'));
  return { group: decodeURIComponent(once(group)), search: new URLSearchParams(once(query)) };
}

test('the link to an attempt’s log leads to its function’s lines about its time, of its request alone', () => {
  const url = logUrlOf(attempt, { ...where, region: 'eu-central-1' });
  expect(new URL(url).host).toBe('console.aws.amazon.com');
  expect(new URL(url).searchParams.get('region')).toBe('eu-central-1');
  const { group, search } = read(url);
  expect(group).toMatch(/^\/aws\/lambda\/.*send-invoices/);
  expect(search.get('filterPattern')).toBe('"request-1"');
  expect([search.get('start'), search.get('end')].map(Number)).toEqual([
    at('02:00') - minute,
    at('02:04') + minute,
  ]);
});

test.each([
  ['cn-north-1', 'console.amazonaws.cn'],
  ['us-gov-west-1', 'console.amazonaws-us-gov.com'],
])('of a stage in %s it leads to that partition’s console', (region, host) => {
  expect(new URL(logUrlOf(attempt, { ...where, region })).host).toBe(host);
});

test('of an attempt that has not ended it ends now', () => {
  const { search } = read(logUrlOf(attemptOf(1, at('02:00')), { ...where, region: 'us-east-1' }));
  expect(Number(search.get('end'))).toBe(at('03:01'));
});
