import Table from 'cli-table3';
import { benchAdmission } from './admission.ts';
import { benchBill } from './bill.ts';
import { benchClaim } from './claim.ts';
import { benchDeploy } from './deploy.ts';
import type { BenchRow } from './row.ts';
import { benchSchedule } from './schedule.ts';
import { benchSteps } from './steps.ts';

/** `npm run bench -- [name] --json`: benchmarks with their peers in the same run. Progress goes to stderr. */
const benches: Readonly<Record<string, () => BenchRow[] | Promise<BenchRow[]>>> = {
  admission: benchAdmission,
  bill: benchBill,
  claim: benchClaim,
  deploy: benchDeploy,
  schedule: benchSchedule,
  steps: benchSteps,
};
const jsonFields = ['name', 'metric', 'ours', 'peer', 'peerName', 'ratio'];

async function main(args: readonly string[]): Promise<number> {
  const json = args.includes('--json');
  const names = args.filter((arg) => arg !== '--json');
  const unknown = names.find((name) => !(name in benches));
  if (unknown !== undefined) {
    process.stderr.write(
      `There is no benchmark "${unknown}"; there are: ${Object.keys(benches).join(', ')}.\n`,
    );
    return 2;
  }
  const rows: BenchRow[] = [];
  for (const [name, bench] of Object.entries(benches)) {
    if (names.length > 0 && !names.includes(name)) continue;
    process.stderr.write(`${name} …\n`);
    rows.push(...(await bench()));
  }
  process.stdout.write(`${json ? JSON.stringify(rows, jsonFields) : asTable(rows)}\n`);
  return 0;
}

function asTable(rows: readonly BenchRow[]): string {
  const table = new Table({ head: ['bench', 'metric', 'ours', 'peer', 'peer is', 'ours / peer', 'target'] });
  for (const { name, metric, ours, peer, peerName, ratio, target } of rows)
    table.push([name, metric, ours, peer, peerName, ratio, target === undefined ? '' : `≤ ${target}`]);
  return table.toString();
}

process.exitCode = await main(process.argv.slice(2));
