import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { toIso } from '../../domain/time.ts';
import { fingerprintNow } from '../api/fingerprint-now.ts';
import type { View } from '../api/view.ts';
import { safeHeaders } from './answer.ts';

const pollMs = 2_000;
/** A page that hears nothing for longer may take it that nobody is there any more. */
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
  const tell = (text: string) => {
    for (const response of listeners) response.write(text);
  };
  let isWatching = false;
  const watch = async () => {
    if (isWatching) return;
    isWatching = true;
    let before: string | null | undefined;
    let toldAt = performance.now();
    while (listeners.size > 0) {
      const seen = await fingerprintNow(view()).catch((error: unknown) => {
        if (before !== null) report(error);
        return null;
      });
      const news = newsOf(before, seen, view);
      if (news !== null || performance.now() - toldAt > heartbeatMs) {
        tell(news ?? ': still here\n\n');
        toldAt = performance.now();
      }
      before = seen;
      await delay(everyMs, undefined, { ref: false });
    }
    isWatching = false;
  };
  return {
    listen: (response) => {
      if (listeners.size >= mostListeners) return false;
      listeners.add(response);
      response.on('close', () => listeners.delete(response));
      response.writeHead(200, { ...safeHeaders, 'content-type': 'text/event-stream; charset=utf-8' });
      response.write('retry: 2000\n\n');
      void watch();
      return true;
    },
    close: () => {
      for (const response of listeners) response.end();
      listeners.clear();
    },
  };
}

/** `lost`: the ledger can't be read, which is null. What is seen at first is no news: the page has just read it. */
function newsOf(before: string | null | undefined, seen: string | null, view: () => View): string | null {
  if (seen === before) return null;
  if (seen === null) return 'event: lost\ndata: {}\n\n';
  if (before === undefined) return null;
  return `event: changed\ndata: ${JSON.stringify({ at: toIso(view().now) })}\n\n`;
}
