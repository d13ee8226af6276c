import { useState } from 'preact/hooks';
import type { JobAnswer } from '../../data.ts';
import { act } from '../api.ts';
import { ActForm } from '../parts/act-form.tsx';
import { type Act, Acts, type Ways } from '../parts/acts.tsx';
import { Choice, JsonField, jsonOf, TimeField } from '../parts/fields.tsx';
import { counted } from '../parts/texts.ts';
import { wallText } from '../parts/wall.ts';
import { runRoute } from '../router.ts';
import { BackfillForm } from './backfill.tsx';

/** What a person can do to a job. */
export function JobActs({ answer }: { readonly answer: JobAnswer }) {
  const acts: readonly Act[] = [
    { label: 'Run it now', form: (ways) => <Trigger answer={answer} ways={ways} /> },
    answer.paused === null
      ? { label: 'Pause it', form: (ways) => <Pause answer={answer} ways={ways} /> }
      : { label: 'Resume it', form: (ways) => <Resume answer={answer} ways={ways} /> },
    { label: 'Make up fires', form: (ways) => <BackfillForm {...answer} ways={ways} /> },
  ];
  return <Acts acts={acts} />;
}

interface FormProps {
  readonly answer: JobAnswer;
  readonly ways: Ways;
}

function Trigger({ answer: { id: jobId, timezone, paused }, ways }: FormProps) {
  const [input, setInput] = useState('');
  const [at, setAt] = useState('');
  const run = async (noted: { readonly note?: string }) => {
    const given = jsonOf(input, 'The input');
    const { id, warnings } = await act<'trigger', { id: string; warnings: readonly string[] }>('trigger', {
      ...{ jobId, ...noted },
      ...(at !== '' && { at }),
      ...(given !== undefined && { input: given }),
    });
    return (
      <>
        <a href={runRoute(id)}>{id}</a> waits for its turn. {warnings.join('; ')}
      </>
    );
  };
  return (
    <ActForm
      explains={`A run beside those of its schedule, through its slot and its pools.${
        paused === null ? '' : ' It waits until the pause is over.'
      }`}
      does="Run it now"
      run={run}
      ways={ways}
    >
      <JsonField label="Input, as JSON" value={input} set={setInput} />
      <TimeField
        label="The time that it works for (now, unless given)"
        value={at}
        set={setAt}
        timezone={timezone}
      />
    </ActForm>
  );
}

function Pause({ answer: { id: jobId, timezone }, ways }: FormProps) {
  const [until, setUntil] = useState('');
  const run = async (noted: { readonly note?: string }) => {
    const { paused } = await act<'pause', { paused: { until?: string } }>('pause', {
      ...{ jobId, ...noted },
      ...(until !== '' && { until }),
    });
    return paused.until === undefined
      ? 'Paused, until a person resumes it.'
      : `Paused, until ${wallText(Date.parse(paused.until), timezone)}.`;
  };
  return (
    <ActForm
      explains="Its fires are recorded as skipped until it is resumed. What runs ends as usual; no deploy ends a pause."
      does="Pause it"
      run={run}
      ways={ways}
    >
      <TimeField
        label="Until (a person resumes it, unless given)"
        value={until}
        set={setUntil}
        timezone={timezone}
      />
    </ActForm>
  );
}

function Resume({ answer: { id: jobId, paused }, ways }: FormProps) {
  const [fate, setFate] = useState<'leave' | 'catch-up'>('leave');
  const skipped = paused?.skipped ?? null;
  const run = async (noted: { readonly note?: string }) => {
    const catchUp = fate === 'catch-up';
    const { madeUp } = await act<'resume', { madeUp: number }>('resume', { jobId, catchUp, ...noted });
    return madeUp === 0 ? 'Resumed.' : `Resumed; ${counted(madeUp, 'fire')} made up from now on.`;
  };
  return (
    <ActForm explains={skippedText(skipped)} does="Resume it" run={run} ways={ways}>
      {skipped === null || skipped === 0 ? null : (
        <Choice
          legend="What was skipped meanwhile"
          options={[
            ['leave', 'stays skipped'],
            ['catch-up', `is made up: ${counted(skipped, 'fire')}, behind all other work of the job`],
          ]}
          value={fate}
          set={setFate}
        />
      )}
    </ActForm>
  );
}

function skippedText(skipped: number | null): string {
  if (skipped === null)
    return 'Its fires run again from now on. More were skipped than are made up at once: make up a shorter range.';
  return skipped === 0
    ? 'Its fires run again from now on; none was skipped meanwhile.'
    : 'Its fires run again from now on.';
}
