import Table from 'cli-table3';
import { benchClaim } from './claim.ts';
import type { BenchRow } from './row.ts';

/** `npm run bench -- [name] --json`: benchmarks with their peers in the same run. */
const benches: Readonly<Record<string, () => Promise<BenchRow[]>>> = { claim: benchClaim };

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
  for (const [name, bench] of Object.entries(benches))
    if (names.length === 0 || names.includes(name)) rows.push(...(await bench()));
  process.stdout.write(`${json ? JSON.stringify(rows) : asTable(rows)}\n`);
  return 0;
}

function asTable(rows: readonly BenchRow[]): string {
  const table = new Table({ head: ['bench', 'metric', 'ours', 'peer', 'peer is', 'ours / peer'] });
  for (const { name, metric, ours, peer, peerName, ratio } of rows)
    table.push([name, metric, ours, peer, peerName, ratio]);
  return table.toString();
}

process.exitCode = await main(process.argv.slice(2));
