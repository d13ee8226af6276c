import type { Simulated } from '../simulate.ts';
import { findingText } from './findings.ts';
import { investigate } from './investigate.ts';
import { summaryJson } from './json.ts';
import type { Machine } from './machine.ts';
import type { SeedsRequest } from './options.ts';
import { deliveriesText, headline, reportText } from './report.ts';
import { type Found, type Summary, sameTwice, summaryOf } from './summary.ts';

/** Simulates seeds, and tells what came of them. Whether nothing was wrong. */
export async function simulateSeeds(request: SeedsRequest, machine: Machine): Promise<boolean> {
  const { days, faults, seeds, json, workers } = request;
  const { say, progress, look, invariants, now } = machine;
  if (!json) say(`${headline(seeds, request)}\n`);
  const startedAt = now();
  const { results, unlike } = await simulateAll(request, machine);
  const summary = withFound(summaryOf(results, { days, faults }), unlike);
  const tookMs = now() - startedAt;
  const findings = await investigate(summary.violations, { request, results, machine });
  progress.clear();
  if (json) say(JSON.stringify(summaryJson(summary, findings)));
  else {
    const texts = findings.map((finding) => findingText(finding, { look, invariants }));
    say(reportText(summary, texts, { look, invariants, tookMs, workers }));
  }
  return summary.violations.length === 0 && summary.dead.length === 0;
}

/** The first seed is simulated twice: what it gives must be the same. */
async function simulateAll(
  { seeds, days, faults }: SeedsRequest,
  { workers, progress, now }: Machine,
): Promise<{ results: Simulated[]; unlike: Found[] }> {
  const cases = seeds.map((seed) => ({ seed, days, faults }));
  const again = cases.slice(0, 1).map((first) => ({ ...first }));
  let [done, deliveries] = [0, 0];
  const since = now();
  const tell = () =>
    progress.tell({ noun: 'seed', done, of: cases.length, note: deliveriesText(deliveries), since });
  tell();
  const all = await workers.all([...cases, ...again], (simulated, one) => {
    if (again.includes(one)) return;
    done += 1;
    deliveries += simulated.deliveries;
    tell();
  });
  const results = all.slice(0, cases.length);
  const [first, second] = [all[0], all[cases.length]];
  return { results, unlike: first && second ? sameTwice(first, second) : [] };
}

function withFound(summary: Summary, found: readonly Found[]): Summary {
  return { ...summary, violations: [...found, ...summary.violations] };
}
