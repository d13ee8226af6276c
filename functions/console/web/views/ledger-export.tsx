import type { LedgerAnswer } from '../../data.ts';
import { type Cell, csvOf } from '../csv.ts';
import { save } from '../save.ts';
import { session } from '../session.ts';

/** The audit as files. */
export function LedgerExport({ answer }: { readonly answer: LedgerAnswer }) {
  const { jobs, missing, actions } = answer;
  return (
    <p class="exports">
      <span class="faint">Save</span>
      <button
        type="button"
        class="quiet"
        onClick={() =>
          save(fileName(answer, 'audit.json'), 'application/json', JSON.stringify(answer, null, 2))
        }
      >
        all as JSON
      </button>
      <Csv name="jobs" rows={jobRows(jobs)} answer={answer} />
      <Csv name="missing" rows={missingRows(missing)} answer={answer} />
      <Csv name="actions" rows={actionRows(actions)} answer={answer} />
    </p>
  );
}

interface CsvProps {
  readonly name: string;
  readonly rows: readonly (readonly Cell[])[];
  readonly answer: LedgerAnswer;
}

function Csv({ name, rows, answer }: CsvProps) {
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => save(fileName(answer, `${name}.csv`), 'text/csv', csvOf(rows))}
    >
      {name} as CSV
    </button>
  );
}

function jobRows(jobs: LedgerAnswer['jobs']): Cell[][] {
  const states = Object.keys(jobs[0]?.states ?? {});
  const rows = jobs.map(({ id, expected, recorded, missing, doubleRuns, states: counts }) => [
    ...[id, expected, recorded, missing, doubleRuns],
    ...Object.values(counts),
  ]);
  return [['job', 'expected', 'recorded', 'missing', 'doubleRuns', ...states], ...rows];
}

function missingRows(missing: readonly string[]): Cell[][] {
  const rows = missing.map((id) => {
    const cut = id.lastIndexOf('#');
    return [id.slice(0, cut), id.slice(cut + 1)];
  });
  return [['job', 'fireTime'], ...rows];
}

function actionRows(actions: LedgerAnswer['actions']): Cell[][] {
  const rows = actions.map(({ at, by, verb, target, note }) => [at, by, verb, target, note ?? '']);
  return [['at', 'by', 'verb', 'target', 'note'], ...rows];
}

/** `fireledger-prod-2026-11-24-to-2026-12-01-jobs.csv` */
function fileName({ from, to }: LedgerAnswer, ending: string): string {
  return ['fireledger', session().stage ?? 'local', from.slice(0, 10), 'to', to.slice(0, 10), ending].join(
    '-',
  );
}
