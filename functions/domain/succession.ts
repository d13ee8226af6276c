import { minute, second } from './time.ts';

/**
 * How long after a deploy a reconciler of before it may still be heard of: its invocation that was on (a minute), Lambda
 * serving its code a little longer, and clocks that differ.
 */
const echoMs = 3 * minute;
/** How far apart the clocks of two machines may be. */
const skewMs = 30 * second;

/** Which manifests took force last. */
export interface Succession {
  /** The id of the one that was last begun to be published. */
  readonly current: string;
  /** By their ids: when those of before it were replaced. Only the latest minutes are kept. */
  readonly replaced: Readonly<Record<string, number>>;
}

/** What is kept from the instant on at which a manifest begins to be published. */
export function succeeded(before: Succession | undefined, manifestId: string, now: number): Succession {
  if (before?.current === manifestId) return before;
  const all = { ...before?.replaced, ...(before && { [before.current]: now }) };
  const recent = Object.entries(all).filter(([id, at]) => id !== manifestId && now < at + echoMs);
  return { current: manifestId, replaced: Object.fromEntries(recent) };
}

/**
 * Whether a reconciler is one of before a deploy that is still warm: its manifest was replaced minutes ago, and it was loaded
 * before that. It must not publish once more, which would end what waits of jobs that only the new one has. A rollback's is
 * loaded later; where clocks can't tell, it waits. And whoever is heard of any later is what is deployed, so that no clock
 * keeps it from its work for long.
 */
export function isOutdated(
  known: Succession | undefined,
  { manifestId, loadedAt }: { readonly manifestId: string; readonly loadedAt: number },
  now: number,
): boolean {
  const replacedAt = known?.replaced[manifestId];
  return replacedAt !== undefined && loadedAt < replacedAt + skewMs && now < replacedAt + echoMs;
}
