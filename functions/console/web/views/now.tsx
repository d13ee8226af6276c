import type { Health, Iso, NextFire, NowAnswer, RunBrief, Wrong } from '../../data.ts';
import { Bounded } from '../parts/bounded.tsx';
import { Countdown } from '../parts/countdown.tsx';
import { Moment } from '../parts/moment.tsx';
import { Runs } from '../parts/runs.tsx';
import { State } from '../parts/state.tsx';
import { jobRoute, runRoute } from '../router.ts';
import { useNow } from '../use-now.ts';
import './now.css';

const symbols = { good: '✓', warn: '!', bad: '✗' } as const;
const shown = 8;

/** What ran, what didn't, why, and where to press: what is wrong comes first. */
export function NowView({ answer }: { readonly answer: NowAnswer }) {
  const { now, health, parked, running, waiting, wrong, recent, next, jobs, counts } = answer;
  return (
    <>
      <h1 class="hidden">Now</h1>
      <ul class="strip" aria-label="How things stand">
        {health.map((one) => (
          <Sign key={one.name} {...one} />
        ))}
      </ul>
      {jobs === 0 ? (
        <p>
          No job is known yet. Write one in <code>functions/jobs/</code> and run <code>npm start</code>: the
          first sweep makes it known.
        </p>
      ) : null}
      <div class="columns">
        <div>
          <Section title="A person must decide" runs={parked} total={counts.parked} />
          <h2>Went wrong in the last 24 hours</h2>
          <WentWrong wrong={wrong} total={counts.wrong} />
          <Running runs={running} total={counts.running} now={now} />
          <Section title="Waiting" runs={waiting} total={counts.waiting} />
          <h2>Lately</h2>
          <Briefs runs={recent} none="Nothing has run in the last 24 hours." />
        </div>
        <div>
          <h2>Next</h2>
          <Next fires={next} now={now} total={counts.next} />
        </div>
      </div>
    </>
  );
}

function Sign({ level, name, value, detail, route }: Health) {
  return (
    <li class={level}>
      <b>
        <span aria-hidden="true">{symbols[level]}</span> {name}
      </b>
      <p>
        <a href={route}>{value}</a>
      </p>
      <p class="faint">{detail}</p>
    </li>
  );
}

interface SectionProps {
  readonly title: string;
  readonly runs: readonly RunBrief[];
  readonly total: number;
}

/** Runs of a kind of which there may be none: then it isn't there. */
function Section({ title, runs, total }: SectionProps) {
  if (runs.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <Briefs runs={runs} total={total} none="" />
    </>
  );
}

interface BriefsProps {
  readonly runs: readonly RunBrief[];
  readonly total?: number;
  /** Said when there is none. */
  readonly none: string;
}

function Briefs({ runs, total = runs.length, none }: BriefsProps) {
  return (
    <div class="briefs">
      <Bounded items={runs} most={shown} total={total}>
        {(some) => <Runs runs={some} none={none} />}
      </Bounded>
    </div>
  );
}

/** How long they have run goes on with each second. */
function Running({ runs, total, now }: Omit<SectionProps, 'title'> & { readonly now: Iso }) {
  useNow(now);
  return runs.length === 0 ? (
    <>
      <h2>Running</h2>
      <p class="faint">Nothing runs.</p>
    </>
  ) : (
    <Section title="Running" runs={runs} total={total} />
  );
}

function WentWrong({ wrong, total }: { readonly wrong: readonly Wrong[]; readonly total: number }) {
  if (wrong.length === 0) return <p class="faint">Nothing did.</p>;
  return (
    <Bounded items={wrong} most={shown} total={total}>
      {(some) => (
        <table class="briefs wrong">
          <thead>
            <tr>
              {['State', 'Job', 'Due', 'What to press'].map((name) => (
                <th key={name}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {some.map((one) => (
              <WrongRow key={one.run.jobId} {...one} />
            ))}
          </tbody>
        </table>
      )}
    </Bounded>
  );
}

function WrongRow({ run, count, isMore, isOver }: Wrong) {
  return (
    <tr class={isOver ? 'over' : ''}>
      <td>
        <a href={runRoute(run.id)}>
          <State of={run.state} />
        </a>
        {count > 1 ? (
          <small>
            {count} times{isMore ? ' or more' : ''}
          </small>
        ) : null}
      </td>
      <td>
        <a href={jobRoute(run.jobId)}>{run.jobId}</a>
        <small>{run.why}</small>
      </td>
      <td>
        <Moment at={run.fireTime} />
      </td>
      <td>
        {isOver ? (
          <span class="faint">nothing: it has succeeded since</span>
        ) : (
          <a href={runRoute(run.id)}>{run.state === 'failed' ? 'Why, and run it once more' : 'Make it up'}</a>
        )}
      </td>
    </tr>
  );
}

interface NextProps {
  readonly fires: readonly NextFire[];
  readonly now: Iso;
  readonly total: number;
}

function Next({ fires, now, total }: NextProps) {
  if (fires.length === 0) return <p class="faint">Nothing is due any more.</p>;
  return (
    <Bounded items={fires} most={shown} total={total}>
      {(some) => (
        <ul class="next">
          {some.map(({ jobId, at, local, paused }) => (
            <li key={`${jobId} ${at}`}>
              <a href={jobRoute(jobId)}>{jobId}</a>
              <Countdown to={at} now={now} />
              <small>
                <time dateTime={at} title={at}>
                  {local}
                </time>
                {paused ? ', paused: it will be skipped' : ''}
              </small>
            </li>
          ))}
        </ul>
      )}
    </Bounded>
  );
}
