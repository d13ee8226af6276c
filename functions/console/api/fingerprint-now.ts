import { everyOpenRef } from '../../cli/runs-around.ts';
import { fingerprint } from '../../domain/fingerprint.ts';
import { neverNeedsAttention, waitingBand } from '../../domain/run.ts';
import { manifestOf, type View } from './view.ts';

const mostOpen = 1_000;

/** Another one whenever anything that the page shows has changed: a few reads, however many runs there are. */
export async function fingerprintNow({ place, now }: View): Promise<string> {
  const { ledger } = place;
  const manifest = await manifestOf(ledger);
  const [standing, states, open, newest] = await Promise.all([
    place.reconciler(),
    ledger.jobs(manifest.jobs.map(({ id }) => id)),
    everyOpenRef(ledger, mostOpen),
    newestAction(ledger, now),
  ]);
  // Those that run tell how far they are.
  const active = open.filter(
    ({ attentionAt }) => attentionAt < waitingBand.from && attentionAt !== neverNeedsAttention,
  );
  const runs = await ledger.runs(active, () => undefined);
  const progress = runs.map(({ token, state, progress: far, cancelRequested }) => [
    ...[token, state, far?.at, cancelRequested?.at],
  ]);
  const seen = [standing?.sweptAt, standing?.gapSince, [...states.values()], open, newest, progress];
  return fingerprint(JSON.stringify(seen));
}

/** Skipped and missed fires leave no other trace than the sweep's. */
async function newestAction(ledger: View['place']['ledger'], now: number): Promise<number | null> {
  for await (const { at } of ledger.actions({ from: 0, to: now, limit: 1 })) return at;
  return null;
}
