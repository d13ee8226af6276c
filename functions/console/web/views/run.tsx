import type { RunAnswer } from '../../data.ts';
import { LinkedText } from '../parts/linked-text.tsx';
import { Moment } from '../parts/moment.tsx';
import { Panel } from '../parts/panel.tsx';
import { Progress, Runs, tookText } from '../parts/runs.tsx';
import { State } from '../parts/state.tsx';
import { jobRoute } from '../router.ts';
import './detail.css';
import { RunActs } from './run-acts.tsx';
import { Attempts, Steps, Waits } from './run-story.tsx';

/** All that is known of one run. */
export function RunView({ answer }: { readonly answer: RunAnswer }) {
  const { run, overlapping, record, timezone } = answer;
  return (
    <>
      <h1>
        <a href={jobRoute(run.jobId)}>{run.jobId}</a> <span class="faint">due</span>{' '}
        <Moment at={run.fireTime} timezone={timezone} />
      </h1>
      <p class="lead">
        <State of={run.state} /> <span class="faint">{tookText(run)}</span> <Progress run={run} />
      </p>
      <Why {...answer} />
      <RunActs answer={answer} />
      <ErrorText {...answer} />
      <Result {...answer} />
      <Attempts {...answer} />
      <Steps {...answer} />
      <Waits {...answer} />
      <Panel title="Ran at the same time" count={overlapping.length}>
        <Runs runs={overlapping} none="Nothing did." timezone={timezone} />
      </Panel>
      <details>
        <summary>The record</summary>
        <pre>{JSON.stringify(record, null, 2)}</pre>
      </details>
    </>
  );
}

function Why({ facts, culprit }: RunAnswer) {
  if (facts.length === 0) return null;
  return (
    <Panel title="Why" name="why">
      <dl>
        {facts.map(([about, sentences]) => (
          <div key={about} class={about === 'culprit' && culprit !== null ? about : ''}>
            <dt>{about}</dt>
            <dd>
              {sentences.map((sentence) => (
                <p key={sentence}>
                  <LinkedText>{sentence}</LinkedText>
                </p>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function ErrorText({ error }: RunAnswer) {
  if (error === null) return null;
  return (
    <Panel title="Error">
      <p class="problem">
        {error.name}: {error.message}
      </p>
      {error.stack === null ? null : <pre>{error.stack}</pre>}
    </Panel>
  );
}

function Result({ result }: RunAnswer) {
  if (result === null) return null;
  return (
    <Panel title="Result">
      <pre class="short">{result}</pre>
    </Panel>
  );
}
