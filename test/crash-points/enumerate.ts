import { type Circumstances, type Played, play, type Scene } from './play.ts';
import type { Point, Strike, Thaw } from './strikes.ts';

export type Circumstance = () => Promise<Circumstances>;

/** Where a world was struck, and what broke. */
export interface Broken {
  readonly plan: string;
  readonly what: readonly string[];
}

/** What was tried of a scene. */
export interface Tried {
  /** How many points the undisturbed run has. */
  readonly points: number;
  readonly worlds: number;
  readonly broken: readonly Broken[];
}

interface Trial {
  /** Of the undisturbed run. */
  readonly points: readonly Point[];
  /** Plays what a plan says. */
  readonly strike: (...plan: readonly Strike[]) => Promise<Played>;
}

export type Enumeration = (trial: Trial) => AsyncGenerator<Played>;

/** One fault at each point. */
export async function* singles({ points, strike }: Trial): AsyncGenerator<Played> {
  for (const [at, { kind }] of points.entries()) {
    yield await strike({ at, kind: 'dies' });
    if (kind === 'answer') yield await strike({ at, kind: 'loses-answer' });
    if (kind === 'request') yield await strike({ at, kind: 'straggles' });
  }
}

/** A death at each point, and another one at each point of those that go on. */
export async function* pairs({ points, strike }: Trial): AsyncGenerator<Played> {
  for (const at of points.keys()) {
    const { passed } = await strike({ at, kind: 'dies' });
    for (const second of passed[1]?.keys() ?? [])
      yield await strike({ at, kind: 'dies' }, { at: second, kind: 'dies' });
  }
}

/** A freeze at each point, that thaws as soon as it was taken over, and when all is over. */
export async function* zombies({ points, strike }: Trial): AsyncGenerator<Played> {
  for (const at of points.keys())
    for (const thaws of ['taken-over', 'at-rest'] as const)
      yield await strike({ at, kind: 'freezes', thaws });
}

/** A freeze at each point, that thaws at each point of those that go on. */
export async function* zombiesAmidst({ points, strike }: Trial): AsyncGenerator<Played> {
  for (const at of points.keys()) {
    const freeze = (thaws: Thaw) => strike({ at, kind: 'freezes', thaws });
    const { passed } = await freeze('at-rest');
    for (const thaws of passed[1]?.keys() ?? []) yield await freeze(thaws);
  }
}

/** Plays all that the enumerations say of a scene. `enough`: so many broken worlds end it. */
export async function enumerate(
  scene: Scene,
  enumerations: readonly Enumeration[],
  { circumstance = async () => ({}), enough = 5 }: { circumstance?: Circumstance; enough?: number } = {},
): Promise<Tried> {
  const { rest: undisturbed, passed, broken: atOnce } = await play(scene, [], await circumstance());
  const [points = []] = passed;
  const broken: Broken[] = atOnce.length > 0 ? [{ plan: 'nothing struck', what: atOnce }] : [];
  let worlds = 1;
  const strike = async (...plan: readonly Strike[]) => {
    const played = await play(scene, plan, { ...(await circumstance()), undisturbed });
    worlds += 1;
    if (played.broken.length > 0) broken.push({ plan: told(plan, played), what: played.broken });
    return played;
  };
  for (const enumeration of enumerations)
    for await (const _ of enumeration({ points, strike }))
      if (broken.length >= enough) return { points: points.length, worlds, broken };
  return { points: points.length, worlds, broken };
}

/** `dies at 7 (commit, answered), freezes at 3 (…) until at-rest` */
function told(plan: readonly Strike[], { passed }: Played): string {
  const one = (strike: Strike, index: number) => {
    const { what = 'nothing' } = passed[index]?.[strike.at] ?? {};
    const until = strike.kind === 'freezes' ? ` until ${strike.thaws}` : '';
    return `${strike.kind} at ${strike.at} (${what})${until}`;
  };
  return plan.map(one).join(', then ');
}
