import { excessOf, type PoolChange, type Waits } from '../../domain/changes/index.ts';
import { either, mostNamed, type Sentence, type Told } from './plan-sentence.ts';
import { counted, named } from './text.ts';
import { spanText } from './times.ts';

/** What becomes of a pool. */
export function poolSentences(pool: PoolChange, told: Told): Sentence[] {
  const { from, to, held = 0, takers } = pool;
  const jobs = Object.entries(takers).map(([id, weight]) => `${id} takes ${weight}`);
  const taken = { text: jobs.length === 0 ? 'no job takes of it' : named(jobs, mostNamed) };
  if (from === undefined) return [taken];
  if (to === undefined) {
    const left = held > 0 ? `, and runs give back the ${held} that they hold` : '';
    return [{ text: `it is not declared any more: nothing takes of it${left}` }];
  }
  return [holdsSentence(pool), ...waitsSentences(pool, told), taken];
}

function holdsSentence(pool: PoolChange): Sentence {
  const { held, waiting = 0 } = pool;
  if (held === undefined) return { text: 'what runs hold of it now is not known' };
  const line = waiting > 0 ? `; ${counted(waiting, 'run')} ${either(waiting, 'waits', 'wait')} for it` : '';
  const excess = excessOf(pool);
  if (excess === 0) return { text: `runs hold ${held} of it now${line}` };
  const text = `runs hold ${held} now, ${excess} more than there will be: nothing is admitted to it until they have given back ${excess}${line}`;
  return { text, look: 'pool-over' };
}

function waitsSentences({ waits }: PoolChange, { days }: Told): Sentence[] {
  if (waits === undefined) return [];
  const { before, after, guessed } = waits;
  const guess =
    guessed.length === 0 ? '' : ` (a guess: no success is recorded of ${named(guessed, mostNamed)})`;
  const range = counted(days, 'day');
  if (before.runs === 0 && after.runs === 0)
    return [{ text: `no run is foreseen to wait for it in ${range}${guess}` }];
  return [{ text: `foreseen in ${range}: ${waitText(after)}; as deployed: ${waitText(before)}${guess}` }];
}

function waitText({ runs, longestMs }: Waits): string {
  if (runs === 0) return 'no run waits for it';
  return `${counted(runs, 'run')} ${either(runs, 'waits', 'wait')} for it, up to ${spanText(longestMs)}`;
}
