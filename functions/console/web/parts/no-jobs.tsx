/** Instead of jobs, while the ledger knows of none. */
export function NoJobs() {
  return (
    <section class="panel teaching" aria-labelledby="no-jobs">
      <h2 id="no-jobs">No job is known yet</h2>
      <ol>
        <li>
          Write one, with its schedule, in a file of <code>functions/jobs/</code>.
        </li>
        <li>
          Run <code>npm start</code> on this machine, or <code>npx cdk deploy --all</code> for a stage.
        </li>
        <li>The reconciler’s first sweep makes it known, and it is shown here by itself.</li>
      </ol>
    </section>
  );
}
