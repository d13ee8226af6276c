import type { Iso } from '../../data.ts';
import { useNow } from '../use-now.ts';
import { spanText } from './texts.ts';

interface CountdownProps {
  readonly to: Iso;
  /** The server's clock with the answer. */
  readonly now: Iso;
}

/** `in 4 min 12 s`, less by one each second. */
export function Countdown({ to, now }: CountdownProps) {
  return <span class="countdown">{leftText(Date.parse(to) - useNow(now))}</span>;
}

function leftText(ms: number): string {
  if (ms <= 0) return 'due now';
  return ms < 60_000 ? `in ${Math.ceil(ms / 1_000)} s` : `in ${spanText(ms)}`;
}
