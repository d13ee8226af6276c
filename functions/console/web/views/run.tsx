import type { RunAnswer } from '../../data.ts';
import { act } from '../api.ts';
import { ActButton } from '../parts/act-button.tsx';
import { Moment } from '../parts/moment.tsx';
import { Runs, tookText } from '../parts/runs.tsx';
import { State } from '../parts/state.tsx';
import { spanText } from '../parts/texts.ts';
import { jobRoute } from '../router.ts';

/** All that is known of one run. */
export function RunView({ answer }: { readonly answer: RunAnswer }) {
  const { run, sentences, error, overlapping, record } = answer;
  return (
    <>
      <h1>
        <a href={jobRoute(run.jobId)}>{run.jobId}</a> <span class="faint">due</span>{' '}
        <Moment at={run.fireTime} />
      </h1>
      <p>
        <State of={run.state} /> <span class="faint">{tookText(run)}</span> {run.why}
      </p>
      <Acts {...answer} />
      {sentences.length === 0 ? null : (
        <>
          <h2>Why</h2>
          <ul class="sentences">
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
      {error === null ? null : (
        <>
          <h2>Error</h2>
          <pre>{error.stack ?? `${error.name}: ${error.message}`}</pre>
        </>
      )}
      <Attempts {...answer} />
      <Steps {...answer} />
      <Waits {...answer} />
      <h2>Ran at the same time</h2>
      <Runs runs={overlapping} none="Nothing that has to do with it." />
      <details>
        <summary>The record</summary>
        <pre>{JSON.stringify(record, null, 2)}</pre>
      </details>
    </>
  );
}

function Acts({ run: { id, state }, can }: RunAnswer) {
  const released =
    (as: 'rerun' | 'resume' | 'fail', stepDone?: boolean) => async (note: string | undefined) => {
      await act('release', {
        run: id,
        as,
        ...(stepDone !== undefined && { stepDone }),
        ...(note !== undefined && { note }),
      });
      return 'Decided.';
    };
  const mustSay = can.includes('say-step');
  return (
    <div class="acts">
      {can.includes('cancel') ? (
        <ActButton
          label={state === 'running' ? 'Ask it to end' : 'Cancel it'}
          question="It keeps its slot and its pools until it has ended."
          run={async (note) => {
            await act('cancel', { run: id, ...(note !== undefined && { note }) });
            return 'Asked.';
          }}
        />
      ) : null}
      {can.includes('retry') ? (
        <ActButton
          label="Run it once more"
          question="The same run, with one attempt more."
          run={async (note) => {
            await act('retry', { run: id, ...(note !== undefined && { note }) });
            return 'It waits for its slot.';
          }}
        />
      ) : null}
      {can.includes('release-rerun') && !mustSay ? (
        <ActButton label="Run it again" question="From its beginning." run={released('rerun')} />
      ) : null}
      {can.includes('release-resume') && !mustSay ? (
        <ActButton label="Resume it" question="After the steps that it has done." run={released('resume')} />
      ) : null}
      {mustSay ? (
        <>
          <ActButton
            label="Its step was done: resume it"
            question="Look before you say so: it is not done again."
            run={released('resume', true)}
          />
          <ActButton
            label="Its step was not done: resume it"
            question="Look before you say so: it is done now."
            run={released('resume', false)}
          />
        </>
      ) : null}
      {can.includes('release-fail') ? (
        <ActButton label="Leave it failed" question="It is not run again." run={released('fail')} />
      ) : null}
    </div>
  );
}

function Attempts({ attempts }: RunAnswer) {
  if (attempts.length === 0) return null;
  return (
    <>
      <h2>Attempts</h2>
      <div class="scrolls">
        <table>
          <thead>
            <tr>
              <th>No.</th>
              <th>Began</th>
              <th>Ended</th>
              <th>Came to</th>
              <th>Used</th>
            </tr>
          </thead>
          <tbody>
            {attempts.map(({ number, startedAt, settledAt, outcome, bill, log }) => (
              <tr key={number}>
                <td class="number">{number}</td>
                <td>
                  <Moment at={startedAt} />
                </td>
                <td>
                  <Moment at={settledAt} />
                </td>
                <td>
                  {outcome ?? 'not ended'}
                  {log === null ? null : <small>request {log}</small>}
                </td>
                <td>
                  {bill.map(([name, value, against]) => (
                    <div key={name}>
                      {name} {value} {against === '' ? null : <span class="faint">({against})</span>}
                    </div>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Steps({ steps }: RunAnswer) {
  if (steps.length === 0) return null;
  return (
    <>
      <h2>Steps</h2>
      <div class="scrolls">
        <table>
          <tbody>
            {steps.map(({ name, kind, state, at, result }) => (
              <tr key={name}>
                <td>
                  {name}
                  {result === null ? null : <small>{result}</small>}
                </td>
                <td>{kind}</td>
                <td>{state}</td>
                <td>
                  <Moment at={at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Waits({ waits }: RunAnswer) {
  if (waits.length === 0) return null;
  return (
    <>
      <h2>Waits</h2>
      <ul>
        {waits.map(({ reason, from, until, behind }) => (
          <li key={`${reason} ${from}`}>
            {spanText(Date.parse(until) - Date.parse(from))} for its {reason}, from <Moment at={from} />
            {behind.length === 0 ? '' : `, behind ${behind.join(', ')}`}
          </li>
        ))}
      </ul>
    </>
  );
}
