import { session } from './session.ts';
import type { Changes } from './use-changes.ts';

/** Why what is shown may not be how things are, and what to do. */
export function Banner({ trouble, renewal }: Pick<Changes, 'trouble' | 'renewal'>) {
  switch (trouble?.kind) {
    case 'unreachable':
      return (
        <p class="banner bad" role="alert">
          <strong>The console does not answer:</strong> what is shown is of before. Start it again with{' '}
          <code>{session().command}</code>; this page goes on by itself.
        </p>
      );
    case 'no ledger':
      return (
        <p class="banner bad" role="alert">
          <strong>What is shown is of before:</strong> {trouble.error}. The console asks it again and again
          {session().stage === null ? '' : ', with the AWS credentials that it was started with'}.
        </p>
      );
    case 'untold':
      return (
        <p class="banner warn" role="status">
          <strong>The console doesn’t tell this page of changes:</strong> too many pages may be open. It looks
          for itself now and then.
        </p>
      );
  }
  return renewal.kind === 'newer page' ? (
    <p class="banner warn" role="status">
      <strong>The console was started anew, with a newer page.</strong> <Reload />
    </p>
  ) : null;
}

/** Instead of the view: what was on it is not of the ledger that is there now. */
export function AnotherLedger({ place }: { readonly place: string }) {
  return (
    <>
      <h1>Another ledger</h1>
      <p role="alert">
        At this address there is the console of {place} now. This page was that of {session().place}.{' '}
        <Reload />
      </p>
    </>
  );
}

function Reload() {
  return (
    <button type="button" onClick={() => location.reload()}>
      Load the page again
    </button>
  );
}
