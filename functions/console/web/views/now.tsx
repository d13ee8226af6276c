import type { Health, Iso, NextFire, NowAnswer, RunBrief, Wrong } from '../../data.ts';
import { Bounded } from '../parts/bounded.tsx';
import { Countdown } from '../parts/countdown.tsx';
import { Headings } from '../parts/headings.tsx';
import { Moment } from '../parts/moment.tsx';
import { NoJobs } from '../parts/no-jobs.tsx';
import { Panel } from '../parts/panel.tsx';
import { Progress, Runs, tookText } from '../parts/runs.tsx';
import { State } from '../parts/state.tsx';
import { spanText } from '../parts/texts.ts';
import { jobRoute, runRoute } from '../router.ts';
import { useNow } from '../use-now.ts';
import './now.css';

const symbols = { good: '✓', warn: '!', bad: '✗' } as const;
const shown = 8;

/** What ran, what didn't, why, and where to press: what is wrong comes first. */
export function NowView({ answer }: { readonly answer: NowAnswer }) {
  const { health, jobs } = answer;
  return (
    <>
      <h1 class="hidden">Now</h1>
      <ul class="strip" aria-label="How things stand">
        {health.map((one) => (
          <Sign key={one.name} {...one} />
        ))}
      </ul>
      {jobs === 0 ? <NoJobs /> : <Things answer={answer} />}
    </>
  );
}

function Things({ answer }: { readonly answer: NowAnswer }) {
  const { now, parked, running, waiting, wrong, recent, next, counts } = answer;
  return (
    <div class="things">
      <div class="pressing">
        {parked.length === 0 ? null : (
          <Panel title="A person must decide" count={counts.parked}>
            <Pressing wrong={parked.map(toDecide)} total={counts.parked} />
          </Panel>
        )}
        {wrong.length === 0 ? null : (
          <Panel title="Went wrong in the last 24 hours" count={counts.wrong}>
            <Pressing wrong={wrong} total={counts.wrong} />
          </Panel>
        )}
        {parked.length > 0 || wrong.length > 0 ? null : (
          <p class="quiet-line good">
            <span aria-hidden="true">✓</span> Nothing went wrong in the last 24 hours.
          </p>
        )}
        <Panel title="Running" count={counts.running}>
          {running.length === 0 ? (
            <p class="faint">Nothing runs.</p>
          ) : (
            <Going runs={running} total={counts.running} now={now} />
          )}
        </Panel>
        {waiting.length === 0 ? null : (
          <Panel title="Waiting" count={counts.waiting}>
            <Going runs={waiting} total={counts.waiting} now={now} />
          </Panel>
        )}
      </div>
      <Panel title="Next" name="due">
        <Next fires={next} now={now} total={counts.next} />
      </Panel>
      <Panel title="Lately" name="lately">
        {recent.length === 0 ? (
          <p class="faint">Nothing has ended in the last 24 hours.</p>
        ) : (
          <Briefs runs={recent} total={recent.length} />
        )}
      </Panel>
    </div>
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

interface ListProps {
  readonly runs: readonly RunBrief[];
  readonly total: number;
}

function Briefs({ runs, total }: ListProps) {
  return (
    <div class="briefs">
      <Bounded items={runs} most={shown} total={total}>
        {(some) => <Runs runs={some} none="" />}
      </Bounded>
    </div>
  );
}

/** What is not over yet: how long it has been going, or been due, is more with each second. */
function Going({ runs, total, now }: ListProps & { readonly now: Iso }) {
  const instant = useNow(now);
  return (
    <Bounded items={runs} most={shown} total={total}>
      {(some) => (
        <ul class="running">
          {some.map((run) => (
            <UnderWay key={run.id} run={run} now={instant} />
          ))}
        </ul>
      )}
    </Bounded>
  );
}

function UnderWay({ run, now }: { readonly run: RunBrief; readonly now: number }) {
  const { id, jobId, state, fireTime, startedAt, why } = run;
  const dueFor = spanText(now - Date.parse(fireTime));
  return (
    <li>
      <div>
        <a href={runRoute(id)}>
          <State of={state} />
        </a>{' '}
        <a href={jobRoute(jobId)}>{jobId}</a>
        <small>
          due <Moment at={fireTime} />
          {why === '' ? null : `, ${why}`}
        </small>
      </div>
      <span class="number">{startedAt === null ? `due ${dueFor} ago` : `for ${tookText(run)}`}</span>
      <Progress run={run} />
    </li>
  );
}

/** One parked run is one decision, whatever else its job did. */
function toDecide(run: RunBrief): Wrong {
  return { run, count: 1, isMore: false, isOver: false };
}

function Pressing({ wrong, total }: { readonly wrong: readonly Wrong[]; readonly total: number }) {
  return (
    <Bounded items={wrong} most={shown} total={total}>
      {(some) => (
        <table class="wrong">
          <Headings of={['State', 'Job', 'Due', 'What to press']} />
          <tbody>
            {some.map((one) => (
              <WrongRow key={one.run.id} {...one} />
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
          <small>succeeded since</small>
        ) : (
          <a class="press" href={runRoute(run.id)}>
            {pressText(run)}
          </a>
        )}
      </td>
    </tr>
  );
}

function pressText({ state }: RunBrief): string {
  if (state === 'parked') return 'Decide';
  return state === 'failed' ? 'See why' : 'Make it up';
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
            <li key={`${jobId} ${at}`} class={paused ? 'faint' : ''}>
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
