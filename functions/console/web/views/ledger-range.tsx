import { useState } from 'preact/hooks';
import type { Iso } from '../../data.ts';
import { ownZone, typedText } from '../parts/wall.ts';

const hour = 3_600_000;
const presets = [
  ['24 h', 24 * hour],
  ['7 days', 7 * 24 * hour],
  ['30 days', 30 * 24 * hour],
] as const;

interface LedgerRangeProps {
  readonly from: Iso;
  readonly to: Iso;
}

/** Of which time the ledger is audited. It stands in the page's address, so that it can be handed on. */
export function LedgerRange(shown: LedgerRangeProps) {
  const [from, setFrom] = useState(fieldOf(shown.from));
  const [to, setTo] = useState(fieldOf(shown.to));
  const [begin, end] = [from, to].map((text) => Date.parse(text)) as [number, number];
  // An empty field is no time, and no time is before another.
  const isReadable = begin < end;
  const submit = (event: Event) => {
    event.preventDefault();
    show({ from: begin, to: end });
  };
  return (
    <form class="range" onSubmit={submit}>
      <label>
        From
        <input
          type="datetime-local"
          value={from}
          onInput={({ currentTarget: { value } }) => setFrom(value)}
        />
      </label>
      <label>
        To
        <input type="datetime-local" value={to} onInput={({ currentTarget: { value } }) => setTo(value)} />
      </label>
      <button type="submit" class="wanted" disabled={!isReadable}>
        Audit it
      </button>
      <span class="presets">
        {presets.map(([name, length]) => (
          <button key={name} type="button" class="quiet" onClick={() => show({ from: Date.now() - length })}>
            {name}
          </button>
        ))}
      </span>
      <small class="faint">{isReadable ? `in ${ownZone()}` : 'The beginning must lie before the end.'}</small>
    </form>
  );
}

/** Without an end: up to the newest that can be judged. */
function show(range: { readonly from: number; readonly to?: number }): void {
  const query = Object.entries(range).map(([name, at]) => `${name}=${new Date(at).toISOString()}`);
  location.hash = `#/ledger?${query.join('&')}`;
}

/** As the browser's field has it, on the wall of whoever looks. */
function fieldOf(at: Iso): string {
  return typedText(Date.parse(at), ownZone()).replace(' ', 'T');
}
