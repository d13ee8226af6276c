import type { Pointed } from './use-chart.ts';
import { foundText, lineText } from './words.ts';

const room = 16;

/** What the pointer is on, in words, beside it. */
export function Tip({ pointed }: { pointed: Pointed | null }) {
  if (pointed === null) return null;
  const { on, x, y } = pointed;
  const across = x > innerWidth / 2 ? { right: `${innerWidth - x + room}px` } : { left: `${x + room}px` };
  const down = y > innerHeight / 2 ? { bottom: `${innerHeight - y + room}px` } : { top: `${y + room}px` };
  return (
    <div class="timeline-tip" role="tooltip" style={{ ...across, ...down }}>
      {'jobId' in on ? foundText(on) : lineText(on)}
    </div>
  );
}
