import type { RunAnswer } from '../../data.ts';
import { LinkedText } from '../parts/linked-text.tsx';
import { Moment } from '../parts/moment.tsx';
import { spanText } from '../parts/texts.ts';

export function Attempts({ attempts, timezone }: RunAnswer) {
  if (attempts.length === 0) return null;
  return (
    <>
      <h2>Attempts</h2>
      <div class="scrolls">
        <table>
          <thead>
            <tr>
              <th scope="col">No.</th>
              <th scope="col">Began</th>
              <th scope="col">Took</th>
              <th scope="col">Came to</th>
              <th scope="col">Used</th>
              <th scope="col">Log</th>
            </tr>
          </thead>
          <tbody>
            {attempts.toReversed().map((attempt) => (
              <Attempt key={attempt.number} attempt={attempt} timezone={timezone} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface AttemptProps {
  readonly attempt: RunAnswer['attempts'][number];
  readonly timezone: string;
}

function Attempt({ attempt, timezone }: AttemptProps) {
  const { number, startedAt, settledAt, tookMs, outcome, bill, log, logUrl } = attempt;
  return (
    <tr>
      <td class="number">{number}</td>
      <td>
        <Moment at={startedAt} timezone={timezone} />
      </td>
      <td class="number" {...(settledAt !== null && { title: `ended ${settledAt}` })}>
        {tookMs === null ? '–' : spanText(tookMs)}
      </td>
      <td>{outcomeText(outcome)}</td>
      <td>
        <dl class="bill">
          {bill.map(([name, value, against]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {value} {against === '' ? null : <small class="unusual">{against}</small>}
              </dd>
            </div>
          ))}
        </dl>
      </td>
      <td>
        {logUrl === null ? null : (
          <a href={logUrl} target="_blank" rel="noreferrer">
            CloudWatch Logs
          </a>
        )}
        {log === null ? null : <small>request {log}</small>}
      </td>
    </tr>
  );
}

function outcomeText(outcome: string | null): string {
  if (outcome === null) return 'not ended';
  return outcome === 'continued' ? 'went on in the next (a hop)' : outcome;
}

export function Steps({ steps, timezone }: RunAnswer) {
  if (steps.length === 0) return null;
  return (
    <>
      <h2>Steps</h2>
      <div class="scrolls">
        <table>
          <thead>
            <tr>
              <th scope="col">Step</th>
              <th scope="col">Kind</th>
              <th scope="col">State</th>
              <th scope="col">At</th>
            </tr>
          </thead>
          <tbody>
            {steps.map(({ name, kind, state, at, result }) => (
              <tr key={name}>
                <td>
                  {name}
                  {result === null ? null : <small class="result">{result}</small>}
                </td>
                <td>{kind}</td>
                <td>{state === 'begun' ? 'begun; nobody knows whether it was done' : state}</td>
                <td>
                  <Moment at={at} timezone={timezone} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

export function Waits({ waits, timezone }: RunAnswer) {
  if (waits.length === 0) return null;
  return (
    <>
      <h2>Waits</h2>
      <ul class="sentences">
        {waits.map(({ reason, from, until, behind }) => (
          <li key={`${reason} ${from}`}>
            {spanText(Date.parse(until) - Date.parse(from))} for its {reason}, from{' '}
            <Moment at={from} timezone={timezone} />
            {behind.length === 0 ? null : (
              <>
                , behind <LinkedText>{behind.join(', ')}</LinkedText>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
