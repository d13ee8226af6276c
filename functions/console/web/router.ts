import { useEffect, useState } from 'preact/hooks';

export interface Route {
  readonly view: string;
  readonly id: string;
}

/** `#/runs/billing%2Fx%23…` */
export function routeOf(hash: string): Route {
  const [, view = '', ...rest] = hash.split('/');
  return { view: view === '' ? 'now' : view, id: decoded(rest.join('/')) };
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
