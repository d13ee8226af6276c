import { useEffect, useRef } from 'preact/hooks';
import { AnotherLedger, Banner } from './banner.tsx';
import { Help } from './help.tsx';
import { type Route, useRoute } from './router.ts';
import { session } from './session.ts';
import { listenToKeys } from './shortcuts.ts';
import { TopBar } from './top-bar.tsx';
import { useChanges } from './use-changes.ts';
import { View } from './view.tsx';
import './shell.css';

/** The page: which ledger, where to go, what is wrong with it, and one view. */
export function App() {
  const route = useRoute();
  const { changes, trouble, renewal } = useChanges();
  const main = useRef<HTMLElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const help = () => dialog.current?.showModal();
  useEffect(() => listenToKeys(help), []);
  useEffect(() => {
    dialog.current?.close();
    document.title = titleOf(route);
    // Who followed a link of the view before goes on at the top of this one.
    if (document.activeElement === document.body) main.current?.focus();
    scrollTo(0, 0);
  }, [route.id, route.view]);
  return (
    <>
      <TopBar view={route.view} help={help} />
      <main ref={main} tabIndex={-1}>
        <Banner trouble={trouble} renewal={renewal} />
        {renewal.kind === 'another ledger' ? (
          <AnotherLedger place={renewal.place} />
        ) : (
          <View
            route={route}
            changes={changes}
            isCutOff={trouble?.kind === 'unreachable' || trouble?.kind === 'no ledger'}
          />
        )}
      </main>
      <Help dialog={dialog} />
    </>
  );
}

function titleOf({ id, view }: Route): string {
  const { stage } = session();
  return [...(stage === null ? [] : [stage.toUpperCase()]), id || view, 'fireledger'].join(' · ');
}
