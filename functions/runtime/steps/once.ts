import type { StepRecord } from '../../domain/steps.ts';
import type { OnceOptions, Verified } from '../../job.ts';
import type { StepScope } from './scope.ts';

/**
 * A step that is never done twice: its intent is on record before its work, and its result after it. An intent of an earlier
 * attempt without a result is for `verify` to look into, or for a person.
 */
export async function once<T>(
  name: string,
  work: () => T | Promise<T>,
  { options, signal, scope }: { options: OnceOptions<T>; signal: AbortSignal; scope: StepScope },
): Promise<T> {
  const call = scope.begin(name, 'once', signal);
  const { standing, known } = await scope.memo.of(name);
  if (known?.state === 'done') return known.result as T;
  const done = async (result: T, replaces: StepRecord | null) => {
    const { value } = scope.kept(result, call);
    await scope.write({ step: scope.record(name, 'once', { result: value }), replaces });
    return value;
  };
  if (known !== null) {
    const verified = await verify(name, options, scope);
    if (verified.done) return done(verified.result, standing);
  }
  const begun = scope.record(name, 'once', {
    state: 'begun',
    ...(options.verify !== undefined && { verifies: true }),
  });
  await scope.write({ step: begun, replaces: standing });
  return done(await work(), begun);
}

async function verify<T>(
  name: string,
  { verify: look }: OnceOptions<T>,
  scope: StepScope,
): Promise<Verified<T>> {
  if (look === undefined) throw scope.doubt(name);
  const verified = await look();
  scope.ports.log.info('a step of an earlier attempt was verified', { step: name, done: verified.done });
  return verified;
}
