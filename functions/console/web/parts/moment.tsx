import type { Iso } from '../../data.ts';

/** An instant on the wall of who looks; its title is UTC. */
export function Moment({ at }: { readonly at: Iso | null }) {
  if (at === null) return <span class="faint">–</span>;
  const instant = new Date(at);
  const text = instant.toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });
  return (
    <time dateTime={at} title={at}>
      {text.slice(0, 10) === new Date().toLocaleDateString('sv-SE') ? text.slice(11) : text.slice(5)}
    </time>
  );
}
