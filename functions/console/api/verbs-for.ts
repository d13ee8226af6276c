import { runAgain } from '../../domain/again.ts';
import { cancelRun } from '../../domain/cancel.ts';
import type { Run } from '../../domain/run.ts';
import type { RunAnswer } from '../data.ts';

/**
 * What a person may do to a run as it stands; the domain says so, and says it again when it is done. Of a job that was removed
 * nothing is there to run once more.
 */
export function verbsFor(
  run: Run,
  { isDeployed, now }: { readonly isDeployed: boolean; readonly now: number },
): RunAnswer['can'] {
  const asked = { at: now, by: '', reason: 'operator' } as const;
  const canCancel = cancelRun(run, asked, { state: null, token: '' }).kind !== 'refused';
  const wish = { haste: 'retry', keepsSteps: true, requested: { at: now, by: '' }, token: '' } as const;
  const canRetry = isDeployed && runAgain(run, wish).kind === 'write';
  return [
    ...(canCancel ? (['cancel'] as const) : []),
    ...(canRetry ? (['retry'] as const) : []),
    ...(run.state === 'parked' ? (['release-rerun', 'release-resume', 'release-fail'] as const) : []),
    ...(run.state === 'parked' && run.uncertain !== undefined ? (['say-step'] as const) : []),
  ];
}
