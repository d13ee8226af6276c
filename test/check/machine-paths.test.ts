import { describe, expect, it } from 'vitest';
import { machinePaths } from './machine-paths.ts';
import { brokenRules } from './text-rules.ts';

const found = (text: string) =>
  brokenRules([{ path: 'README.md', text }], machinePaths('/srv/code/checkout'));

describe('a folder of a machine is refused', () => {
  it.each([
    'see /home/ann/notes',
    '"/Users/ann"',
    '(/root/.aws/credentials)',
    'C:\\Users\\ann',
    'in /srv/code/checkout/x',
  ])('%s', (text) => {
    expect(found(text)).toHaveLength(1);
  });
});

describe('what every machine has is not', () => {
  it.each([
    '--data /tmp/ledger',
    'https://example.com/home/ann',
    '~/home/x',
    '/srv/code/checkouts',
    '/var/task',
  ])('%s', (text) => {
    expect(found(text)).toEqual([]);
  });
});
