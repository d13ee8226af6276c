import { useEffect, useState } from 'preact/hooks';
import { get } from './api.ts';

export interface Asked<Answer> {
  /** The last one that came for this path. */
  readonly answer: Answer | null;
  readonly problem: string | null;
}

/** What a path answers, asked again with each change. */
export function useAnswer<Answer>(path: string, changes: number): Asked<Answer> {
  const [asked, setAsked] = useState<Asked<Answer> & { readonly path: string }>({
    path,
    answer: null,
    problem: null,
  });
  useEffect(() => {
    let isWanted = true;
    get<Answer>(path).then(
      (answer) => isWanted && setAsked({ path, answer, problem: null }),
      (error: Error) =>
        isWanted &&
        setAsked((before) => ({
          path,
          answer: before.path === path ? before.answer : null,
          problem: error.message,
        })),
    );
    return () => {
      isWanted = false;
    };
  }, [path, changes]);
  return asked.path === path ? asked : { answer: null, problem: null };
}
