import { useEffect, useState } from 'preact/hooks';

export interface Route {
  readonly view: string;
  readonly id: string;
  /** What of the view is asked for: `from=2026-12-01T00:00:00Z`. */
  readonly query: string;
}

/** `#/runs/billing%2Fx%23…`, `#/ledger?from=…` */
export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.split('?');
  const [, view = '', ...rest] = path.split('/');
  return { view: view === '' ? 'now' : view, id: decoded(rest.join('/')), query };
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = () => setHash(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return routeOf(hash);
}

export function jobRoute(jobId: string): string {
  return `#/jobs/${encodeURIComponent(jobId)}`;
}

export function poolRoute(name: string): string {
  return `#/pools/${encodeURIComponent(name)}`;
}

export function runRoute(id: string): string {
  return `#/runs/${encodeURIComponent(id)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
