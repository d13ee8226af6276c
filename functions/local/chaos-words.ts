import { counted } from '../cli/render/text.ts';
import { spanText } from '../cli/render/times.ts';
import { second } from '../domain/time.ts';
import { faults } from './chaos.ts';
import type { ChaosReport } from './disturb.ts';
import type { Disturbed } from './disturbed.ts';
import type { CloudEvent } from './events.ts';

type Strike = Extract<CloudEvent, { kind: 'chaos' }>;

const names: Readonly<Record<Disturbed['of'], string>> = {
  alarm: 'delivery',
  offer: 'offer',
  sweep: 'sweep',
  message: 'message to it',
};

/** What chaos just did, such as `chaos: delivery comes 8.5 s late`. */
export function strikeText({ fault, of, ms = 0, count = 0 }: Strike): string {
  const texts: Readonly<Record<Strike['fault'], string>> = {
    drops: `${names[of]} is lost`,
    duplicates: `${names[of]} comes ${counted(count, 'more time')}`,
    delays: `${names[of]} comes ${shortSpan(ms)} late`,
    kills: `its process is killed ${shortSpan(ms)} after its start`,
  };
  return `chaos: ${texts[fault]}`;
}

/** What falls within a second is worth telling apart here: a process begins and claims its fire in it. */
function shortSpan(ms: number): string {
  return ms < second ? `${ms} ms` : spanText(ms);
}

/** What chaos did in all, and how to have it again. */
export function chaosText({ seed, ...counts }: ChaosReport): string {
  const parts = faults.map((fault) => counted(counts[fault], fault.slice(0, -1)));
  return `chaos (seed ${seed}): ${parts.join(', ')}. --chaos ${seed} strikes alike again.`;
}
