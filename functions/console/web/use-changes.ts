import { useEffect, useState } from 'preact/hooks';

/** Grows with each change that the server tells of, and when it can be reached again. */
export function useChanges(): number {
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    let source: EventSource | null = null;
    const changed = () => setChanges((count) => count + 1);
    const listen = () => {
      source?.close();
      source = null;
      // A browser has few connections for one server: a tab that nobody sees needs none.
      if (document.hidden) return;
      source = new EventSource('/api/live');
      source.addEventListener('open', changed);
      source.addEventListener('changed', changed);
    };
    listen();
    document.addEventListener('visibilitychange', listen);
    return () => {
      source?.close();
      document.removeEventListener('visibilitychange', listen);
    };
  }, []);
  return changes;
}
