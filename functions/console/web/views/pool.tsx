import type { PoolAnswer } from '../../data.ts';
import { Headings } from '../parts/headings.tsx';
import { Moment } from '../parts/moment.tsx';
import { Panel } from '../parts/panel.tsx';
import { State } from '../parts/state.tsx';
import { spanText } from '../parts/texts.ts';
import { jobRoute, runRoute } from '../router.ts';
import './detail.css';
import { PoolChart } from './pool-chart.tsx';

/** Who has a pool, who waits for it, and who used what of it. */
export function PoolView({ answer }: { readonly answer: PoolAnswer }) {
  const { name, description, capacity, free, holders, waiters } = answer;
  return (
    <>
      <h1>
        <span class="faint">Pool</span> {name}
      </h1>
      <p class="lead">{description}</p>
      <p class="lead">
        <meter min={0} max={capacity} value={Math.max(0, capacity - free)} aria-label="held" />{' '}
        <b>
          {capacity - free} of {capacity} held
        </b>
        {free < 0 ? ', more than it has: its capacity was lowered' : ''}
      </p>
      <Panel title={`Held over ${rangeText(answer)}`}>
        <PoolChart {...answer} />
      </Panel>
      <div class="columns">
        <Panel title="Waiting for it" count={waiters.length}>
          {waiters.length === 0 ? <p class="faint">Nobody does.</p> : <Waiters waiters={waiters} />}
        </Panel>
        <Panel title="Held by" count={holders.length}>
          {holders.length === 0 ? <p class="faint">Nobody.</p> : <Holders holders={holders} />}
        </Panel>
      </div>
      <Used {...answer} />
    </>
  );
}

function rangeText({ from, to }: PoolAnswer): string {
  const ms = Date.parse(to) - Date.parse(from);
  return ms === 86_400_000 ? 'the last day' : spanText(ms);
}

function Waiters({ waiters }: Pick<PoolAnswer, 'waiters'>) {
  return (
    <table class="stacks">
      <Headings of={['Turn', 'Run', 'Needs', 'Since']} />
      <tbody>
        {waiters.map(({ run, weight, since, position, why }) => (
          <tr key={run.id}>
            <td class="number">{position}.</td>
            <td class="wide">
              <a href={runRoute(run.id)}>{run.id}</a>
              <small>{why}</small>
            </td>
            <td class="number" data-label="units">
              {weight}
            </td>
            <td data-label="since">
              <Moment at={since} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Holders({ holders }: Pick<PoolAnswer, 'holders'>) {
  return (
    <table class="stacks">
      <Headings of={['Run', 'Holds', 'Since']} />
      <tbody>
        {holders.map(({ run, weight, since }) => (
          <tr key={run.id}>
            <td class="wide first">
              <a href={runRoute(run.id)}>{run.id}</a>
              <small>
                <State of={run.state} />
              </small>
            </td>
            <td class="number" data-label="units">
              {weight}
            </td>
            <td data-label="since">
              <Moment at={since} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Used({ used, capacity, use }: PoolAnswer) {
  if (used.length === 0) return null;
  const total = used.reduce((sum, { heldMs }) => sum + heldMs, 0);
  return (
    <Panel title="Who used it">
      <table class="stacks">
        <Headings of={['Job', 'Held', 'Part of it', 'Metered']} />
        <tbody>
          {used.map(({ jobId, heldMs, amounts }) => (
            <tr key={jobId}>
              <td class="wide first">
                <a href={jobRoute(jobId)}>{jobId}</a>
              </td>
              <td class="number">{heldMs === 0 ? '–' : spanText(heldMs)}</td>
              <td>
                {heldMs === 0 ? null : (
                  <progress
                    value={heldMs}
                    max={total}
                    aria-label={`part of all that was held of ${use.pool}`}
                  />
                )}
              </td>
              <td class="number">
                {amounts.map(([unit, amount]) => `${amount.toLocaleString('en-US')} ${unit}`).join(', ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="faint">
        Each of its {capacity} units counts: two that were held for an hour are two hours. What is metered was
        declared by its jobs.
      </p>
    </Panel>
  );
}
