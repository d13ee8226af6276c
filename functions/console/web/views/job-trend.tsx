import type { JobAnswer } from '../../data.ts';
import { spanText } from '../parts/texts.ts';
import { runRoute } from '../router.ts';

const [width, height, margin] = [560, 120, 8];

/** How long its successes took, oldest first, against the usual. */
export function JobTrend({ durations, medianMs, p95Ms }: JobAnswer) {
  if (durations.length === 0 || medianMs === null || p95Ms === null)
    return <p class="faint">It has not succeeded yet.</p>;
  const longest = Math.max(p95Ms, ...durations.map(({ ms }) => ms), 1);
  const y = (ms: number) => height - margin - (ms / longest) * (height - 2 * margin);
  const x = (index: number) => margin + (index / Math.max(1, durations.length - 1)) * (width - 2 * margin);
  return (
    <>
      <p class="faint">
        Half take up to {spanText(medianMs)}, 95 % up to {spanText(p95Ms)}.
      </p>
      <svg class="trend" viewBox={`0 0 ${width} ${height}`}>
        <title>how long its successes took</title>
        {[...new Set([medianMs, p95Ms])].map((ms) => (
          <line key={ms} x1="0" x2={width} y1={y(ms)} y2={y(ms)} />
        ))}
        {durations.map(({ id, fireTime, ms }, index) => (
          <a key={id} href={runRoute(id)} aria-label={`${fireTime}: ${spanText(ms)}`}>
            <circle cx={x(index)} cy={y(ms)} r="3">
              <title>{`${fireTime}: ${spanText(ms)}`}</title>
            </circle>
          </a>
        ))}
      </svg>
    </>
  );
}
