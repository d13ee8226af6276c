import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Ways } from './acts.tsx';
import { TextField } from './fields.tsx';
import { useWork } from './use-work.ts';

interface ActFormProps {
  /** What is about to happen. */
  readonly explains: ComponentChildren;
  /** On the button that does it. */
  readonly does: string;
  /** Does it, with the note that was written; what to say once it is done. */
  readonly run: (noted: { readonly note?: string }) => Promise<ComponentChildren>;
  readonly ways: Ways;
  /** Something is still to be said. */
  readonly isUnready?: boolean;
  /** It can't be taken back. */
  readonly isFinal?: boolean;
  /** Nothing is written that could bear a note. */
  readonly withoutNote?: boolean;
  /** Fields that belong to it. */
  readonly children?: ComponentChildren;
}

/** What is about to happen, its fields, a note, and the button that does it. */
export function ActForm({ explains, does, run, ways, children, ...is }: ActFormProps) {
  const { isUnready = false, isFinal = false, withoutNote = false } = is;
  const [note, setNote] = useState('');
  const { isBusy, problem, attempt } = useWork();
  const submit = (event: Event) => {
    event.preventDefault();
    void attempt(async () => ways.done(await run(note === '' ? {} : { note })));
  };
  return (
    <form onSubmit={submit}>
      <div class="explains">{explains}</div>
      {children}
      {withoutNote ? null : (
        <TextField label="Note, for those who read the record later" value={note} set={setNote} />
      )}
      <div class="buttons">
        <button type="submit" class={isFinal ? 'wanted final' : 'wanted'} disabled={isBusy || isUnready}>
          {does}
        </button>
        <button type="button" onClick={ways.leave}>
          Leave it
        </button>
      </div>
      <p role="alert" class="problem">
        {problem}
      </p>
    </form>
  );
}
