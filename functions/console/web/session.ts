/** What the server told of itself with the page, as server/page.ts writes it. */
export interface Session {
  readonly token: string;
  readonly place: string;
  /** Null: a data folder on this machine. */
  readonly stage: string | null;
  /** By which `fl` reads the same ledger: `--stage prod`. */
  readonly options: string;
  /** By which a person starts the server again. */
  readonly command: string;
  readonly version: string;
}

/** What a server that is asked anew turns out to be: of another ledger this page knows nothing. */
export type Renewal =
  | { readonly kind: 'same' }
  | { readonly kind: 'newer page' }
  | { readonly kind: 'another ledger'; readonly place: string };

let known = sessionOf(document);

export function session(): Session {
  return known;
}

/**
 * Asks the server who it is, and takes over its token, unless it is one of another ledger: then whatever this page sends goes on
 * being refused. Rejects when it can't be reached.
 */
export async function renewSession(): Promise<Renewal> {
  const response = await fetch('/');
  if (!response.ok) throw new Error(response.statusText);
  const now = sessionOf(new DOMParser().parseFromString(await response.text(), 'text/html'));
  if (now.token === '') throw new Error('it is no console');
  if (now.place !== known.place || now.stage !== known.stage)
    return { kind: 'another ledger', place: now.place };
  const isNewer = now.version !== known.version;
  // The version stays that of this page's own program.
  known = { ...now, version: known.version };
  return isNewer ? { kind: 'newer page' } : { kind: 'same' };
}

function sessionOf(page: Document): Session {
  const told = (name: string) =>
    page.querySelector<HTMLMetaElement>(`meta[name="fireledger-${name}"]`)?.content ?? '';
  return {
    ...{ token: told('token'), place: told('place'), stage: told('stage') || null },
    ...{ options: told('options'), command: told('command'), version: told('version') },
  };
}
