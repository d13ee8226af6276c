import type { RunBrief } from '../../data.ts';
import { jobRoute, runRoute } from '../router.ts';
import { Moment } from './moment.tsx';
import { State } from './state.tsx';
import { spanText } from './texts.ts';

interface RunsProps {
  readonly runs: readonly RunBrief[];
  /** Said when there is none. */
  readonly none: string;
  readonly withoutJob?: boolean;
}

export function Runs({ runs, none, withoutJob = false }: RunsProps) {
  if (runs.length === 0) return <p class="faint">{none}</p>;
  return (
    <div class="scrolls">
      <table>
        <thead>
          <tr>
            <th>State</th>
            {withoutJob ? null : <th>Job</th>}
            <th>Due</th>
            <th>Took</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <td>
                <a href={runRoute(run.id)}>
                  <State of={run.state} />
                </a>
                <Progress run={run} />
              </td>
              {withoutJob ? null : (
                <td>
                  <a href={jobRoute(run.jobId)}>{run.jobId}</a>
                  {run.why === '' ? null : <small>{run.why}</small>}
                </td>
              )}
              <td>
                <Moment at={run.fireTime} />
                {withoutJob && run.why !== '' ? <small>{run.why}</small> : null}
              </td>
              <td class="number">{tookText(run)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Progress({ run: { progress } }: { readonly run: RunBrief }) {
  if (progress === null) return null;
  const { done, total, note } = progress;
  const text = `${done}${total === null ? '' : ` of ${total}`}${note === null ? '' : ` ${note}`}`;
  return (
    <small>
      {total === null ? null : <progress value={done} max={total} aria-label="how far it is" />} {text}
    </small>
  );
}

/** To its end, or up to now. */
export function tookText({ startedAt, settledAt }: RunBrief): string {
  if (startedAt === null) return '';
  const until = settledAt === null ? Date.now() : Date.parse(settledAt);
  return spanText(until - Date.parse(startedAt));
}
