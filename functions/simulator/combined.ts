import type { Observer } from './observe.ts';

/** One observer that tells all of them, each of what it wants to know. */
export function combined(observers: readonly Observer[]): Observer {
  return {
    wroteRun: each(observers, 'wroteRun'),
    wroteStep: each(observers, 'wroteStep'),
    wroteJob: each(observers, 'wroteJob'),
    wrotePool: each(observers, 'wrotePool'),
    wroteDay: each(observers, 'wroteDay'),
    bodyBegan: each(observers, 'bodyBegan'),
    bodyEnded: each(observers, 'bodyEnded'),
    atStep: each(observers, 'atStep'),
    wroteItem: each(observers, 'wroteItem'),
    finished: each(observers, 'finished'),
    swept: each(observers, 'swept'),
    handled: each(observers, 'handled'),
    acted: each(observers, 'acted'),
    atRest: async (at, ledger) => {
      for (const observer of observers) await observer.atRest?.(at, ledger);
    },
  };
}

type Told = Exclude<keyof Observer, 'atRest'>;

function each<Name extends Told>(observers: readonly Observer[], name: Name) {
  type Args = Parameters<NonNullable<Observer[Name]>>;
  const told = observers.flatMap((observer) => {
    const tell = observer[name];
    return tell === undefined ? [] : [tell.bind(observer) as (...args: Args) => void];
  });
  return (...args: Args) => {
    for (const tell of told) tell(...args);
  };
}
