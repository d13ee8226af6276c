import { cron, problems } from '../../../functions/domain/schedule/index.ts';
import { countSteps } from '../../support/steps.ts';

/** What reading any text may cost, whatever its length. */
const ANY_TEXT = 50;

/**
 * The most steps of the engine that a batch of texts cost for each of their characters: counted, not timed. Steps of code that
 * V8 has optimised before are not counted, so this is for a process of its own.
 */
export async function mostStepsPerCharacter(texts: Iterable<string>, batch: number): Promise<number> {
  const counter = await countSteps('functions/domain/schedule/');
  let [most, read, length] = [0, 0, 0];
  const endBatch = async () => {
    most = Math.max(most, (await counter.take()) / length);
    [read, length] = [0, 0];
  };
  for (const text of texts) {
    problems({ schedules: [cron(text)], timezone: 'UTC' });
    read += 1;
    length += ANY_TEXT + text.length;
    if (read === batch) await endBatch();
  }
  if (read > 0) await endBatch();
  await counter.stop();
  return most;
}
