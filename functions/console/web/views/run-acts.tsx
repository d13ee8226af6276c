import { useState } from 'preact/hooks';
import type { RunState } from '../../../domain/run.ts';
import type { RunAnswer } from '../../data.ts';
import { act } from '../api.ts';
import { ActForm } from '../parts/act-form.tsx';
import { type Act, Acts, type Ways } from '../parts/acts.tsx';
import { Choice } from '../parts/fields.tsx';
import { Release } from './run-release.tsx';

/** What a person can do to a run as it stands. */
export function RunActs({ answer }: { readonly answer: RunAnswer }) {
  const { can } = answer;
  const runs = answer.run.state === 'running';
  const acts: Act[] = [];
  if (can.includes('release-rerun'))
    acts.push({ label: 'Decide', form: (ways) => <Release answer={answer} ways={ways} /> });
  if (can.includes('retry'))
    acts.push({ label: 'Run it once more', form: (ways) => <Retry answer={answer} ways={ways} /> });
  if (can.includes('cancel'))
    acts.push({
      label: runs ? 'Ask it to end' : 'Cancel it',
      form: (ways) => <Cancel answer={answer} ways={ways} />,
    });
  return <Acts acts={acts} />;
}

interface FormProps {
  readonly answer: RunAnswer;
  readonly ways: Ways;
}

function Retry({ answer: { run, steps, retriesFrom }, ways }: FormProps) {
  const [from, setFrom] = useState(retriesFrom);
  const done = steps.filter(({ state }) => state === 'done').length;
  return (
    <ActForm
      explains="The same run gets one attempt more, as soon as its job’s slot and its pools are free. Its failures count anew."
      does="Run it once more"
      run={async (noted) => {
        await act('retry', { run: run.id, from, ...noted });
        return 'It waits for its turn.';
      }}
      ways={ways}
    >
      <Choice
        legend="From where"
        options={[
          ['beginning', 'its beginning'],
          ['last-step', `after the steps that it has done (${done} on record)`],
        ]}
        value={from}
        set={setFrom}
      />
    </ActForm>
  );
}

function Cancel({ answer: { run }, ways }: FormProps) {
  const runs = run.state === 'running';
  return (
    <ActForm
      explains={endText(run.state)}
      does={runs ? 'Ask it to end now' : 'Cancel it now'}
      run={async (noted) => {
        const { state } = await act<'cancel', { state: RunState }>('cancel', { run: run.id, ...noted });
        return state === 'running' ? 'It has been asked to end.' : 'It is canceled.';
      }}
      ways={ways}
      isFinal
    />
  );
}

function endText(state: RunState): string {
  return state === 'running'
    ? 'Its code is told within 15 s, by ctx.signal, and may end what it is at. Until it has ended, or its lease is over, it keeps its slot and its pools; then it is canceled, even if it crashed.'
    : 'It ends as canceled at once and does not start; what it holds is free. It can be run once more later.';
}
