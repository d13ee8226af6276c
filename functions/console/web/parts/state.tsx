import type { RunState } from '../../../domain/run.ts';

/** Told apart without colours, too. */
export const stateSymbols: Readonly<Record<RunState, string>> = {
  succeeded: '✓',
  failed: '✗',
  missed: '○',
  canceled: '⊘',
  skipped: '–',
  running: '▶',
  offered: '▷',
  waiting: '…',
  retrying: '↻',
  parked: '‖',
};

interface StateProps {
  readonly of: RunState;
  /** Of how many runs. @default none: of one */
  readonly count?: number;
}

export function State({ of, count }: StateProps) {
  return (
    <span class={`state ${of}`}>
      <span aria-hidden="true">{stateSymbols[of]}</span> {count?.toLocaleString('en-US')}
      {count === undefined ? '' : ' '}
      {of}
    </span>
  );
}
