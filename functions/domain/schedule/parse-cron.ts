import { parseEventBridge } from './cron-eventbridge.ts';
import type { CronFields } from './cron-fields.ts';
import { parseUnix } from './cron-unix.ts';

export type Dialect = 'unix' | 'eventbridge';

/** @throws ScheduleError naming every mistake with its field, place, value and range */
export function parseCron(dialect: Dialect, expression: string): CronFields {
  return dialect === 'unix' ? parseUnix(expression) : parseEventBridge(expression);
}
