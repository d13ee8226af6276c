import { useEffect, useState } from 'preact/hooks';

export interface Changes {
  /** Grows with each change that the server tells of, and when it can be reached again. */
  readonly changes: number;
  /** Neither the server nor, by its word, the ledger can be reached: what is shown is of before. */
  readonly isLost: boolean;
}

export function useChanges(): Changes {
  const [changes, setChanges] = useState(0);
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    let source: EventSource | null = null;
    const changed = () => {
      setLost(false);
      setChanges((count) => count + 1);
    };
    const lost = () => setLost(true);
    const listen = () => {
      source?.close();
      source = null;
      // A browser has few connections for one server: a tab that nobody sees needs none.
      if (document.hidden) return;
      source = new EventSource('/api/live');
      source.addEventListener('open', changed);
      source.addEventListener('changed', changed);
      source.addEventListener('lost', lost);
      source.addEventListener('error', lost);
    };
    listen();
    document.addEventListener('visibilitychange', listen);
    return () => {
      source?.close();
      document.removeEventListener('visibilitychange', listen);
    };
  }, []);
  return { changes, isLost };
}
