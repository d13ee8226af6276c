import { useState } from 'preact/hooks';
import type { Iso, JobLine, JobsAnswer } from '../../data.ts';
import { Bounded } from '../parts/bounded.tsx';
import { Countdown } from '../parts/countdown.tsx';
import { Moment } from '../parts/moment.tsx';
import { NoJobs } from '../parts/no-jobs.tsx';
import { State, stateSymbols } from '../parts/state.tsx';
import { counted } from '../parts/texts.ts';
import { jobRoute, runRoute } from '../router.ts';
import './jobs.css';

const shown = 100;
/** By which the list is narrowed at one press. */
const troubles = ['failing', 'parked', 'paused'] as const;

/** Every job: when it is due, how it went lately, and what holds it up. */
export function JobsView({ answer: { now, jobs, removed } }: { readonly answer: JobsAnswer }) {
  const [text, setText] = useState('');
  const wanted = jobs.filter((job) => isWanted(job, text));
  return (
    <>
      <h1>Jobs</h1>
      {jobs.length === 0 ? (
        <NoJobs />
      ) : (
        <>
          <Filter jobs={jobs} text={text} setText={setText} shown={wanted.length} />
          {wanted.length === 0 ? (
            <p class="faint">None of them is like that.</p>
          ) : (
            <Bounded items={wanted} most={shown}>
              {(some) => (
                <ul class="lines panel">
                  {some.map((job) => (
                    <Line key={job.id} job={job} now={now} />
                  ))}
                </ul>
              )}
            </Bounded>
          )}
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

interface FilterProps {
  readonly jobs: readonly JobLine[];
  readonly text: string;
  readonly setText: (text: string) => void;
  /** How many jobs are as it says. */
  readonly shown: number;
}

/** Words, and a button for each that tells what is wrong with some. */
function Filter({ jobs, text, setText, shown }: FilterProps) {
  const count = counted(jobs.length, 'job');
  return (
    <div class="filter">
      <label>
        <span class="hidden">Filter</span>
        <input
          type="search"
          value={text}
          placeholder="name, schedule, state …"
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      {troubles.map((word) => {
        const of = jobs.filter((job) => marksOf(job).includes(word)).length;
        const isOn = text === word;
        return of === 0 && !isOn ? null : (
          <button key={word} type="button" aria-pressed={isOn} onClick={() => setText(isOn ? '' : word)}>
            {of} {word}
          </button>
        );
      })}
      <span role="status" class="faint">
        {text === '' ? count : `${shown} of ${count}`}
      </span>
    </div>
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
      {failuresInARow === 0 ? null : <span class="mark bad">{failuresText(failuresInARow)}</span>}
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

function failuresText(count: number): string {
  return count === 1 ? 'its newest run failed' : `failed ${count} times in a row`;
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
  const { id, description, schedule, timezone, strip } = job;
  const said = [id, description, schedule, timezone, ...marksOf(job), strip.at(-1)?.state ?? ''];
  const all = said.join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

function marksOf({ paused, parked, failuresInARow }: JobLine): readonly string[] {
  const marks = { failing: failuresInARow > 0, parked: parked > 0, paused: paused !== null };
  return troubles.filter((word) => marks[word]);
}
