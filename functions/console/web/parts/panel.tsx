import type { ComponentChildren } from 'preact';

interface PanelProps {
  readonly title: string;
  /** How many of its things there are; none is not told. */
  readonly count?: number;
  /** By which the style sheet finds it. */
  readonly name?: string;
  readonly children: ComponentChildren;
}

/** A part of a view, under its heading. */
export function Panel({ title, count = 0, name = '', children }: PanelProps) {
  return (
    <section class={`panel ${name}`.trim()} aria-label={title}>
      <h2>
        {title} {count === 0 ? null : <span class="count">{count.toLocaleString('en-US')}</span>}
      </h2>
      {children}
    </section>
  );
}
