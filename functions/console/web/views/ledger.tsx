import type { LedgerAnswer } from '../../data.ts';
import { Bounded } from '../parts/bounded.tsx';
import { counted, countsText } from '../parts/texts.ts';
import { ownZone, wallText } from '../parts/wall.ts';
import { jobRoute } from '../router.ts';
import { LedgerActions } from './ledger-actions.tsx';
import { LedgerExport } from './ledger-export.tsx';
import { LedgerGaps } from './ledger-gaps.tsx';
import { LedgerRange } from './ledger-range.tsx';
import './ledger.css';

const shownJobs = 100;

/** Expected against recorded: gaps first. */
export function LedgerView({ answer }: { readonly answer: LedgerAnswer }) {
  const { from, to, missing, duplicates, strays, jobs, actions } = answer;
  return (
    <>
      <h1>Ledger</h1>
      <LedgerRange key={`${from} ${to}`} from={from} to={to} />
      <Verdict answer={answer} />
      <p class="faint">
        {wallText(Date.parse(from), ownZone())} to {wallText(Date.parse(to), ownZone())}:{' '}
        {counted(duplicates, 'duplicate')} refused, {counted(strays, 'stray')}
      </p>
      {missing.length === 0 ? null : <LedgerGaps missing={missing} />}
      <LedgerExport answer={answer} />
      <h2>By job</h2>
      {jobs.length === 0 ? <p class="faint">No job was due then.</p> : <Jobs jobs={jobs} />}
      <h2>What people did</h2>
      <LedgerActions actions={actions} />
    </>
  );
}

function Verdict({ answer: { expected, recorded, doubleRuns } }: { readonly answer: LedgerAnswer }) {
  const missing = expected - recorded;
  if (missing === 0 && doubleRuns === 0)
    return (
      <p class="verdict good">
        <span aria-hidden="true">✓</span> Every fire is accounted for: {expected.toLocaleString('en-US')} due,
        each with its record.
      </p>
    );
  return (
    <p class="verdict bad">
      <span aria-hidden="true">✗</span> Of {counted(expected, 'fire')} {faultsText(missing, doubleRuns)}.
    </p>
  );
}

function faultsText(missing: number, doubleRuns: number): string {
  const faults = [
    [missing, 'without a record'],
    [doubleRuns, 'ran twice'],
  ] as const;
  const told = faults.filter(([count]) => count > 0);
  return told.map(([count, what]) => `${count.toLocaleString('en-US')} ${what}`).join(', ');
}

function Jobs({ jobs }: Pick<LedgerAnswer, 'jobs'>) {
  return (
    <Bounded items={jobs} most={shownJobs}>
      {(some) => (
        <table class="counts">
          <thead>
            <tr>
              {['Job', 'Due', 'Missing', 'Ran twice', 'Became'].map((name) => (
                <th key={name}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {some.map(({ id, expected, missing, doubleRuns, states }) => (
              <tr key={id}>
                <td>
                  <a href={jobRoute(id)}>{id}</a>
                </td>
                <td class="number" data-name="due">
                  {expected.toLocaleString('en-US')}
                </td>
                <Fault name="missing" count={missing} />
                <Fault name="twice" count={doubleRuns} />
                <td>{countsText(states)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Bounded>
  );
}

function Fault({ name, count }: { readonly name: string; readonly count: number }) {
  return (
    <td class={count === 0 ? 'number faint' : 'number problem'} data-name={name}>
      {count === 0 ? '–' : count.toLocaleString('en-US')}
    </td>
  );
}
