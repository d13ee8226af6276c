import type { Run } from '../../domain/run.ts';
import type { StepRecord } from '../../domain/steps.ts';
import { toIso } from '../../domain/time.ts';
import type { Look } from './look.ts';
import { tableText } from './table.ts';
import { counted, oneLine } from './text.ts';
import { preciseText } from './times.ts';

/** So many are told, the newest of them; a map may have very many batches. */
const mostShown = 50;

/** What is on record of a run's steps, oldest first; empty: nothing is. */
export function stepsText(
  run: Pick<Run, 'state'>,
  steps: readonly StepRecord[],
  { timezone, look }: { timezone: string; look: Look },
): string {
  if (steps.length === 0) return '';
  const rows = inOrder(steps)
    .slice(-mostShown)
    .map((step) => ({
      cells: [oneLine(step.name), step.kind, stateText(step, run), preciseText(step.at, timezone)],
    }));
  const more = steps.length - rows.length;
  const table = tableText(['STEP', 'KIND', 'STATE', 'AT'], rows, { look, wraps: ['STATE'] });
  return more > 0
    ? `${table}\n${look.colors.dim(`and ${counted(more, 'step')} before (--json has all)`)}`
    : table;
}

/** While the run is alive, one that was begun is being done. */
function stateText({ state, verifies }: StepRecord, run: Pick<Run, 'state'>): string {
  if (state === 'not-done') return 'not done, as a person said';
  if (state !== 'begun' || run.state === 'running') return state;
  return verifies
    ? 'begun; its code finds out whether it was done'
    : 'begun; nobody knows whether it was done';
}

/** For scripts: oldest first. */
export function stepsJson(steps: readonly StepRecord[]): readonly Readonly<Record<string, unknown>>[] {
  return inOrder(steps).map(({ at, token: _token, ...step }) => ({ ...step, at: toIso(at) }));
}

function inOrder(steps: readonly StepRecord[]): StepRecord[] {
  return [...steps].sort((a, b) => a.at - b.at);
}
