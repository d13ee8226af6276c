import type { Health, NextFire, NowAnswer } from '../../data.ts';
import { Runs } from '../parts/runs.tsx';
import { spanText } from '../parts/texts.ts';
import { jobRoute } from '../router.ts';

const symbols = { good: '✓', warn: '!', bad: '✗' } as const;

/** What ran, what didn't, why, and where to press. */
export function NowView({ answer }: { readonly answer: NowAnswer }) {
  const { health, parked, running, waiting, recent, next, jobs } = answer;
  const troubled = recent.filter(({ state }) => state === 'failed' || state === 'missed');
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
          No job is known yet. Write one in <code>functions/jobs/</code> and run <code>npm start</code>.
        </p>
      ) : null}
      <div class="columns">
        <div>
          {parked.length === 0 ? null : (
            <>
              <h2>A person must decide</h2>
              <Runs runs={parked} none="" />
            </>
          )}
          <h2>Running</h2>
          <Runs runs={running} none="Nothing runs." />
          {waiting.length === 0 ? null : (
            <>
              <h2>Waiting</h2>
              <Runs runs={waiting} none="" />
            </>
          )}
          <h2>Went wrong lately</h2>
          <Runs runs={troubled} none="Nothing did." />
          <h2>Recent</h2>
          <Runs runs={recent} none="Nothing has run yet. The first alarm or sweep makes a record." />
        </div>
        <div>
          <h2>Next</h2>
          <Next fires={next} now={Date.parse(answer.now)} />
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
      <p>{route === null ? value : <a href={route}>{value}</a>}</p>
      <p class="faint">{detail}</p>
    </li>
  );
}

export function Next({ fires, now }: { readonly fires: readonly NextFire[]; readonly now: number }) {
  if (fires.length === 0) return <p class="faint">Nothing is due any more.</p>;
  return (
    <table>
      <tbody>
        {fires.map(({ jobId, at, local, paused }) => (
          <tr key={`${jobId} ${at}`}>
            <td>
              <a href={jobRoute(jobId)}>{jobId}</a>
              {paused ? <small>paused: it will be skipped</small> : null}
            </td>
            <td>
              <time dateTime={at}>{local}</time>
            </td>
            <td class="number">in {spanText(Date.parse(at) - now)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
