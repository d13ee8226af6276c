import { afterEach, expect, test, vi } from 'vitest';
import { endpointsToCheck, invoicesUrl, ratesUrl } from '../../functions/example/addresses.ts';

afterEach(() => vi.unstubAllEnvs());

test('on a machine with a fixture server every address is on it', () => {
  vi.stubEnv('FIRELEDGER_STAGE', 'local');
  vi.stubEnv('FIXTURE_ORIGIN', 'http://127.0.0.1:4321');
  vi.stubEnv('ENDPOINTS', 'https://example.com/');
  vi.stubEnv('INVOICES_URL', 'https://mail.example.com/');
  const all = [ratesUrl(), invoicesUrl(), ...endpointsToCheck()];
  expect(all.map((url) => new URL(url).origin)).toEqual(Array(5).fill('http://127.0.0.1:4321'));
});

test('stage local without a fixture server refuses to go outside', () => {
  vi.stubEnv('FIRELEDGER_STAGE', 'local');
  vi.stubEnv('FIXTURE_ORIGIN', undefined);
  for (const address of [ratesUrl, invoicesUrl, endpointsToCheck])
    expect(address).toThrow(/FIXTURE_ORIGIN is not set: stage local never leaves this machine/);
});

test('deployed, rates come from the bank, and what must be configured says so', () => {
  vi.stubEnv('FIRELEDGER_STAGE', 'prod');
  vi.stubEnv('FIXTURE_ORIGIN', undefined);
  vi.stubEnv('INVOICES_URL', '');
  vi.stubEnv('ENDPOINTS', ' https://example.com/  https://example.org/ ');
  expect(ratesUrl()).toBe('https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml');
  expect(endpointsToCheck()).toEqual(['https://example.com/', 'https://example.org/']);
  expect(invoicesUrl).toThrow(
    "INVOICES_URL is empty: set it in the job's environment to the address of your mail service",
  );
});
