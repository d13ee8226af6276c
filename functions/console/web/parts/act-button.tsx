import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface ActButtonProps {
  readonly label: string;
  /** What is about to happen, asked before it does. */
  readonly question: string;
  /** Does it, with the note that was written; what to say once it is done. */
  readonly run: (note: string | undefined) => Promise<string>;
  /** Fields that belong to the question. */
  readonly children?: ComponentChildren;
}

/** A button that asks in its place, says what came of it, and is gone from the way again. */
export function ActButton({ label, question, run, children }: ActButtonProps) {
  const [isOpen, open] = useState(false);
  const [note, setNote] = useState('');
  const [said, say] = useState<{ readonly text: string; readonly isBad: boolean } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const doIt = async () => {
    setBusy(true);
    try {
      say({ text: await run(note === '' ? undefined : note), isBad: false });
      open(false);
    } catch (error) {
      say({ text: error instanceof Error ? error.message : String(error), isBad: true });
    }
    setBusy(false);
  };
  return (
    <div class={isOpen ? 'act open' : 'act'}>
      {isOpen ? (
        <>
          <span>{question}</span>
          {children}
          <label>
            Note
            <input value={note} onInput={({ currentTarget }) => setNote(currentTarget.value)} />
          </label>
          <button type="button" class="wanted" disabled={isBusy} onClick={() => void doIt()}>
            {label}
          </button>
          <button type="button" onClick={() => open(false)}>
            Leave it
          </button>
        </>
      ) : (
        <button type="button" onClick={() => open(true)}>
          {label}
        </button>
      )}
      <span role="status" class={said?.isBad ? 'problem' : 'faint'}>
        {said?.text}
      </span>
    </div>
  );
}
