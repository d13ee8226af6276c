import { barStates, type LedgerAnswer } from '../../data.ts';
import { Bounded } from '../parts/bounded.tsx';
import { Headings } from '../parts/headings.tsx';
import { Panel } from '../parts/panel.tsx';
import { State } from '../parts/state.tsx';
import { counted, countsText } from '../parts/texts.ts';
import { ownZone, wallText } from '../parts/wall.ts';
import { jobRoute } from '../router.ts';
import { LedgerActions } from './ledger-actions.tsx';
import { LedgerExport } from './ledger-export.tsx';
import { LedgerGaps } from './ledger-gaps.tsx';
import { LedgerMessages } from './ledger-messages.tsx';
import { LedgerRange } from './ledger-range.tsx';
import './ledger.css';

const shownJobs = 100;

/** Expected against recorded: gaps first. */
export function LedgerView({ answer }: { readonly answer: LedgerAnswer }) {
  const { from, to, missing, jobs, actions } = answer;
  return (
    <>
      <h1>Ledger</h1>
      <LedgerRange key={`${from} ${to}`} from={from} to={to} />
      <Verdict answer={answer} />
      {missing.length === 0 ? null : <LedgerGaps missing={missing} />}
      <Panel title="By job" count={jobs.length}>
        {jobs.length === 0 ? <p class="faint">No job was due then.</p> : <Jobs jobs={jobs} />}
      </Panel>
      <Panel title="What people did" count={actions.length}>
        <LedgerActions actions={actions} />
      </Panel>
      <Panel title="Unreadable control messages">
        <LedgerMessages />
      </Panel>
    </>
  );
}

/** What the audit found, and the files that it can be saved as. */
function Verdict({ answer }: { readonly answer: LedgerAnswer }) {
  const { from, to, expected, recorded, doubleRuns, duplicates, strays, unjudged } = answer;
  const missing = expected - recorded;
  const level = missing > 0 || doubleRuns > 0 ? 'bad' : expected > 0 ? 'good' : 'none';
  return (
    <div class={`verdict ${level}`}>
      <p>
        <strong>
          {level === 'none' ? null : <span aria-hidden="true">{level === 'bad' ? '✗ ' : '✓ '}</span>}
          {verdictText(expected, missing, doubleRuns)}
        </strong>
        <small>
          {wallText(Date.parse(from), ownZone())} to {wallText(Date.parse(to), ownZone())}:{' '}
          {counted(duplicates, 'duplicate')} refused, {counted(strays, 'stray')}
          {unjudged > 0 && `, ${counted(unjudged, 'fire')} that nobody can judge any more`}
        </small>
      </p>
      <LedgerExport answer={answer} />
    </div>
  );
}

function verdictText(expected: number, missing: number, doubleRuns: number): string {
  if (missing > 0 || doubleRuns > 0)
    return `Of ${counted(expected, 'fire')} ${faultsText(missing, doubleRuns)}.`;
  if (expected === 0) return 'Nothing was due then, so that there is nothing to account for.';
  return `Every fire is accounted for: ${expected.toLocaleString('en-US')} due, each with its record.`;
}

function faultsText(missing: number, doubleRuns: number): string {
  const faults = [
    [missing, missing === 1 ? 'has no record' : 'have no record'],
    [doubleRuns, 'ran twice'],
  ] as const;
  const told = faults.filter(([count]) => count > 0);
  return told.map(([count, what]) => `${count.toLocaleString('en-US')} ${what}`).join(', and ');
}

function Jobs({ jobs }: Pick<LedgerAnswer, 'jobs'>) {
  return (
    <Bounded items={jobs} most={shownJobs}>
      {(some) => (
        <table class="counts">
          <Headings of={['Job', 'Due', 'Missing', 'Ran twice', 'Became']} />
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
                <td>
                  <Became states={states} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Bounded>
  );
}

/** Successes are told in passing; the rest stands out. */
function Became({ states }: Pick<LedgerAnswer['jobs'][number], 'states'>) {
  const others = barStates.filter((state) => state !== 'succeeded' && states[state] > 0);
  return (
    <span class="became">
      {countsText({ succeeded: states.succeeded })}
      {others.map((state) => (
        <State key={state} of={state} count={states[state]} />
      ))}
    </span>
  );
}

function Fault({ name, count }: { readonly name: string; readonly count: number }) {
  return (
    <td class={count === 0 ? 'number faint' : 'number problem'} data-name={name}>
      {count === 0 ? '–' : count.toLocaleString('en-US')}
    </td>
  );
}
