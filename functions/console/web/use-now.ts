import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Iso } from '../data.ts';

/** The server's clock, a second further each second, in epoch milliseconds. `told`: what it was with the last answer. */
export function useNow(told: Iso): number {
  const ahead = useMemo(() => Date.parse(told) - Date.now(), [told]);
  const [own, setOwn] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setOwn(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(own, Date.parse(told) - ahead) + ahead;
}
