import type { JobDay } from '../../data.ts';

const cell = 13;

/** A square for each day, a column for each week; Monday on top. */
export function JobDays({ days }: { readonly days: readonly JobDay[] }) {
  const [first] = days;
  if (first === undefined) return <p class="faint">No day of it is on record.</p>;
  const before = (new Date(`${first.date}T00:00:00Z`).getUTCDay() + 6) % 7;
  const weeks = Math.ceil((before + days.length) / 7);
  return (
    <svg class="days" width={weeks * cell} height={7 * cell} role="img" aria-label={summaryOf(days)}>
      {days.map((day, index) => (
        <rect
          key={day.date}
          class={toneOf(day)}
          x={Math.floor((before + index) / 7) * cell}
          y={((before + index) % 7) * cell}
          width={cell - 2}
          height={cell - 2}
          rx="2"
        >
          <title>{textOf(day)}</title>
        </rect>
      ))}
    </svg>
  );
}

function toneOf({ counts }: JobDay): string {
  if (counts.failed || counts.missed || counts.parked) return 'troubled';
  if (counts.succeeded) return 'fine';
  return counts.skipped || counts.canceled ? 'skipped' : 'empty';
}

function textOf({ date, counts }: JobDay): string {
  const parts = Object.entries(counts).map(([state, count]) => `${count} ${state}`);
  return `${date}: ${parts.join(', ') || 'nothing due'}`;
}

function summaryOf(days: readonly JobDay[]): string {
  const troubled = days.filter((day) => toneOf(day) === 'troubled');
  return `${days.length} days, ${troubled.length} of them with something failed or missed${
    troubled.length === 0 ? '' : `: ${troubled.slice(-10).map(textOf).join('; ')}`
  }`;
}
