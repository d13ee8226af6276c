import { second } from '../../domain/time.ts';
import type { Random } from '../random.ts';

/** One piece of a fire's work. Times in milliseconds. */
export type Part =
  | { readonly kind: 'pause'; readonly takesMs: number }
  | { readonly kind: 'step'; readonly name: string; readonly takesMs: number; readonly retries: number }
  | { readonly kind: 'once'; readonly name: string; readonly takesMs: number; readonly hasVerify: boolean }
  | {
      readonly kind: 'map';
      readonly name: string;
      /** Each. */
      readonly takesMs: number;
      readonly items: number;
      readonly batch: number;
      readonly concurrency: number;
    }
  | { readonly kind: 'commit'; readonly name: string; readonly isFinal: boolean };

/** What the code of one fire does, the same in each attempt: attempt by attempt as it goes on, and part by part. */
export type WorkPlan = readonly (readonly Part[])[];

/** The work of a fire, from a stream that the fire alone determines. */
export function drawWork(random: Random): WorkPlan {
  const hops = random.pick([1, 1, 1, 2, 3]);
  const isFinal = random.chance(0.3);
  return Array.from({ length: hops }, (_, hop) => {
    const parts = Array.from({ length: random.whole(1, 3) }, (_, at) => drawPart(`${hop}.${at}`, random));
    const last: Part = { kind: 'commit', name: 'last', isFinal: true };
    return isFinal && hop === hops - 1 ? [...parts, last] : parts;
  });
}

const kinds = ['step', 'step', 'once', 'map', 'commit', 'pause'] as const;
const usualMs = [20, 200, second] as const;

function drawPart(at: string, random: Random): Part {
  const kind = random.pick(kinds);
  const takesMs = random.whole(1, random.pick([...usualMs, 9 * second]));
  const name = `${kind} ${at}`;
  switch (kind) {
    case 'pause':
      return { kind, takesMs };
    case 'step':
      return { kind, name, takesMs, retries: random.pick([0, 0, 2]) };
    case 'once':
      return { kind, name, takesMs, hasVerify: random.chance(0.5) };
    case 'map':
      return {
        ...{ kind, name, takesMs: random.whole(1, random.pick(usualMs)) },
        ...{ items: random.whole(2, 12), batch: random.whole(1, 5), concurrency: random.whole(1, 4) },
      };
    case 'commit':
      return { kind, name, isFinal: false };
  }
}
