import { excessOf, type PoolChange } from '../../domain/changes/index.ts';
import { either, type Sentence } from './plan-sentence.ts';
import { counted, named } from './text.ts';

const mostNamed = 4;

/** What becomes of a pool. */
export function poolSentences(pool: PoolChange): Sentence[] {
  const { from, to, held = 0, waiting = 0, takers } = pool;
  const jobs = Object.entries(takers).map(([id, weight]) => `${id} takes ${weight}`);
  const taken = jobs.length === 0 ? 'no job takes of it' : named(jobs, mostNamed);
  if (from === undefined) return [{ text: `${taken}` }];
  if (to === undefined)
    return [
      {
        text: `it is not declared any more: nothing takes of it${held > 0 ? `, and runs give back the ${held} that they hold` : ''}`,
      },
    ];
  const excess = excessOf(pool);
  const line = waiting > 0 ? `; ${counted(waiting, 'run')} ${either(waiting, 'waits', 'wait')} for it` : '';
  if (excess > 0)
    return [
      {
        text: `runs hold ${held} now, ${excess} more than there will be: nothing is admitted to it until they have given back ${excess}${line}`,
        look: 'pool-over',
      },
      { text: taken },
    ];
  return [{ text: `runs hold ${held} now${line}; ${taken}` }];
}
