import type { RefObject } from 'preact';
import { places } from './places.ts';

const others = [
  ['/', 'to the filter'],
  ['?', 'this help'],
  ['Tab Enter', 'to the next one; press it'],
  ['Esc', 'closes what is open'],
] as const;

const onTimeline = [
  ['← →', 'in time; on a job, from run to run'],
  ['↑ ↓', 'from job to job'],
  ['+ −', 'closer, farther'],
  ['Enter', 'opens the run'],
] as const;

/** The keys, over the page. */
export function Help({ dialog }: { readonly dialog: RefObject<HTMLDialogElement | null> }) {
  return (
    <dialog ref={dialog} aria-labelledby="help">
      <h2 id="help">Keys</h2>
      <dl>
        {places.map(({ view, key, name }) => (
          <Key key={view} keys={`g ${key}`} does={name} />
        ))}
        {others.map(([keys, does]) => (
          <Key key={keys} keys={keys} does={does} />
        ))}
      </dl>
      <h2>On the timeline</h2>
      <dl>
        {onTimeline.map(([keys, does]) => (
          <Key key={keys} keys={keys} does={does} />
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}

function Key({ keys, does }: { readonly keys: string; readonly does: string }) {
  return (
    <>
      <dt>
        {keys.split(' ').map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{does}</dd>
    </>
  );
}
