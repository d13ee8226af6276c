import type { Log, LogFields } from '../domain/ports.ts';
import type { Secrets } from './ports.ts';

/** The same log, with these fields on every line; a line's own fields come on top. */
export function withFields(log: Log, fields: LogFields): Log {
  return {
    info(message, more) {
      log.info(message, { ...fields, ...more });
    },
    warn(message, more) {
      log.warn(message, { ...fields, ...more });
    },
    error(message, more) {
      log.error(message, { ...fields, ...more });
    },
  };
}

/** The same log, without secrets that were read. */
export function withoutSecrets(log: Log, { hidden }: Secrets): Log {
  return {
    info(message, fields) {
      log.info(hidden(message), hidden(fields));
    },
    warn(message, fields) {
      log.warn(hidden(message), hidden(fields));
    },
    error(message, fields) {
      log.error(hidden(message), hidden(fields));
    },
  };
}

/** Enough of a token to join log lines, too little to fence with. */
export function shortToken(token: string | undefined): string {
  return token?.slice(0, 8) ?? 'none';
}
