import { useRef, useState } from 'preact/hooks';

export interface Work {
  readonly isBusy: boolean;
  /** Why it came to nothing. */
  readonly problem: string | null;
  /** Does something, unless it is busy already. */
  readonly attempt: (act: () => Promise<void>) => Promise<void>;
  /** Forgets the problem. */
  readonly clear: () => void;
}

/** One thing at a time: who presses twice has pressed once. */
export function useWork(): Work {
  // The state follows the next time that the page is drawn, which may be after a second press.
  const isBusyNow = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const attempt = async (act: () => Promise<void>) => {
    if (isBusyNow.current) return;
    isBusyNow.current = true;
    setBusy(true);
    setProblem(null);
    try {
      await act();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    isBusyNow.current = false;
    setBusy(false);
  };
  return { isBusy, problem, attempt, clear: () => setProblem(null) };
}
