import type { Weights } from '../../domain/pools.ts';
import type { Wait } from '../../domain/run.ts';
import { oneLine } from './text.ts';

/** `reports-db (2)` */
export function weightsText(weights: Weights): string {
  return Object.entries(weights)
    .map(([pool, weight]) => `${oneLine(pool)} (${weight})`)
    .join(', ');
}

/** What is waited for. */
export function wantedText({ reason, pools = {} }: Pick<Wait, 'reason' | 'pools'>): string {
  if (reason === 'slot') return 'the slot of its job';
  return reason === 'pool' ? weightsText(pools) || 'its pools' : 'its turn to be made up';
}
