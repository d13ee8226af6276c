import type { ServerResponse } from 'node:http';
import { toIso } from '../../domain/time.ts';
import { fingerprintNow } from '../api/fingerprint-now.ts';
import type { View } from '../api/view.ts';
import { safeHeaders } from './answer.ts';
import { failure } from './failure.ts';
import { paceOf } from './pace.ts';

/** The page takes it that nobody is there any more when it hears nothing for much longer. */
const heartbeatMs = 15_000;
/** A browser keeps six connections to one server, so that this many pages are a mistake. */
const mostListeners = 50;

export interface Live {
  /** Tells a page of each change from here on, until it leaves; false: too many listen already. */
  listen(response: ServerResponse): boolean;
  /** A person has just pressed something. */
  hurry(): void;
  close(): void;
}

interface LiveOptions {
  readonly view: () => View;
  readonly report: (error: unknown) => void;
  /** @default 2 s, of a deployed stage 10 s */
  readonly everyMs?: number | undefined;
}

/** What is seen of the ledger: its fingerprint, or the failure to read it as the page is told it. */
interface Seen {
  readonly print?: string;
  readonly lost?: string;
}

/** Looks at the ledger again and again while anybody listens, and tells the pages when it has changed. */
export function liveChanges({ view, report, everyMs }: LiveOptions): Live {
  const listeners = new Set<ServerResponse>();
  const tell = (text: string) => {
    for (const response of listeners) response.write(text);
  };
  let isWatching = false;
  let seen: Seen = {};
  const pace = paceOf({ stage: view().place.stage, everyMs });
  const watch = async () => {
    if (isWatching) return;
    isWatching = true;
    seen = {};
    let toldAt = performance.now();
    while (listeners.size > 0) {
      const before = seen;
      seen = await look(view(), before.lost === undefined ? report : () => undefined);
      const news = newsOf(before, seen, view);
      if (news !== null || performance.now() - toldAt > heartbeatMs) {
        tell(news ?? eventText('still', '{}'));
        toldAt = performance.now();
      }
      await pace.next(() => listeners.size > 0);
    }
    isWatching = false;
  };
  return {
    listen: (response) => {
      if (listeners.size >= mostListeners) return false;
      listeners.add(response);
      // Of a response that waits behind another on its connection nothing else tells that nobody is there any more.
      response.req.socket.once('close', () => listeners.delete(response));
      response.writeHead(200, { ...safeHeaders, 'content-type': 'text/event-stream; charset=utf-8' });
      response.write('retry: 2000\n\n');
      if (isWatching && seen.lost !== undefined) response.write(eventText('lost', seen.lost));
      void watch();
      return true;
    },
    hurry: pace.hurry,
    close: () => {
      for (const response of listeners) response.end();
      listeners.clear();
    },
  };
}

async function look(view: View, report: (error: unknown) => void): Promise<Seen> {
  try {
    return { print: await fingerprintNow(view) };
  } catch (error) {
    return { lost: failure(error, report).body };
  }
}

/** What is seen at first is no news, unless it is a failure: the page has just read it. */
function newsOf(before: Seen, { print, lost }: Seen, view: () => View): string | null {
  if (lost !== undefined) return before.lost === undefined ? eventText('lost', lost) : null;
  const isFirst = before.print === undefined && before.lost === undefined;
  if (isFirst || print === before.print) return null;
  return eventText('changed', JSON.stringify({ at: toIso(view().now) }));
}

function eventText(name: 'changed' | 'lost' | 'still', data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`;
}
