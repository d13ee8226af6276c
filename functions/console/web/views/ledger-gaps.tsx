import { Bounded } from '../parts/bounded.tsx';
import { counted } from '../parts/texts.ts';
import { jobRoute } from '../router.ts';
import { session } from '../session.ts';

const shownJobs = 20;
const shownFires = 12;

/** The fires that have no record, by job, and what to do about them. */
export function LedgerGaps({ missing }: { readonly missing: readonly string[] }) {
  return (
    <section class="panel gaps" aria-labelledby="gaps">
      <h2 id="gaps">Without a record</h2>
      <p>
        The reconciler writes down what was missed as soon as it can: see the last sweep on{' '}
        <a href="#/now">Now</a>, or <code>{`npm run -s fl -- doctor ${session().options}`.trim()}</code>. To
        have them run, make them up on the job’s page, or with the command.
      </p>
      <Bounded items={[...byJob(missing)]} most={shownJobs}>
        {(some) => (
          <ul>
            {some.map(([jobId, fires]) => (
              <Gap key={jobId} jobId={jobId} fires={fires} />
            ))}
          </ul>
        )}
      </Bounded>
    </section>
  );
}

function Gap({ jobId, fires }: { readonly jobId: string; readonly fires: readonly string[] }) {
  const more = fires.length - shownFires;
  return (
    <li>
      <a href={jobRoute(jobId)}>{jobId}</a> <b class="problem">{counted(fires.length, 'fire')}</b>
      <small>
        {fires.slice(0, shownFires).join(', ')}
        {more > 0 ? ` and ${counted(more, 'other')}: the export has them all` : ''}
      </small>
      <code class="command">{commandFor(jobId, fires)}</code>
    </li>
  );
}

function commandFor(jobId: string, fires: readonly string[]): string {
  const range = `--from ${fires[0]} --to ${fires.at(-1)}`;
  return `npm run -s fl -- backfill ${jobId} ${range} --only missed ${session().options}`.trim();
}

/** Fires oldest first. */
function byJob(missing: readonly string[]): Map<string, string[]> {
  const jobs = new Map<string, string[]>();
  for (const id of [...missing].sort()) {
    const cut = id.lastIndexOf('#');
    const jobId = id.slice(0, cut);
    jobs.set(jobId, [...(jobs.get(jobId) ?? []), id.slice(cut + 1)]);
  }
  return jobs;
}
