import { useState } from 'preact/hooks';
import type { RunAnswer } from '../../data.ts';
import { act } from '../api.ts';
import { ActForm } from '../parts/act-form.tsx';
import type { Ways } from '../parts/acts.tsx';
import { Choice, JsonField, jsonOf } from '../parts/fields.tsx';

type Verdict = 'rerun' | 'resume' | 'fail';

const does: Readonly<Record<Verdict, string>> = {
  rerun: 'Run it again',
  resume: 'Resume it',
  fail: 'Leave it failed',
};

interface ReleaseProps {
  readonly answer: RunAnswer;
  readonly ways: Ways;
}

/** A person's decision about a parked run, and what became of the step of which nobody knows. */
export function Release({ answer: { run, uncertain }, ways }: ReleaseProps) {
  const [verdict, decide] = useState<Verdict | null>(null);
  const [wasDone, say] = useState<'done' | 'not-done' | null>(null);
  const [result, setResult] = useState('');
  const asksOfStep = uncertain !== null && verdict !== null && verdict !== 'fail';
  const release = async (noted: { readonly note?: string }) => {
    if (verdict === null) throw new Error('say what is to become of it');
    const returned = wasDone === 'done' ? jsonOf(result, 'The result') : undefined;
    await act('release', {
      ...{ run: run.id, as: verdict, ...noted },
      ...(asksOfStep && { stepDone: wasDone === 'done' }),
      ...(asksOfStep && returned !== undefined && { result: returned }),
    });
    return verdict === 'fail' ? 'It is left failed.' : 'Decided: it waits for its turn.';
  };
  return (
    <ActForm
      explains={explained(uncertain)}
      does={verdict === null ? 'Decide' : does[verdict]}
      run={release}
      ways={ways}
      isUnready={verdict === null || (asksOfStep && wasDone === null)}
      isFinal={verdict === 'fail' || wasDone === 'done'}
    >
      <Choice
        legend="What is to become of it"
        options={[
          ['rerun', 'run it again, from its beginning'],
          ['resume', 'run it again, after the steps that it has done'],
          ['fail', 'leave it failed'],
        ]}
        value={verdict}
        set={decide}
      />
      {asksOfStep ? (
        <Choice
          legend={`I have looked: its step “${uncertain}”`}
          options={[
            ['done', 'was done, and is not done again'],
            ['not-done', 'was not done, and is done now'],
          ]}
          value={wasDone}
          set={say}
        />
      ) : null}
      {asksOfStep && wasDone === 'done' ? (
        <JsonField
          label="What the step returned, as JSON (nothing, unless given)"
          value={result}
          set={setResult}
        />
      ) : null}
    </ActForm>
  );
}

function explained(uncertain: string | null): string {
  return uncertain === null
    ? 'Its process died half-way, and its job wants a person to decide.'
    : `Nobody knows whether its step “${uncertain}” was done. Look where its effect would be before you say so: what you say can’t be taken back.`;
}
