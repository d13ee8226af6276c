import { useEffect, useState } from 'preact/hooks';
import { ApiFailure, get } from './api.ts';

export interface Asked<Answer> {
  /** The last one that came for this path. */
  readonly answer: Answer | null;
  readonly problem: string | null;
  /** The problem is that nobody answers, or that the ledger can't be read: not of this path alone. */
  readonly isOfAll: boolean;
}

/** The server answers, and could not read its ledger. */
const badGateway = 502;
/** After a failure that may heal it is asked again: nobody tells when it has. */
const againMs = 5_000;

/** What a path answers, asked again with each change. */
export function useAnswer<Answer>(path: string, changes: number): Asked<Answer> {
  const [asked, setAsked] = useState<Asked<Answer> & { readonly path: string }>({ path, ...nothing });
  const [failures, setFailures] = useState(0);
  useEffect(() => {
    let isWanted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const failed = (error: Error) => {
      if (!isWanted) return;
      const status = error instanceof ApiFailure ? error.status : null;
      const told = { problem: error.message, isOfAll: status === null || status === badGateway };
      setAsked((before) => ({ path, answer: before.path === path ? before.answer : null, ...told }));
      const mayHeal = status === null || status >= 500;
      if (mayHeal) timer = setTimeout(() => setFailures((count) => count + 1), againMs);
    };
    get<Answer>(path).then((answer) => isWanted && setAsked({ ...nothing, path, answer }), failed);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [path, changes, failures]);
  return asked.path === path ? asked : nothing;
}

const nothing = { answer: null, problem: null, isOfAll: false } as const;
