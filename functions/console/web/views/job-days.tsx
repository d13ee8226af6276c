import type { JobDay } from '../../data.ts';
import { Headings } from '../parts/headings.tsx';
import { countsText } from '../parts/texts.ts';

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
const daysOfWeek = weekdays.length;

/** Told apart by their signs, too. */
const tones = {
  troubled: { sign: '✗', says: 'failed, missed or parked (how many, where several)' },
  fine: { sign: '✓', says: 'every run succeeded' },
  skipped: { sign: '–', says: 'only skipped or canceled' },
  open: { sign: '…', says: 'not over' },
  empty: { sign: '', says: 'nothing due' },
} as const;
type Tone = keyof typeof tones;

/** A calendar: a column for each week, Monday on top. */
export function JobDays({ days }: { readonly days: readonly JobDay[] }) {
  if (days.length === 0) return <p class="faint">No day of it is on record.</p>;
  const weeks = weeksOf(days);
  return (
    <>
      <table class="calendar">
        <caption class="hidden">{summaryOf(days)}</caption>
        <thead>
          <tr>
            <td />
            {monthsOf(weeks).map(({ name, span }, index) =>
              span > 1 ? (
                <th key={`${name} ${index > 0}`} scope="colgroup" colSpan={span}>
                  {name}
                </th>
              ) : (
                <td key={`${name} ${index > 0}`} />
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {weekdays.map((weekday, row) => (
            <tr key={weekday}>
              <th scope="row">{weekday}</th>
              {weeks.map((week) => (
                <Day key={week.monday} day={week.days[row] ?? null} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="legend faint">
        {(['fine', 'troubled', 'skipped', 'open'] as const).map((tone) => (
          <span key={tone}>
            <span class={`swatch ${tone}`} aria-hidden="true">
              {tones[tone].sign}
            </span>{' '}
            {tones[tone].says}
          </span>
        ))}
      </p>
      <details>
        <summary>Day by day</summary>
        <DayList days={days} />
      </details>
    </>
  );
}

function Day({ day }: { readonly day: JobDay | null }) {
  if (day === null) return <td />;
  const tone = toneOf(day);
  const troubles = (day.counts.failed ?? 0) + (day.counts.missed ?? 0) + (day.counts.parked ?? 0);
  return (
    <td class={`day ${tone}`} title={textOf(day)}>
      <span aria-hidden="true">{troubles > 1 && troubles < 100 ? troubles : tones[tone].sign}</span>
      <span class="hidden">{textOf(day)}</span>
    </td>
  );
}

function DayList({ days }: { readonly days: readonly JobDay[] }) {
  const told = days.filter((day) => toneOf(day) !== 'empty').toReversed();
  return (
    <table>
      <Headings of={['Day', 'What became of its fires']} />
      <tbody>
        {told.map((day) => (
          <tr key={day.date}>
            <td class="number">{day.date}</td>
            <td>{countsText(day.counts)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface Week {
  readonly monday: string;
  /** By weekday; absent: outside of what is shown. */
  readonly days: readonly (JobDay | undefined)[];
}

function weeksOf(days: readonly JobDay[]): Week[] {
  const byDate = new Map(days.map((day) => [day.date, day]));
  const first = days[0]?.date ?? '';
  const last = days.at(-1)?.date ?? '';
  const weeks: Week[] = [];
  for (let monday = mondayOf(first); monday <= last; monday = daysAfter(monday, daysOfWeek))
    weeks.push({ monday, days: weekdays.map((_, row) => byDate.get(daysAfter(monday, row))) });
  return weeks;
}

function monthsOf(weeks: readonly Week[]): { name: string; span: number }[] {
  const months: { name: string; span: number }[] = [];
  for (const { monday } of weeks) {
    const name = new Date(`${monday}T12:00:00Z`).toLocaleString('en-US', { month: 'short', timeZone: 'UTC' });
    const last = months.at(-1);
    if (last?.name === name) last.span += 1;
    else months.push({ name, span: 1 });
  }
  return months;
}

function mondayOf(date: string): string {
  const weekday = new Date(`${date}T12:00:00Z`).getUTCDay();
  return daysAfter(date, -((weekday + daysOfWeek - 1) % daysOfWeek));
}

/** Of calendar days, which have no zone. */
function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

function toneOf({ counts }: JobDay): Tone {
  if (counts.failed || counts.missed || counts.parked) return 'troubled';
  if (counts.running || counts.waiting || counts.offered || counts.retrying) return 'open';
  if (counts.succeeded) return 'fine';
  return counts.skipped || counts.canceled ? 'skipped' : 'empty';
}

function textOf({ date, counts }: JobDay): string {
  return `${date}: ${countsText(counts) || tones.empty.says}`;
}

function summaryOf(days: readonly JobDay[]): string {
  const troubled = days.filter((day) => toneOf(day) === 'troubled').length;
  return `Its last ${days.length} days, ${troubled} of them with something failed or missed`;
}
