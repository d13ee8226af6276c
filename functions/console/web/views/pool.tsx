import type { PoolAnswer } from '../../data.ts';
import { Moment } from '../parts/moment.tsx';
import { State } from '../parts/state.tsx';
import { spanText } from '../parts/texts.ts';
import { jobRoute, runRoute } from '../router.ts';
import './detail.css';
import { PoolChart } from './pool-chart.tsx';

/** Who has a pool, who waits for it, and who used what of it. */
export function PoolView({ answer }: { readonly answer: PoolAnswer }) {
  const { name, capacity, free, holders, waiters } = answer;
  return (
    <>
      <h1>
        <span class="faint">Pool</span> {name}
      </h1>
      <p>
        <meter min={0} max={capacity} value={Math.max(0, capacity - free)} aria-label="held" />{' '}
        <b>
          {capacity - free} of {capacity} held
        </b>
        {free < 0 ? ', more than it has: its capacity was lowered' : ''}
      </p>
      <h2>Held over the last day</h2>
      <PoolChart use={answer.use} />
      <div class="columns">
        <div>
          <h2>Waiting for it</h2>
          {waiters.length === 0 ? <p class="faint">Nobody.</p> : <Waiters waiters={waiters} />}
        </div>
        <div>
          <h2>Held by</h2>
          {holders.length === 0 ? <p class="faint">Nobody.</p> : <Holders holders={holders} />}
        </div>
      </div>
      <Used {...answer} />
    </>
  );
}

function Waiters({ waiters }: Pick<PoolAnswer, 'waiters'>) {
  return (
    <div class="scrolls">
      <table>
        <thead>
          <tr>
            <th scope="col">Turn</th>
            <th scope="col">Run</th>
            <th scope="col">Needs</th>
            <th scope="col">Since</th>
          </tr>
        </thead>
        <tbody>
          {waiters.map(({ run, weight, since, position, why }) => (
            <tr key={run.id}>
              <td class="number">{position}.</td>
              <td>
                <a href={runRoute(run.id)}>{run.id}</a>
                <small>{why}</small>
              </td>
              <td class="number">{weight}</td>
              <td>
                <Moment at={since} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Holders({ holders }: Pick<PoolAnswer, 'holders'>) {
  return (
    <div class="scrolls">
      <table>
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">Holds</th>
            <th scope="col">Since</th>
          </tr>
        </thead>
        <tbody>
          {holders.map(({ run, weight, since }) => (
            <tr key={run.id}>
              <td>
                <a href={runRoute(run.id)}>{run.id}</a>
                <small>
                  <State of={run.state} />
                </small>
              </td>
              <td class="number">{weight}</td>
              <td>
                <Moment at={since} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Used({ used, capacity, use }: PoolAnswer) {
  if (used.length === 0) return null;
  const total = used.reduce((sum, { heldMs }) => sum + heldMs, 0);
  return (
    <>
      <h2>Who used it</h2>
      <div class="scrolls">
        <table>
          <thead>
            <tr>
              <th scope="col">Job</th>
              <th scope="col">Held, times its weight</th>
              <th scope="col">Part</th>
              <th scope="col">Metered</th>
            </tr>
          </thead>
          <tbody>
            {used.map(({ jobId, heldMs, amounts }) => (
              <tr key={jobId}>
                <td>
                  <a href={jobRoute(jobId)}>{jobId}</a>
                </td>
                <td class="number">{heldMs === 0 ? '–' : spanText(heldMs)}</td>
                <td>
                  {total === 0 ? null : (
                    <progress
                      value={heldMs}
                      max={total}
                      aria-label={`part of all that was held of ${use.pool}`}
                    />
                  )}
                </td>
                <td>
                  {amounts.map(([unit, amount]) => `${amount.toLocaleString('en-US')} ${unit}`).join(', ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="faint">
        Of {capacity}, one unit held for an hour counts one hour; what is metered was declared by its jobs.
      </p>
    </>
  );
}
