import type { Run, Trigger } from '../../domain/run.ts';
import { oneLine } from './text.ts';

const asked: Readonly<Record<Trigger, string>> = {
  manual: 'started it by hand',
  backfill: 'asked to have it made up',
  schedule: 'asked to have it run once more',
};

/** Who wanted it to run, and why: `ops started it by hand: a corrected rate`. Empty: nobody did, it was due. */
export function requestedText({ requested, trigger }: Pick<Run, 'requested' | 'trigger'>): string {
  if (requested === undefined) return '';
  const { by, note } = requested;
  return `${oneLine(by)} ${asked[trigger]}${note === undefined ? '' : `: ${oneLine(note)}`}`;
}
