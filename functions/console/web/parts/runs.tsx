import type { RunBrief } from '../../data.ts';
import { jobRoute, runRoute } from '../router.ts';
import { Headings } from './headings.tsx';
import { Moment } from './moment.tsx';
import { State } from './state.tsx';
import './runs.css';
import { spanText } from './texts.ts';

interface RunsProps {
  readonly runs: readonly RunBrief[];
  /** Said when there is none. */
  readonly none: string;
  readonly withoutJob?: boolean;
  /** In which its times are told; those of whoever looks, unless it is given. */
  readonly timezone?: string;
}

export function Runs({ runs, none, withoutJob = false, timezone }: RunsProps) {
  if (runs.length === 0) return <p class="faint">{none}</p>;
  return (
    <table class="stacks">
      <Headings of={['State', ...(withoutJob ? [] : ['Job']), 'Due', 'Took']} />
      <tbody>
        {runs.map((run) => (
          <tr key={run.id}>
            <td class="first">
              <a href={runRoute(run.id)}>
                <State of={run.state} />
              </a>
              <Progress run={run} />
            </td>
            {withoutJob ? null : (
              <td class="wide">
                <a href={jobRoute(run.jobId)}>{run.jobId}</a>
                {run.why === '' ? null : <small>{run.why}</small>}
              </td>
            )}
            <td>
              <Moment at={run.fireTime} {...(timezone !== undefined && { timezone })} />
              {withoutJob && run.why !== '' ? <small>{run.why}</small> : null}
            </td>
            <td class="number took">{tookText(run)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** How far a run says that it is. */
export function Progress({ run: { progress } }: { readonly run: Pick<RunBrief, 'progress'> }) {
  if (progress === null) return null;
  const { done, total, note } = progress;
  const text = `${done}${total === null ? '' : ` of ${total}`}${note === null ? '' : ` ${note}`}`;
  return (
    <small>
      {total === null ? null : <progress value={done} max={total} aria-label="how far it is" />} {text}
    </small>
  );
}

/** How long it took, or has been under way by now; one that is parked isn't. */
export function tookText({
  startedAt,
  state,
  tookMs,
}: Pick<RunBrief, 'startedAt' | 'state' | 'tookMs'>): string {
  if (tookMs !== null) return spanText(tookMs);
  return startedAt === null || state === 'parked' ? '' : spanText(Date.now() - Date.parse(startedAt));
}
