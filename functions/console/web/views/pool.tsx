import type { PoolAnswer } from '../../data.ts';
import { Moment } from '../parts/moment.tsx';
import { spanText } from '../parts/texts.ts';
import { jobRoute, runRoute } from '../router.ts';

/** Who has a pool, who waits for it, and who used what of it. */
export function PoolView({ answer }: { readonly answer: PoolAnswer }) {
  const { name, capacity, free, holders, waiters, used } = answer;
  return (
    <>
      <h1>{name}</h1>
      <p>
        <meter min={0} max={capacity} value={Math.max(0, capacity - free)} aria-label="held" />{' '}
        {capacity - free} of {capacity} held
      </p>
      <h2>Held by</h2>
      {holders.length === 0 ? <p class="faint">Nobody.</p> : null}
      <table>
        <tbody>
          {holders.map(({ run, weight, since }) => (
            <tr key={run.id}>
              <td>
                <a href={runRoute(run.id)}>{run.id}</a>
              </td>
              <td class="number">{weight}</td>
              <td>
                since <Moment at={since} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>Waiting for it</h2>
      {waiters.length === 0 ? <p class="faint">Nobody.</p> : null}
      <table>
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
                since <Moment at={since} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>Used by</h2>
      <table>
        <tbody>
          {used.map(({ jobId, heldMs, amounts }) => (
            <tr key={jobId}>
              <td>
                <a href={jobRoute(jobId)}>{jobId}</a>
              </td>
              <td class="number">{spanText(heldMs)}</td>
              <td>
                {amounts.map(([unit, amount]) => `${amount.toLocaleString('en-US')} ${unit}`).join(', ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
