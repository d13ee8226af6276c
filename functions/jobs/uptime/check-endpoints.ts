import { cron, defineJob } from '#job';
import { endpointsToCheck } from '../../example/addresses.ts';
import { isoSeconds } from '../../example/days.ts';
import { putAll } from '../../example/dynamo.ts';
import type { UptimeCheck } from '../../example/items.ts';
import { exampleTableArn } from '../../example/tables.ts';

const keptDays = 30;

export default defineJob({
  description: 'Check that our endpoints answer',
  schedule: cron('* * * * *'),
  timezone: 'UTC',
  missed: 'latest', // One check tells how things stand; how they stood in the minutes before, nobody can find out.
  crashed: 'rerun',
  overlap: 'skip',
  timeout: '30 seconds',
  environment: { ENDPOINTS: 'https://example.com/ https://example.org/', ENDPOINT_TIMEOUT_MS: '2000' },
  permissions: [{ actions: ['dynamodb:BatchWriteItem'], resources: [exampleTableArn('uptime-checks')] }],

  async run(fire, ctx) {
    const results = await Promise.all(endpointsToCheck().map((endpoint) => check(endpoint, ctx.signal)));
    const dueAt = isoSeconds(fire.fireTime);
    const ttl = Math.floor(fire.fireTime.getTime() / 1_000) + keptDays * 86_400;
    await putAll(
      'uptime-checks',
      results.map((result) => ({ ...result, dueAt, ttl })),
      ctx.signal,
    );

    // An endpoint that is down is what this job is there to find out: its run has succeeded.
    const down = results.filter(({ up }) => !up);
    for (const { endpoint, status } of down) ctx.log.warn('Endpoint down', { endpoint, status });
    return { checked: results.length, down: down.map(({ endpoint }) => endpoint) };
  },
});

type Answer = Omit<UptimeCheck, 'dueAt' | 'ttl'>;

async function check(endpoint: string, signal: AbortSignal): Promise<Answer> {
  const timeout = AbortSignal.timeout(Number(process.env.ENDPOINT_TIMEOUT_MS));
  const checkedAt = isoSeconds(new Date());
  const started = performance.now();
  const status = await statusOf(endpoint, AbortSignal.any([signal, timeout]));
  signal.throwIfAborted();
  const up = typeof status === 'number' && status < 400;
  return { endpoint, checkedAt, status, up, latencyMs: Math.round(performance.now() - started) };
}

async function statusOf(endpoint: string, signal: AbortSignal): Promise<UptimeCheck['status']> {
  try {
    const response = await fetch(endpoint, { signal });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    return signal.aborted ? 'timed-out' : reasonOf(error);
  }
}

/** What `fetch` hides behind "fetch failed": `connect ECONNREFUSED …`. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}
