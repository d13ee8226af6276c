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

export function State({ of }: { readonly of: RunState }) {
  return (
    <span class={`state ${of}`}>
      <span aria-hidden="true">{stateSymbols[of]}</span> {of}
    </span>
  );
}
