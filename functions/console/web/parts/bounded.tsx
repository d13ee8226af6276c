import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';

interface BoundedProps<T> {
  readonly items: readonly T[];
  /** So many are shown at first. */
  readonly most: number;
  /** How many there are, of which the answer has only the first. @default as many as the items */
  readonly total?: number;
  readonly children: (shown: readonly T[]) => ComponentChildren;
}

/** The first of a long list, how many more there are, and a button for them. */
export function Bounded<T>({ items, most, total = items.length, children }: BoundedProps<T>): JSX.Element {
  const [isWhole, showWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, most);
  return (
    <>
      {children(shown)}
      {shown.length === total && !isWhole ? null : (
        <p class="more faint">
          {shown.length} of {total.toLocaleString('en-US')} are shown.{' '}
          {items.length <= most ? null : (
            <button type="button" class="quiet" onClick={() => showWhole(!isWhole)}>
              {isWhole ? 'Fewer' : `Show ${items.length}`}
            </button>
          )}
        </p>
      )}
    </>
  );
}
