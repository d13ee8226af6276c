import type { BackfillProgress, JobAnswer } from '../../data.ts';
import { act } from '../api.ts';
import { ActForm } from '../parts/act-form.tsx';
import { Acts, type Ways } from '../parts/acts.tsx';
import { Moment } from '../parts/moment.tsx';
import { counted, countsText } from '../parts/texts.ts';

const open = ['offered', 'waiting', 'running', 'retrying', 'parked'] as const;

type BackfillProps = Pick<JobAnswer, 'id' | 'timezone'> & { readonly backfill: BackfillProgress };

/** How far a job's newest backfill is, and what stops it. */
export function Backfill({ id, timezone, backfill }: BackfillProps) {
  const { at, by, note, fires, states, isFed, problem } = backfill;
  const handedOver = Object.values(states).reduce((sum, count) => sum + count, 0);
  const ended = handedOver - open.reduce((sum, state) => sum + (states[state] ?? 0), 0);
  const canStop = isFed || (states.waiting ?? 0) > 0;
  const stop = (ways: Ways) => <Stop jobId={id} at={at} ways={ways} />;
  return (
    <section class="backfill" aria-label="The newest backfill">
      <p>
        <progress value={ended} max={fires} aria-label="how far the backfill is" />{' '}
        <b>
          {ended} of {counted(fires, 'fire')} made up
        </b>
        {handedOver === 0 ? '' : `: ${countsText(states)}`}
        {handedOver < fires && isFed ? ` (${handedOver} handed over so far)` : ''}{' '}
        <span class="faint">
          begun <Moment at={at} timezone={timezone} /> by {by}
          {note === null ? '' : `: ${note}`}
        </span>
      </p>
      {problem === null ? null : <p class="problem">It was not handed over whole: {problem}</p>}
      <Acts acts={canStop ? [{ label: 'Stop it', form: stop }] : []} />
    </section>
  );
}

function Stop({ jobId, at, ways }: { readonly jobId: string; readonly at: string; readonly ways: Ways }) {
  return (
    <ActForm
      explains="What of it waits is taken back and ends as canceled; what runs goes on. It can be made up again later."
      does="Stop the backfill"
      run={async () => {
        const { withdrawn } = await act<'withdraw', { withdrawn: number }>('withdraw', { jobId, at });
        return `Stopped: ${counted(withdrawn, 'fire')} taken back.`;
      }}
      ways={ways}
      withoutNote
    />
  );
}
