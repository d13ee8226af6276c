import type { PoolsAnswer } from '../../data.ts';
import { counted } from '../parts/texts.ts';
import { poolRoute } from '../router.ts';
import './jobs.css';

/** Every shared capacity, as it stands. */
export function PoolsView({ answer: { pools } }: { readonly answer: PoolsAnswer }) {
  return (
    <>
      <h1>Pools</h1>
      {pools.length === 0 ? (
        <section class="panel teaching" aria-labelledby="no-pools">
          <h2 id="no-pools">There is no pool yet</h2>
          <p>
            A pool is a capacity that jobs share, such as a database’s IO: who finds too little of it left
            waits, and runs when it is free. It is declared in <code>functions/pools.ts</code>, and jobs take
            of it by their option <code>pools</code>.
          </p>
        </section>
      ) : (
        <ul class="lines panel">
          {pools.map(({ name, description, capacity, free, holders, waiting, jobs }) => (
            <li key={name}>
              <div class="name">
                <a href={poolRoute(name)}>{name}</a>
                <small>{description}</small>
              </div>
              <div class="when">
                <meter
                  min={0}
                  max={capacity}
                  value={Math.max(0, capacity - free)}
                  aria-label={`held of ${name}`}
                />{' '}
                {capacity - free} of {capacity} held
                <small>{holders === 0 ? 'by nobody' : `by ${counted(holders, 'run')}`}</small>
              </div>
              <div class="went">
                {waiting === 0 ? (
                  <span class="faint">nobody waits</span>
                ) : (
                  <span class="state waiting">{counted(waiting, 'run')} wait</span>
                )}
                <small>{counted(jobs, 'job')} take of it</small>
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
