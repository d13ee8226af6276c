import type { ComponentChildren } from 'preact';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
}

export function TextField({ label, value, set }: FieldProps) {
  return (
    <label>
      {label}
      <input value={value} maxLength={1_000} onInput={({ currentTarget }) => set(currentTarget.value)} />
    </label>
  );
}

/** A time as `fl` takes it: on the wall of the job's zone, whose name stands beside it, unless it says another. */
export function TimeField({ label, value, set, timezone }: FieldProps & { readonly timezone: string }) {
  return (
    <label class="time">
      {label}
      <span>
        <input
          value={value}
          placeholder="2026-12-01 03:00"
          title="2026-12-01 03:00, 03:00, or with a zone of its own: 2026-11-30T19:00Z"
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />{' '}
        <span class="zone">{timezone}</span>
      </span>
    </label>
  );
}

export function JsonField({ label, value, set }: FieldProps) {
  return (
    <label>
      {label}
      <textarea
        rows={2}
        value={value}
        spellcheck={false}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
}

/**
 * What a person wrote as JSON; undefined: nothing.
 *
 * @throws with what is wrong with it
 */
export function jsonOf(text: string, what: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${what} is no JSON: ${error instanceof Error ? error.message : error}`);
  }
}

interface ChoiceProps<T extends string> {
  readonly legend: string;
  readonly options: readonly (readonly [value: T, text: ComponentChildren])[];
  /** Null: nothing is chosen yet. */
  readonly value: T | null;
  readonly set: (value: T) => void;
}

/** One of a few. */
export function Choice<T extends string>({ legend, options, value, set }: ChoiceProps<T>) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {options.map(([option, text]) => (
        <label key={option} class="choice">
          <input type="radio" name={legend} checked={option === value} onChange={() => set(option)} />{' '}
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
