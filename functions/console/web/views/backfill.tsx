import { useRef, useState } from 'preact/hooks';
import type { ActRequests, BackfillAnswer, JobAnswer } from '../../data.ts';
import { act } from '../api.ts';
import type { Ways } from '../parts/acts.tsx';
import { Bounded } from '../parts/bounded.tsx';
import { TextField, TimeField } from '../parts/fields.tsx';
import { counted, countsText } from '../parts/texts.ts';
import { useWork } from '../parts/use-work.ts';
import { typedText } from '../parts/wall.ts';

type Request = ActRequests['backfill'];
type Range = Pick<Request, 'from' | 'to' | 'only'>;

const kinds = ['missed', 'failed', 'skipped', 'all'] as const;
const day = 86_400_000;

interface BackfillFormProps extends Pick<JobAnswer, 'id' | 'timezone'> {
  readonly ways: Ways;
}

/** Makes up the fires of a range. Which, is seen first; any edit, and they are to be seen anew. */
export function BackfillForm({ id: jobId, timezone, ways }: BackfillFormProps) {
  const [range, setRange] = useState<Range>(() => ({
    from: typedText(Date.now() - day, timezone),
    to: typedText(Date.now(), timezone),
    only: 'missed',
  }));
  const [preview, show] = useState<BackfillAnswer | null>(null);
  const { isBusy, problem, attempt, clear } = useWork();
  // An answer that comes after another edit is of a range that nobody asks for any more.
  const edits = useRef(0);
  const edit = (change: Partial<Range>) => {
    edits.current += 1;
    setRange((before) => ({ ...before, ...change }));
    show(null);
    clear();
  };
  const look = () =>
    attempt(async () => {
      const asked = edits.current;
      const answer = await act<'backfill', BackfillAnswer>('backfill', { jobId, ...range });
      if (asked === edits.current) show(answer);
    });
  const begin = (how: How) =>
    attempt(async () => {
      if (preview === null) return;
      const { from, to, fingerprint: previewed } = preview;
      const only = range.only;
      const { begun } = await act<'backfill', BackfillAnswer>('backfill', {
        ...{ jobId, from, to, only, previewed, ...how },
      });
      ways.done(`${counted(begun ?? 0, 'fire')} made up from now on.`);
    });
  const submit = (event: Event) => {
    event.preventDefault();
    void look();
  };
  return (
    <>
      <form onSubmit={submit}>
        <div class="explains">
          Fires of a range that did not come to a success are run, behind all other work of the job and within
          its rate.
        </div>
        <div class="row">
          <TimeField label="Due from" value={range.from} set={(from) => edit({ from })} timezone={timezone} />
          <TimeField label="Due to" value={range.to} set={(to) => edit({ to })} timezone={timezone} />
          <label>
            Only
            <select
              value={range.only}
              onChange={({ currentTarget: { value } }) =>
                edit({ only: kinds.find((kind) => kind === value) ?? 'missed' })
              }
            >
              {kinds.map((kind) => (
                <option key={kind}>{kind}</option>
              ))}
            </select>
          </label>
        </div>
        <div class="buttons">
          <button type="submit" class={preview === null ? 'wanted' : ''} disabled={isBusy}>
            Show which
          </button>
          <button type="button" onClick={ways.leave}>
            Leave it
          </button>
        </div>
      </form>
      {preview === null ? null : (
        <Preview
          key={preview.fingerprint}
          preview={preview}
          isBusy={isBusy}
          begin={(how) => void begin(how)}
        />
      )}
      <p role="alert" class="problem">
        {problem}
      </p>
    </>
  );
}

type How = Pick<Request, 'order' | 'rate' | 'note'>;

/** So many fires are named at first. */
const shown = 20;

interface PreviewProps {
  readonly preview: BackfillAnswer;
  readonly isBusy: boolean;
  readonly begin: (how: How) => void;
}

function Preview({ preview: { fires, left, local, ratePerMinute }, isBusy, begin }: PreviewProps) {
  const [order, setOrder] = useState<'oldest' | 'newest'>('oldest');
  const [rate, setRate] = useState(ratePerMinute);
  const [note, setNote] = useState('');
  const others = countsText(left);
  const submit = (event: Event) => {
    event.preventDefault();
    begin({ order, ...(rate < ratePerMinute && { rate }), ...(note !== '' && { note }) });
  };
  const within = `due from ${local[0]} to ${local[1]}`;
  const asTheyAre = others === '' ? null : <p class="faint">Left as they are: {others}.</p>;
  if (fires.length === 0)
    return (
      <div class="preview">
        <p>There is nothing to make up, {within}.</p>
        {asTheyAre}
      </div>
    );
  return (
    <form class="preview" onSubmit={submit}>
      <p>
        <b>{counted(fires.length, 'fire')}</b> to make up, {within}:
      </p>
      <Bounded items={fires} most={shown}>
        {(some) => (
          <ul class="fires">
            {some.map(({ at, local: due, state }) => (
              <li key={at}>
                <time dateTime={at}>{due}</time> <span class="faint">{state}</span>
              </li>
            ))}
          </ul>
        )}
      </Bounded>
      {asTheyAre}
      <div class="row">
        <label>
          First
          <select
            value={order}
            onChange={({ currentTarget: { value } }) => setOrder(value === 'newest' ? 'newest' : 'oldest')}
          >
            <option value="oldest">the oldest</option>
            <option value="newest">the newest</option>
          </select>
        </label>
        <label>
          At most, a minute
          <input
            type="number"
            min={1}
            max={ratePerMinute}
            value={rate}
            onInput={({ currentTarget }) => setRate(currentTarget.valueAsNumber || ratePerMinute)}
          />
        </label>
        <TextField label="Note" value={note} set={setNote} />
      </div>
      {order === 'newest' || rate < ratePerMinute ? (
        <p class="faint">They are handed over one by one, so the console has to stay up meanwhile.</p>
      ) : null}
      <div class="buttons">
        <button type="submit" class="wanted" disabled={isBusy}>
          Make up {counted(fires.length, 'fire')}
        </button>
      </div>
    </form>
  );
}
