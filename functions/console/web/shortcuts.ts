import { places } from './places.ts';

/** How long after g the next key is that of a view. */
const patienceMs = 2_000;

/** g and the first letter of a view goes there, / to the filter, ? asks for help. Until it is told to stop. */
export function listenToKeys(help: () => void): () => void {
  let wentAt = Number.NEGATIVE_INFINITY;
  const pressed = (event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey, timeStamp } = event;
    if (ctrlKey || metaKey || altKey || isTyping(target) || document.querySelector('dialog[open]')) return;
    const place = timeStamp - wentAt < patienceMs ? places.find((one) => one.key === key) : undefined;
    wentAt = key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY;
    if (place !== undefined) location.hash = `#/${place.view}`;
    else if (key === '?') help();
    else if (key === '/' && focusFilter()) event.preventDefault();
  };
  addEventListener('keydown', pressed);
  return () => removeEventListener('keydown', pressed);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, select, textarea');
}

/** False: the view has none. */
function focusFilter(): boolean {
  const filter = document.querySelector<HTMLInputElement>('main input[type="search"]');
  filter?.select();
  filter?.focus();
  return filter !== null;
}
