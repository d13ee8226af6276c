import { useState } from 'preact/hooks';
import type { BackfillAnswer, JobAnswer } from '../../data.ts';
import { act } from '../api.ts';
import { ActButton } from '../parts/act-button.tsx';
import { Backfill } from './backfill.tsx';

/** What a person can do to a job. */
export function JobActs({ id: jobId, paused }: JobAnswer) {
  const [input, setInput] = useState('');
  const [until, setUntil] = useState('');
  return (
    <div class="acts">
      <ActButton
        label="Run it now"
        question="A run beside its schedule, through its slot and its pools."
        run={async (note) => {
          await act('trigger', {
            jobId,
            ...(input !== '' && { input: JSON.parse(input) as unknown }),
            ...(note !== undefined && { note }),
          });
          return 'It waits for its slot.';
        }}
      >
        <label>
          Input, as JSON
          <input value={input} onInput={({ currentTarget }) => setInput(currentTarget.value)} />
        </label>
      </ActButton>
      {paused === null ? (
        <ActButton
          label="Pause it"
          question="Its fires are skipped until it is resumed."
          run={async (note) => {
            await act('pause', {
              jobId,
              ...(until !== '' && { until: new Date(until).toISOString() }),
              ...(note !== undefined && { note }),
            });
            return 'Paused.';
          }}
        >
          <label>
            Until (by itself)
            <input
              type="datetime-local"
              value={until}
              onInput={({ currentTarget }) => setUntil(currentTarget.value)}
            />
          </label>
        </ActButton>
      ) : (
        <>
          <ActButton
            label="Resume it"
            question="What was skipped stays skipped."
            run={resumed(jobId, false)}
          />
          <ActButton
            label="Resume it and catch up"
            question="What was skipped is made up, within its rate."
            run={resumed(jobId, true)}
          />
        </>
      )}
      <Backfill jobId={jobId} ask={(request) => act<'backfill', BackfillAnswer>('backfill', request)} />
    </div>
  );
}

function resumed(jobId: string, catchUp: boolean) {
  return async (note: string | undefined) => {
    await act('resume', { jobId, catchUp, ...(note !== undefined && { note }) });
    return 'Resumed.';
  };
}
