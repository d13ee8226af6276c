import type { LedgerAnswer } from '../../data.ts';
import { Moment } from '../parts/moment.tsx';
import { jobRoute } from '../router.ts';

/** Expected against recorded: gaps first. */
export function LedgerView({ answer }: { readonly answer: LedgerAnswer }) {
  const { from, to, expected, recorded, missing, doubleRuns, duplicates, strays, jobs, actions } = answer;
  const isWhole = expected === recorded && doubleRuns === 0;
  return (
    <>
      <h1>Ledger</h1>
      <p>
        From <Moment at={from} /> to <Moment at={to} />
      </p>
      <p class={isWhole ? 'state succeeded' : 'problem'}>
        {isWhole
          ? `Every fire is accounted for: ${expected} due, ${recorded} on record.`
          : `${expected - recorded} fires have no record, ${doubleRuns} ran twice.`}
      </p>
      <p class="faint">
        {duplicates} duplicates refused, {strays} strays
      </p>
      {missing.length === 0 ? null : <pre>{missing.join('\n')}</pre>}
      <p>
        <a download="fireledger.json" href={dataUrl('application/json', JSON.stringify(answer, null, 2))}>
          JSON
        </a>{' '}
        <a download="fireledger.csv" href={dataUrl('text/csv', csvOf(answer))}>
          CSV
        </a>
      </p>
      <div class="scrolls">
        <table>
          <thead>
            <tr>
              {['Job', 'Due', 'On record', 'Ran twice', 'Became'].map((name) => (
                <th key={name}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {jobs.map((job) => (
              <tr key={job.id}>
                <td>
                  <a href={jobRoute(job.id)}>{job.id}</a>
                </td>
                <td class="number">{job.expected}</td>
                <td class="number">{job.recorded}</td>
                <td class="number">{job.doubleRuns}</td>
                <td>{statesText(job.states)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h2>What people did</h2>
      {actions.length === 0 ? <p class="faint">Nothing yet.</p> : null}
      <table>
        <tbody>
          {actions.map(({ at, by, verb, target, note }) => (
            <tr key={`${at} ${verb} ${target}`}>
              <td>
                <Moment at={at} />
              </td>
              <td>{by}</td>
              <td>{verb}</td>
              <td>
                {target}
                {note === null ? null : <small>{note}</small>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function statesText(states: LedgerAnswer['states']): string {
  return Object.entries(states)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ');
}

function csvOf({ jobs }: LedgerAnswer): string {
  const states = Object.keys(jobs[0]?.states ?? {});
  const head = ['job', 'expected', 'recorded', 'missing', 'doubleRuns', ...states];
  const rows = jobs.map(({ id, expected, recorded, missing, doubleRuns, states: counts }) => [
    ...[id, expected, recorded, missing, doubleRuns],
    ...Object.values(counts),
  ]);
  return [head, ...rows].map((row) => row.join(',')).join('\n');
}

function dataUrl(type: string, text: string): string {
  return `data:${type};charset=utf-8,${encodeURIComponent(text)}`;
}
