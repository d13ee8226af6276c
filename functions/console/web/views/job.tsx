import type { JobAnswer } from '../../data.ts';
import { Moment } from '../parts/moment.tsx';
import { Runs } from '../parts/runs.tsx';
import { JobActs } from './job-acts.tsx';
import { JobDays } from './job-days.tsx';
import { JobTrend } from './job-trend.tsx';
import { Next } from './now.tsx';

/** A job: when it is due, how it went, and what a person can do about it. */
export function JobView({ answer }: { readonly answer: JobAnswer }) {
  const { id, description, schedule, timezone, paused, policies, next, recent } = answer;
  return (
    <>
      <h1>{id}</h1>
      <p>{description}</p>
      <p class="faint">
        {schedule}, {timezone}
      </p>
      {paused === null ? null : (
        <p>
          <b>Paused</b> since <Moment at={paused.at} /> by {paused.by}
          {paused.note === '' ? '' : `: ${paused.note}`}
          {paused.until === null ? null : (
            <>
              , until <Moment at={paused.until} />
            </>
          )}
        </p>
      )}
      <JobActs {...answer} />
      <div class="columns">
        <div>
          <h2>Its last days</h2>
          <JobDays days={answer.days} />
          <h2>How long it takes</h2>
          <JobTrend {...answer} />
          <h2>Recent runs</h2>
          <Runs runs={recent} none="It has not run yet." withoutJob />
        </div>
        <div>
          <h2>Next</h2>
          <Next fires={next} now={Date.now()} />
          <h2>What if</h2>
          <table>
            <tbody>
              {policies.map(([name, value]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{value}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </>
  );
}
