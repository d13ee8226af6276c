import { useEffect, useState } from 'preact/hooks';
import { type Renewal, renewSession } from './session.ts';

/** What keeps the page from being told how things are. */
export type Trouble =
  | { readonly kind: 'unreachable' }
  /** The server refuses to tell of changes; it is asked again and again instead. */
  | { readonly kind: 'untold' }
  | { readonly kind: 'no ledger'; readonly error: string };

export interface Changes {
  /** Grows with each change that the server tells of, and when it can be reached again. */
  readonly changes: number;
  readonly trouble: Trouble | null;
  readonly renewal: Renewal;
}

/** The server says something each 15 s. */
const silenceMs = 40_000;
const askAgainMs = 10_000;

export function useChanges(): Changes {
  const [changes, setChanges] = useState(0);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [renewal, setRenewal] = useState<Renewal>({ kind: 'same' });
  useEffect(() => {
    const changed = () => setChanges((count) => count + 1);
    return listenToServer({ changed, troubled: setTrouble, renewed: setRenewal });
  }, []);
  return { changes, trouble, renewal };
}

interface Told {
  readonly changed: () => void;
  /** Null: there is none any more. */
  readonly troubled: (trouble: Trouble | null) => void;
  readonly renewed: (renewal: Renewal) => void;
}

/** Until it is told to stop. A browser has few connections for one server: a tab that nobody sees takes none. */
function listenToServer({ changed, troubled, renewed }: Told): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFirst = true;
  const listen = () => {
    stop();
    if (document.hidden) return;
    source = new EventSource('/api/live');
    source.addEventListener('open', opened);
    source.addEventListener('changed', heardOfChange);
    source.addEventListener('lost', lost);
    source.addEventListener('still', heard);
    source.addEventListener('error', failed);
  };
  const stop = () => {
    clearTimeout(timer);
    source?.close();
  };
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      troubled({ kind: 'unreachable' });
      listen();
    }, silenceMs);
  };
  const opened = async () => {
    heard();
    troubled(null);
    try {
      renewed(await renewSession());
      // At first the page asks as it opens.
      if (!isFirst) changed();
      isFirst = false;
    } catch {
      troubled({ kind: 'unreachable' });
    }
  };
  const heardOfChange = () => {
    heard();
    troubled(null);
    changed();
  };
  const lost = ({ data }: MessageEvent<string>) => {
    heard();
    troubled({ kind: 'no ledger', error: (JSON.parse(data) as { readonly error: string }).error });
  };
  const failed = () => {
    clearTimeout(timer);
    const isGivenUp = source?.readyState === EventSource.CLOSED;
    troubled({ kind: isGivenUp ? 'untold' : 'unreachable' });
    if (!isGivenUp) return;
    changed();
    timer = setTimeout(listen, askAgainMs);
  };
  listen();
  document.addEventListener('visibilitychange', listen);
  return () => {
    stop();
    document.removeEventListener('visibilitychange', listen);
  };
}
