import type { ServerResponse } from 'node:http';
import { toIso } from '../../domain/time.ts';
import { fingerprintNow } from '../api/fingerprint-now.ts';
import type { View } from '../api/view.ts';
import { safeHeaders } from './answer.ts';

const pollMs = 2_000;
const heartbeatMs = 15_000;
/** A browser keeps six connections to one server, so that this many pages are a mistake. */
const mostListeners = 50;

export interface Live {
  /** Tells a page of each change from here on, until it leaves; false: too many listen already. */
  listen(response: ServerResponse): boolean;
  close(): void;
}

interface LiveOptions {
  readonly view: () => View;
  readonly report: (error: unknown) => void;
  /** @default 2 s */
  readonly everyMs?: number | undefined;
}

/** Looks at the ledger every two seconds while anybody listens, and tells the pages when it has changed. */
export function liveChanges({ view, report, everyMs = pollMs }: LiveOptions): Live {
  const listeners = new Set<ServerResponse>();
  let timer: NodeJS.Timeout | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let last: string | null = null;
  const tell = (text: string) => {
    for (const response of listeners) response.write(text);
  };
  const look = async () => {
    const seen = await fingerprintNow(view()).catch((error: unknown) => {
      report(error);
      return null;
    });
    if (seen === null) tell('event: lost\ndata: {}\n\n');
    else if (last !== null && seen !== last)
      tell(`event: changed\ndata: ${JSON.stringify({ at: toIso(view().now) })}\n\n`);
    last = seen ?? last;
    if (listeners.size > 0) timer = setTimeout(look, everyMs);
    else timer = undefined;
  };
  const stop = () => {
    clearTimeout(timer);
    clearInterval(heartbeat);
    timer = undefined;
    last = null;
  };
  return {
    listen: (response) => {
      if (listeners.size >= mostListeners) return false;
      listeners.add(response);
      response.on('close', () => {
        listeners.delete(response);
        if (listeners.size === 0) stop();
      });
      response.writeHead(200, { ...safeHeaders, 'content-type': 'text/event-stream; charset=utf-8' });
      response.write('retry: 2000\n\n');
      if (listeners.size === 1) {
        heartbeat = setInterval(() => tell(': still here\n\n'), heartbeatMs);
        timer = setTimeout(look, 0);
      }
      return true;
    },
    close: () => {
      stop();
      for (const response of listeners) response.end();
    },
  };
}
