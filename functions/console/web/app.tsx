import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { JobAnswer, LedgerAnswer, NowAnswer, PoolAnswer, RunAnswer, TimelineAnswer } from '../data.ts';
import { get } from './api.ts';
import { type Route, useRoute } from './router.ts';
import { ThemeToggle } from './theme-toggle.tsx';
import { TimelineView } from './timeline.tsx';
import { useAnswer } from './use-answer.ts';
import { useChanges } from './use-changes.ts';
import { JobView } from './views/job.tsx';
import { LedgerView } from './views/ledger.tsx';
import { NowView } from './views/now.tsx';
import { PoolView } from './views/pool.tsx';
import { RunView } from './views/run.tsx';

const places = [
  { view: 'now', key: 'n', name: 'Now' },
  { view: 'timeline', key: 't', name: 'Timeline' },
  { view: 'ledger', key: 'l', name: 'Ledger' },
] as const;

const loadTimeline = (path: string) => get<TimelineAnswer>(path);

export function App() {
  const route = useRoute();
  const { changes, isLost } = useChanges();
  useEffect(() => goByKeys(), []);
  useEffect(() => {
    document.title = `${route.id || route.view} · fireledger`;
  }, [route.id, route.view]);
  return (
    <>
      <header>
        <strong>fireledger</strong>
        <nav aria-label="Views">
          {places.map(({ view, name, key }) => (
            <a
              key={view}
              href={`#/${view}`}
              title={`g, then ${key}`}
              {...(route.view === view && { 'aria-current': 'page' as const })}
            >
              {name}
            </a>
          ))}
        </nav>
        <ThemeToggle />
      </header>
      <main>
        {isLost ? (
          <p class="problem" role="alert">
            The ledger can't be reached: what is shown is of before.
          </p>
        ) : null}
        <View route={route} changes={changes} />
      </main>
    </>
  );
}

function View({
  route: { view, id },
  changes,
}: {
  readonly route: Route;
  readonly changes: number;
}): JSX.Element {
  const path = encodeURIComponent(id);
  switch (view) {
    case 'now':
      return (
        <Shown path="/api/now" changes={changes} view={(answer: NowAnswer) => <NowView answer={answer} />} />
      );
    case 'timeline':
      return <TimelineView load={loadTimeline} changes={changes} />;
    case 'jobs':
      return (
        <Shown
          path={`/api/jobs/${path}`}
          changes={changes}
          view={(answer: JobAnswer) => <JobView key={answer.id} answer={answer} />}
        />
      );
    case 'runs':
      return (
        <Shown
          path={`/api/runs/${path}`}
          changes={changes}
          view={(answer: RunAnswer) => <RunView key={answer.run.id} answer={answer} />}
        />
      );
    case 'pools':
      return (
        <Shown
          path={`/api/pools/${path}`}
          changes={changes}
          view={(answer: PoolAnswer) => <PoolView answer={answer} />}
        />
      );
    case 'ledger':
      return (
        <Shown
          path="/api/ledger"
          changes={changes}
          view={(answer: LedgerAnswer) => <LedgerView answer={answer} />}
        />
      );
    default:
      return (
        <p>
          There is no such page. <a href="#/now">Now</a> tells how things stand.
        </p>
      );
  }
}

interface ShownProps<Answer> {
  readonly path: string;
  readonly changes: number;
  readonly view: (answer: Answer) => ComponentChildren;
}

function Shown<Answer>({ path, changes, view }: ShownProps<Answer>): JSX.Element {
  const { answer, problem } = useAnswer<Answer>(path, changes);
  return (
    <>
      {problem === null ? null : (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {answer === null ? problem === null && <p class="faint">…</p> : view(answer)}
    </>
  );
}

/** g, then the first letter of a view. */
function goByKeys(): () => void {
  let isGoing = false;
  const pressed = ({ key, target }: KeyboardEvent) => {
    if (target instanceof HTMLElement && target.matches('input, select, textarea')) return;
    const place = isGoing ? places.find((one) => one.key === key) : undefined;
    isGoing = key === 'g';
    if (place !== undefined) location.hash = `#/${place.view}`;
  };
  addEventListener('keydown', pressed);
  return () => removeEventListener('keydown', pressed);
}
