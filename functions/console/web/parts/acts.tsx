import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** Something that a person can do here and now. */
export interface Act {
  /** On its button; the form behind it asks before anything is done. */
  readonly label: string;
  readonly form: (ways: Ways) => ComponentChildren;
}

/** The ways out of a form. */
export interface Ways {
  /** It is done, and this is what came of it. */
  readonly done: (said: ComponentChildren) => void;
  readonly leave: () => void;
}

/** One form at a time. What came of it stays in sight, though its button may be gone with the next answer. */
export function Acts({ acts }: { readonly acts: readonly Act[] }) {
  const [opened, open] = useState<string | null>(null);
  const [said, say] = useState<ComponentChildren>(null);
  const current = acts.find(({ label }) => label === opened);
  const toggle = (label: string) => {
    say(null);
    open(label === opened ? null : label);
  };
  const ways: Ways = {
    done: (text) => {
      open(null);
      say(text);
    },
    leave: () => open(null),
  };
  return (
    <section class="acts" aria-label="What can be done">
      {acts.map(({ label }) => (
        <button
          key={label}
          type="button"
          aria-expanded={label === current?.label}
          onClick={() => toggle(label)}
        >
          {label}…
        </button>
      ))}
      {current === undefined ? null : (
        <div class="act-form" key={current.label}>
          {current.form(ways)}
        </div>
      )}
      <p role="status" class="said">
        {said}
      </p>
    </section>
  );
}
