import { barStates } from '../../data.ts';
import type { PackedLane } from './packed.ts';

const hour = 3_600_000;
const spans: readonly (readonly [string, number])[] = [
  ['1 h', hour],
  ['6 h', 6 * hour],
  ['24 h', 24 * hour],
  ['7 d', 7 * 24 * hour],
  ['30 d', 30 * 24 * hour],
];

/** What a link to the timeline asks for, such as `span=7d`; null: nothing. */
export function spanOf(query: string): number | null {
  const wanted = new URLSearchParams(query).get('span');
  return spans.find(([name]) => name.replace(' ', '') === wanted)?.[1] ?? null;
}

/** Which lanes a person looks for. */
export interface Wanted {
  /** Part of a job's id. */
  readonly text: string;
  /** Only jobs that failed, were missed, canceled or parked in what is at hand. */
  readonly troubled: boolean;
}

const troubles = (['failed', 'canceled', 'missed', 'parked'] as const).map((state) =>
  barStates.indexOf(state),
);

export function isWanted({ jobId, groups }: PackedLane, { text, troubled }: Wanted): boolean {
  if (!jobId.includes(text.trim())) return false;
  return !troubled || troubles.some((state) => (groups[state]?.keys.length ?? 0) > 0);
}

export interface ToolbarProps {
  readonly wanted: Wanted;
  readonly want: (wanted: Wanted) => void;
  /** Shows so much of time until now. */
  readonly show: (span: number) => void;
  readonly zoom: (factor: number) => void;
}

export function Toolbar({ wanted, want, show, zoom }: ToolbarProps) {
  return (
    <div class="timeline-bar">
      {spans.map(([name, span]) => (
        <button type="button" key={name} onClick={() => show(span)}>
          {name}
        </button>
      ))}
      <button type="button" aria-label="Zoom out" onClick={() => zoom(2)}>
        −
      </button>
      <button type="button" aria-label="Zoom in" onClick={() => zoom(0.5)}>
        +
      </button>
      <label>
        Jobs
        <input
          type="search"
          placeholder="part of a name"
          value={wanted.text}
          onInput={({ currentTarget: { value } }) => want({ ...wanted, text: value })}
        />
      </label>
      <label>
        <input
          type="checkbox"
          checked={wanted.troubled}
          onChange={({ currentTarget: { checked } }) => want({ ...wanted, troubled: checked })}
        />
        only with trouble
      </label>
    </div>
  );
}
