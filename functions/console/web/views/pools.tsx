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
        <NoPools />
      ) : (
        <ul class="lines panel">
          {pools.map((pool) => (
            <Line key={pool.name} {...pool} />
          ))}
        </ul>
      )}
    </>
  );
}

function NoPools() {
  return (
    <section class="panel teaching" aria-labelledby="no-pools">
      <h2 id="no-pools">There is no pool yet</h2>
      <p>
        A pool is a capacity that jobs share, such as a database’s IO: who finds too little of it left waits,
        and runs when it is free. It is declared in <code>functions/pools.ts</code>, and jobs take of it by
        their option <code>pools</code>.
      </p>
    </section>
  );
}

function Line({ name, description, capacity, free, holders, waiting, jobs }: PoolsAnswer['pools'][number]) {
  const held = capacity - free;
  return (
    <li>
      <div class="name">
        <a href={poolRoute(name)}>{name}</a>
        <small>{description}</small>
      </div>
      <div class="when">
        <meter min={0} max={capacity} value={held} aria-label={`held of ${name}`} /> {held} of {capacity} held
        <small>{holders === 0 ? 'by nobody' : `by ${counted(holders, 'run')}`}</small>
      </div>
      <div class="went">
        {waiting === 0 ? (
          <span class="faint">nobody waits</span>
        ) : (
          <span class="state waiting">{does(waiting, 'run', 'wait')}</span>
        )}
        <small>{does(jobs, 'job', 'take')} of it</small>
      </div>
    </li>
  );
}

/** `1 run waits`, `2 runs wait`. */
function does(count: number, noun: string, verb: string): string {
  return `${counted(count, noun)} ${verb}${count === 1 ? 's' : ''}`;
}
