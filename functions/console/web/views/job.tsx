import type { JobAnswer, NextFire } from '../../data.ts';
import { Bounded } from '../parts/bounded.tsx';
import { Moment } from '../parts/moment.tsx';
import { Panel } from '../parts/panel.tsx';
import { Runs } from '../parts/runs.tsx';
import { spanText } from '../parts/texts.ts';
import { Backfill } from './backfill-progress.tsx';
import './detail.css';
import { JobActs } from './job-acts.tsx';
import { JobDays } from './job-days.tsx';
import { JobTrend } from './job-trend.tsx';

/** Of its recent runs so many are shown at first. */
const shown = 10;

/** A job: when it is due, how it went, and what a person can do about it. */
export function JobView({ answer }: { readonly answer: JobAnswer }) {
  const { id, isDeployed, description, schedule, timezone, policies, next, recent, backfill } = answer;
  return (
    <>
      <h1>{id}</h1>
      <p class="lead">{description}</p>
      <p class="lead faint">
        {schedule === '' ? '' : `${schedule}, `}
        {timezone}
      </p>
      <Paused {...answer} />
      {isDeployed ? <JobActs answer={answer} /> : null}
      {backfill === null ? null : <Backfill id={id} timezone={timezone} backfill={backfill} />}
      <div class="columns">
        <div>
          <Panel title={daysTitle(answer)}>
            <JobDays days={answer.days} />
          </Panel>
          <Panel title="How long it takes">
            <JobTrend {...answer} />
          </Panel>
          <Panel title="Recent runs">
            <Bounded items={recent} most={shown}>
              {(some) => <Runs runs={some} none="It has not run yet." withoutJob timezone={timezone} />}
            </Bounded>
          </Panel>
        </div>
        <div>
          <Panel title="Next fires">
            <NextFires fires={next} />
          </Panel>
          {policies.length === 0 ? null : (
            <Panel title="What it does when">
              <Policies policies={policies} />
            </Panel>
          )}
        </div>
      </div>
    </>
  );
}

function daysTitle({ days }: JobAnswer): string {
  return days.length === 0 ? 'Its last days' : `Its last ${days.length} days`;
}

function Policies({ policies }: Pick<JobAnswer, 'policies'>) {
  return (
    <table class="facts">
      <tbody>
        {policies.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Paused({ paused, timezone }: JobAnswer) {
  if (paused === null) return null;
  const { at, by, note, until } = paused;
  return (
    <p class="paused">
      <b>‖ Paused</b> since <Moment at={at} timezone={timezone} /> by {by}
      {note === '' ? '' : `: ${note}`}; until{' '}
      {until === null ? 'a person resumes it' : <Moment at={until} timezone={timezone} />}
    </p>
  );
}

function NextFires({ fires }: { readonly fires: readonly NextFire[] }) {
  if (fires.length === 0) return <p class="faint">It is not due any more.</p>;
  return (
    <table>
      <tbody>
        {fires.map(({ at, local, paused }) => (
          <tr key={at}>
            <td>
              <time dateTime={at} title={at}>
                {local}
              </time>
              {paused ? <small>paused: it will be skipped</small> : null}
            </td>
            <td class="number">in {spanText(Date.parse(at) - Date.now())}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
