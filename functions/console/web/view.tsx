import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type {
  JobAnswer,
  JobsAnswer,
  LedgerAnswer,
  NowAnswer,
  PoolAnswer,
  PoolsAnswer,
  RunAnswer,
  TimelineAnswer,
} from '../data.ts';
import { get } from './api.ts';
import { Moment } from './parts/moment.tsx';
import type { Route } from './router.ts';
import { TimelineView } from './timeline.tsx';
import { useAnswer } from './use-answer.ts';
import { JobView } from './views/job.tsx';
import { JobsView } from './views/jobs.tsx';
import { LedgerView } from './views/ledger.tsx';
import { NowView } from './views/now.tsx';
import { PoolView } from './views/pool.tsx';
import { PoolsView } from './views/pools.tsx';
import { RunView } from './views/run.tsx';

const loadTimeline = (path: string) => get<TimelineAnswer>(path);

interface ViewProps {
  readonly route: Route;
  readonly changes: number;
  /** A banner tells already that nobody answers, or that the ledger can't be read. */
  readonly isCutOff: boolean;
}

/** What a route shows. */
export function View({ route: { view, id, query }, ...asked }: ViewProps): JSX.Element {
  const one = `/${encodeURIComponent(id)}`;
  switch (id === '' ? view : `${view}/`) {
    case 'now':
      return <Shown {...asked} path="/api/now" view={(answer: NowAnswer) => <NowView answer={answer} />} />;
    case 'timeline':
      return <TimelineView load={loadTimeline} changes={asked.changes} query={query} />;
    case 'jobs':
      return (
        <Shown {...asked} path="/api/jobs" view={(answer: JobsAnswer) => <JobsView answer={answer} />} />
      );
    case 'jobs/':
      return (
        <Shown
          {...asked}
          path={`/api/jobs${one}`}
          view={(answer: JobAnswer) => <JobView key={answer.id} answer={answer} />}
        />
      );
    case 'runs/':
      return (
        <Shown
          {...asked}
          path={`/api/runs${one}`}
          view={(answer: RunAnswer) => <RunView key={answer.run.id} answer={answer} />}
        />
      );
    case 'pools':
      return (
        <Shown {...asked} path="/api/pools" view={(answer: PoolsAnswer) => <PoolsView answer={answer} />} />
      );
    case 'pools/':
      return (
        <Shown
          {...asked}
          path={`/api/pools${one}`}
          view={(answer: PoolAnswer) => <PoolView answer={answer} />}
        />
      );
    case 'ledger':
      return (
        <OnDemand key={query}>
          {(times) => (
            <Shown
              {...asked}
              changes={times}
              path={`/api/ledger${query === '' ? '' : `?${query}`}`}
              view={(answer: LedgerAnswer) => <LedgerView answer={answer} />}
            />
          )}
        </OnDemand>
      );
    default:
      return <NoSuchPage />;
  }
}

function NoSuchPage() {
  return (
    <>
      <h1>No such page</h1>
      <p>
        <a href="#/now">Now</a> tells how things stand.
      </p>
    </>
  );
}

/** An audit costs too many reads to be made again with each change. */
function OnDemand({ children }: { readonly children: (times: number) => ComponentChildren }) {
  const [asked, ask] = useState({ times: 0, at: new Date() });
  return (
    <>
      {children(asked.times)}
      <p class="faint">
        Looked at <Moment at={asked.at.toISOString()} />.{' '}
        <button type="button" class="quiet" onClick={() => ask({ times: asked.times + 1, at: new Date() })}>
          Look again
        </button>
      </p>
    </>
  );
}

interface ShownProps<Answer> extends Omit<ViewProps, 'route'> {
  readonly path: string;
  readonly view: (answer: Answer) => ComponentChildren;
}

function Shown<Answer>({ path, changes, isCutOff, view }: ShownProps<Answer>): JSX.Element {
  const { answer, problem, isOfAll } = useAnswer<Answer>(path, changes);
  const isToldAlready = isOfAll && isCutOff;
  return (
    <>
      {problem === null || isToldAlready ? null : (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {answer === null ? (
        <Unanswered why={problem === null ? 'waiting' : isToldAlready ? 'cut off' : 'refused'} />
      ) : (
        view(answer)
      )}
    </>
  );
}

/** In place of a view that has no answer yet, or none at all. */
function Unanswered({ why }: { readonly why: 'waiting' | 'cut off' | 'refused' }) {
  switch (why) {
    case 'waiting':
      return (
        <>
          <h1 class="hidden">Loading</h1>
          <p class="faint">…</p>
        </>
      );
    case 'cut off':
      return (
        <>
          <h1>Nothing is shown yet</h1>
          <p>It will be, as soon as there is an answer.</p>
        </>
      );
    case 'refused':
      return (
        <>
          <h1>This can’t be shown</h1>
          <p>
            <a href="#/now">Now</a> tells how things stand, and <a href="#/jobs">Jobs</a> what there is.
          </p>
        </>
      );
  }
}
