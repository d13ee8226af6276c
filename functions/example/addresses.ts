import { currentStage } from './stage.ts';

/**
 * Origin of the server that stands in for every outside address, such as `http://127.0.0.1:4321`. Set on a developer's
 * machine and in tests; absent when deployed.
 */
export const fixtureOriginVariable = 'FIXTURE_ORIGIN';

/** Paths of the fixture server. */
export const fixturePaths = {
  rates: '/eurofxref-daily.xml',
  invoices: '/invoices',
  health: ['/health/ok', '/health/slow', '/health/failing'],
} as const;

/** The European Central Bank's reference rates of the newest day. */
export function ratesUrl(): string {
  return fixture(fixturePaths.rates) ?? 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml';
}

/** The mail service that takes invoices. */
export function invoicesUrl(): string {
  return fixture(fixturePaths.invoices) ?? configured('INVOICES_URL', 'the address of your mail service');
}

/** The addresses whose health is checked. */
export function endpointsToCheck(): readonly string[] {
  const [first, ...rest] = fixturePaths.health;
  const local = fixture(first);
  if (local) return [local, ...rest.map((path) => new URL(path, local).href)];
  return configured('ENDPOINTS', 'the addresses to check, separated by blanks').split(/\s+/);
}

function fixture(path: string): string | null {
  const origin = process.env[fixtureOriginVariable];
  if (origin) return new URL(path, origin).href;
  if (currentStage() !== 'local') return null;
  throw new Error(
    `${fixtureOriginVariable} is not set: stage local never leaves this machine, so it needs the origin of the fixture server`,
  );
}

function configured(variable: string, meaning: string): string {
  const value = process.env[variable]?.trim();
  if (!value) throw new Error(`${variable} is empty: set it in the job's environment to ${meaning}`);
  return value;
}
