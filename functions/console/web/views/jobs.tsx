import { useState } from 'preact/hooks';
import type { Iso, JobLine, JobsAnswer } from '../../data.ts';
import { Bounded } from '../parts/bounded.tsx';
import { Countdown } from '../parts/countdown.tsx';
import { Moment } from '../parts/moment.tsx';
import { State, stateSymbols } from '../parts/state.tsx';
import { counted } from '../parts/texts.ts';
import { jobRoute, runRoute } from '../router.ts';
import './jobs.css';

const shown = 100;

/** Every job: when it is due, how it went lately, and what holds it up. */
export function JobsView({ answer: { now, jobs, removed } }: { readonly answer: JobsAnswer }) {
  const [text, setText] = useState('');
  const wanted = jobs.filter((job) => isWanted(job, text));
  return (
    <>
      <h1>Jobs</h1>
      {jobs.length === 0 ? (
        <p>
          No job is known yet. Write one in <code>functions/jobs/</code> and run <code>npm start</code>: the
          first sweep makes it known.
        </p>
      ) : (
        <>
          <label class="filter">
            <span class="hidden">Filter</span>
            <input
              type="search"
              value={text}
              placeholder="name, schedule, failing, paused, parked …"
              spellcheck={false}
              autocomplete="off"
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
            <span role="status" class="faint">
              {text === ''
                ? counted(jobs.length, 'job')
                : `${wanted.length} of ${counted(jobs.length, 'job')}`}
            </span>
          </label>
          <Bounded items={wanted} most={shown}>
            {(some) => (
              <ul class="jobs">
                {some.map((job) => (
                  <Line key={job.id} job={job} now={now} />
                ))}
              </ul>
            )}
          </Bounded>
        </>
      )}
      {removed.length === 0 ? null : (
        <details>
          <summary>{counted(removed.length, 'job')} that were removed, whose records are kept</summary>
          <ul>
            {removed.map((id) => (
              <li key={id}>
                <a href={jobRoute(id)}>{id}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Line({ job, now }: { readonly job: JobLine; readonly now: Iso }) {
  const { id, description, schedule, timezone, next, strip } = job;
  const last = strip.at(-1);
  return (
    <li>
      <div class="name">
        <a href={jobRoute(id)}>{id}</a>
        <small>{description}</small>
        <Marks {...job} />
      </div>
      <div class="when">
        {schedule} <span class="faint">{timezone}</span>
        {next === null ? (
          <small>never due by itself</small>
        ) : (
          <small>
            <Countdown to={next.at} now={now} />, {next.local}
          </small>
        )}
      </div>
      <div class="went">
        {last === undefined ? (
          <span class="faint">has not run yet</span>
        ) : (
          <>
            <a href={runRoute(last.id)}>
              <State of={last.state} />
            </a>{' '}
            <Moment at={last.fireTime} />
            <Strip job={job} />
          </>
        )}
      </div>
    </li>
  );
}

/** What holds it up, or goes wrong with it. */
function Marks({ paused, parked, failuresInARow }: JobLine) {
  return (
    <>
      {parked === 0 ? null : (
        <span class="mark bad">{counted(parked, 'run')} parked: a person must decide</span>
      )}
      {failuresInARow === 0 ? null : <span class="mark bad">failed {failuresInARow} times in a row</span>}
      {paused === null ? null : (
        <span class="mark warn">
          paused by {paused.by}
          {paused.until === null ? null : (
            <>
              {' '}
              until <Moment at={paused.until} />
            </>
          )}
          {paused.note === '' ? '' : `: ${paused.note}`}
        </span>
      )}
    </>
  );
}

/** Its newest runs, oldest first: each is a link. */
function Strip({ job: { strip } }: { readonly job: JobLine }) {
  return (
    <span class="outcomes">
      {strip.map(({ id, state, fireTime }) => (
        <a
          key={id}
          class={`state ${state}`}
          href={runRoute(id)}
          title={`${fireTime} ${state}`}
          aria-label={`${state}, due ${fireTime}`}
        >
          {stateSymbols[state]}
        </a>
      ))}
    </span>
  );
}

/** Each word must be somewhere in what its line says. */
function isWanted(job: JobLine, text: string): boolean {
  const { id, description, schedule, timezone, paused, parked, failuresInARow, strip } = job;
  const marks = [
    paused === null ? '' : 'paused',
    parked === 0 ? '' : 'parked',
    failuresInARow === 0 ? '' : 'failing',
    strip.at(-1)?.state ?? '',
  ];
  const said = [id, description, schedule, timezone, ...marks].join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}
