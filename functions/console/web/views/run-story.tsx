import type { RunAnswer } from '../../data.ts';
import { Headings } from '../parts/headings.tsx';
import { LinkedText } from '../parts/linked-text.tsx';
import { Moment } from '../parts/moment.tsx';
import { Panel } from '../parts/panel.tsx';
import { spanText } from '../parts/texts.ts';

/** The newest first. */
export function Attempts({ attempts, timezone }: RunAnswer) {
  if (attempts.length === 0) return null;
  return (
    <Panel title="Attempts" count={attempts.length}>
      <ol class="attempts">
        {attempts.toReversed().map((attempt) => (
          <Attempt key={attempt.number} attempt={attempt} timezone={timezone} />
        ))}
      </ol>
    </Panel>
  );
}

interface AttemptProps {
  readonly attempt: RunAnswer['attempts'][number];
  readonly timezone: string;
}

function Attempt({ attempt, timezone }: AttemptProps) {
  const { number, startedAt, settledAt, tookMs, outcome, bill, log, logUrl } = attempt;
  return (
    <li>
      <p>
        <b>{number}.</b> {outcomeText(outcome)}
        <span class="faint">
          , began <Moment at={startedAt} timezone={timezone} />
          {tookMs === null ? null : <span title={`ended ${settledAt}`}>, took {spanText(tookMs)}</span>}
          {log === null ? null : (
            <>
              , request <code>{log}</code>
            </>
          )}
        </span>{' '}
        {logUrl === null ? null : (
          <a href={logUrl} target="_blank" rel="noreferrer">
            its lines in CloudWatch Logs
          </a>
        )}
      </p>
      <dl class="bill">
        {bill.map(({ name, value, usual, isUnusual }) => (
          <div key={name} class={isUnusual ? 'unusual' : ''}>
            <dt>{name}</dt>
            <dd>
              {value}
              {usual === null ? null : (
                <small>
                  {isUnusual ? <span aria-hidden="true">▲ </span> : null}
                  {usual}
                </small>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

function outcomeText(outcome: string | null): string {
  if (outcome === null) return 'not ended';
  return outcome === 'continued' ? 'went on in the next (a hop)' : outcome;
}

export function Steps({ steps, timezone }: RunAnswer) {
  if (steps.length === 0) return null;
  return (
    <Panel title="Steps" count={steps.length}>
      <table class="stacks">
        <Headings of={['Step', 'Kind', 'State', 'At']} />
        <tbody>
          {steps.map(({ name, kind, state, at, result }) => (
            <tr key={name}>
              <td class="wide first">
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
    </Panel>
  );
}

export function Waits({ waits, timezone }: RunAnswer) {
  if (waits.length === 0) return null;
  return (
    <Panel title="Waits" count={waits.length}>
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
    </Panel>
  );
}
