import type { StepOptions } from '../../job.ts';
import { tryAgain } from './again.ts';
import type { StepScope } from './scope.ts';

/** One step: its work, then one request that records its result. One that is known is not done again. */
export async function step<T>(
  name: string,
  work: () => T | Promise<T>,
  { options, signal, scope }: { options: StepOptions; signal: AbortSignal; scope: StepScope },
): Promise<T> {
  const call = scope.begin(name, 'step', signal);
  try {
    const { standing, known } = await scope.known(name);
    if (known !== null) return known.result as T;
    const { value } = scope.kept(await tryAgain(call, work, { options, signal, scope }), call);
    await scope.write({ step: scope.record(name, 'step', { result: value }), replaces: standing });
    return value;
  } catch (error) {
    scope.names.giveBack(name);
    throw error;
  }
}
