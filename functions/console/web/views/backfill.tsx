import { useState } from 'preact/hooks';
import type { ActRequests, BackfillAnswer } from '../../data.ts';

type Request = ActRequests['backfill'];
const kinds = ['missed', 'failed', 'skipped', 'all'] as const;

interface BackfillProps {
  readonly jobId: string;
  readonly ask: (request: Request) => Promise<BackfillAnswer>;
}

/** Makes up the fires of a range; which, is seen before anything is written. */
export function Backfill({ jobId, ask }: BackfillProps) {
  const [isOpen, open] = useState(false);
  const [range, setRange] = useState({ from: localDaysAgo(1), to: localDaysAgo(0) });
  const [only, setOnly] = useState<Request['only']>('missed');
  const [preview, show] = useState<BackfillAnswer | null>(null);
  const [said, say] = useState('');
  const request = () => ({
    ...{ jobId, only },
    from: new Date(range.from).toISOString(),
    to: new Date(range.to).toISOString(),
  });
  const attempt = async (work: () => Promise<void>) => {
    say('');
    await work().catch((error: Error) => say(error.message));
  };
  const look = () => attempt(async () => show(await ask({ ...request(), preview: true })));
  const begin = () =>
    attempt(async () => {
      const { begun } = await ask(request());
      show(null);
      say(`${begun} wait to be made up.`);
    });
  if (!isOpen)
    return (
      <div class="act">
        <button type="button" onClick={() => open(true)}>
          Make up fires
        </button>
      </div>
    );
  return (
    <div class="act open">
      {(['from', 'to'] as const).map((end) => (
        <label key={end}>
          {end === 'from' ? 'Due from' : 'to'}
          <input
            type="datetime-local"
            value={range[end]}
            onInput={({ currentTarget }) => {
              setRange({ ...range, [end]: currentTarget.value });
              show(null);
            }}
          />
        </label>
      ))}
      <label>
        Only
        <select
          value={only}
          onChange={({ currentTarget }) => {
            setOnly(kinds.find((kind) => kind === currentTarget.value) ?? 'missed');
            show(null);
          }}
        >
          {kinds.map((kind) => (
            <option key={kind}>{kind}</option>
          ))}
        </select>
      </label>
      <button type="button" onClick={() => void look()}>
        Which are these?
      </button>
      <button type="button" onClick={() => open(false)}>
        Leave it
      </button>
      {preview === null ? null : <Preview {...preview} begin={() => void begin()} />}
      <span role="status">{said}</span>
    </div>
  );
}

const mostNamed = 20;

function Preview({ fires, ratePerMinute, begin }: BackfillAnswer & { readonly begin: () => void }) {
  if (fires.length === 0) return <p>There is nothing to make up.</p>;
  return (
    <div>
      <p>
        {fires.length} to make up, at most {ratePerMinute} a minute, behind all other work of the job:
      </p>
      <ul>
        {fires.slice(0, mostNamed).map(({ at, local, state }) => (
          <li key={at}>
            {local} <span class="faint">{state}</span>
          </li>
        ))}
        {fires.length > mostNamed ? <li>and {fires.length - mostNamed} more</li> : null}
      </ul>
      <button type="button" class="wanted" onClick={begin}>
        Make them up
      </button>
    </div>
  );
}

/** As an input of the browser has it. */
function localDaysAgo(days: number): string {
  const now = new Date(Date.now() - days * 86_400_000);
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
