import { stages } from '../../functions/config.ts';
import { stage } from './counted-stage.ts';
import type { Measured } from './measure.ts';
import { assumed, monthHours, monthMinutes, prices } from './prices.ts';
import type { Standing } from './standing.ts';
import { type Cost, costOf, total } from './usage.ts';

const million = 1e6;
const example = { jobs: 200, everyMinutes: 5, seconds: 1, memoryMb: 256 };

/** The section of README that is written by what is measured. */
export const heading = '### In dollars';

export function costsText(measured: Measured): string {
  const parts = [
    wrapped(intro),
    firesTable(measured),
    wrapped(ofFires),
    monthTable(measured),
    wrapped(exampleText(measured)),
    wrapped(howCounted),
  ];
  return `${parts.join('\n\n')}\n`;
}

const intro = `Measured and compared by
  [a test](test/costs/costs.test.ts "the README tells the costs that are measured"), priced by
  [a list](test/costs/prices.ts) of ${prices.region} as of ${prices.asOf}, without what AWS gives for free; \`npm run costs\` writes
  this section. The work of the jobs themselves is not in it.`;

function firesTable({ fires }: Measured): string {
  const rows = [...fires].map(([name, usage]) => {
    const cost = costOf(usage);
    const counts = [usage.requests, usage.writeUnits, usage.readUnits, usage.invocations].map(amount);
    const parts = [cost.units, cost.storage, cost.lambda, otherThan(cost), total(cost)];
    return [name, ...counts, ...parts.map((part) => dollars(part * million))];
  });
  const of = ['requests', 'write units', 'read units', 'invocations'];
  const paid = ['$ units', '$ storage', '$ Lambda', '$ other', '$ per million'];
  return table(['', ...of, ...paid], rows);
}

function otherThan({ alarms, queue, metrics, logs }: Cost): number {
  return alarms + queue + metrics + logs;
}

const ofFires = `Requests and units are DynamoDB's, of the job's function and of the reconciler together, dollars those of a
  million; what a sweep does anyway is in the next table. Storage is that of the record for its
  ${stages[stage].retentionDays} days, backups included. Other are EventBridge Scheduler, the control queue, logs, and for each
  sweep that isn't the minute's a report to CloudWatch, $${dollars(prices.cloudWatch.putMetricData * million)} of it. The wait is
  one of 10 seconds, and the pause before the second attempt is one of 20 at most.`;

/** A month of stages, part by part. */
function monthTable({ minutes, standing }: Measured): string {
  const costs = [...minutes.values()].map(costOf);
  const row = (name: string, of: (cost: Cost) => number) => [
    name,
    ...costs.map((cost) => dollars(of(cost) * monthMinutes)),
  ];
  const rows = [
    row("the minute's sweep: units", ({ units }) => units),
    row(
      "the minute's sweep: Lambda, its alarm, its log, its report",
      (cost) => cost.lambda + otherThan(cost) - cost.queue,
    ),
    row('Lambda asks the control queue', ({ queue }) => queue),
    ...fixedParts(standing).map(([name, price]) => [name, ...costs.map(() => dollars(price))]),
    ['together', ...costs.map((cost) => dollars(monthOf(cost, standing)))],
  ];
  const heads = [...minutes.keys()].map((jobs) => (jobs === 1 ? '1 job' : `${count(jobs)} jobs`));
  return table(['$ a month in which nothing is due', ...heads], rows);
}

/** What a month costs that is the same for any number of jobs. */
function fixedParts({ metrics, alerts, alertMetrics, dashboards, keys }: Standing): [string, number][] {
  const { metricMonth, alarmMetricMonth, dashboardMonth } = prices.cloudWatch;
  return [
    [`${metrics} metrics, if all are sent`, metrics * metricMonth],
    [`${alerts} alerts on ${alertMetrics} metrics`, alertMetrics * alarmMetricMonth],
    ['the dashboard', dashboards * dashboardMonth],
    ["the topic's key", keys * prices.kms.keyMonth],
  ];
}

function monthOf(minute: Cost, standing: Standing): number {
  return fixedParts(standing).reduce((sum, [, price]) => sum + price, total(minute) * monthMinutes);
}

function exampleText({ fires, minutes, standing }: Measured): string {
  const { jobs, everyMinutes, seconds, memoryMb } = example;
  const [fire, minute] = [fires.get('a fire'), minutes.get(jobs)];
  if (fire === undefined || minute === undefined) throw new Error('the example was not measured');
  const runs = jobs * (monthMinutes / everyMinutes);
  const cost = costOf(fire);
  const stands = monthOf(costOf(minute), standing);
  const of = (part: number) => `$${dollars(part * runs)}`;
  const gbSeconds = (runs * seconds * memoryMb) / 1_024;
  return `So ${jobs} jobs every ${everyMinutes} minutes, ${count(runs)} fires a month, cost $${dollars(stands + total(cost) * runs)} a month:
    $${dollars(stands)} for the stage, ${of(cost.units)} for units, ${of(cost.storage)} for storage once the first records expire,
    ${of(cost.alarms)} for alarms, ${of(cost.logs)} for logs, ${of(cost.lambda)} for fireledger's time in Lambda. A second of each
    job's own at ${memoryMb} MB would be $${dollars(gbSeconds * prices.lambda.gbSecond)} more.`;
}

const howCounted = `Units are those that dynoxide tells, which counts by DynamoDB's documentation: double in transactions, and
  besides, single, what is written to the index. What was refused tells none, and counts as if it had been written. The bytes
  of logs and records are real. Assumed are a month of ${monthHours} hours, ${assumed.requestMs} ms for each request, one after
  the other, ${assumed.invocationMs} ms more for each invocation and ${assumed.sweptJobMs} ms for each job that a sweep looks
  through, ${assumed.lambdaLinesBytes} bytes of Lambda's own log for an invocation, and ${assumed.pollsPerMinute} looks at the queue
  a minute. None of it was compared with a bill.`;

/** A paragraph in lines of at most so many characters. */
function wrapped(text: string, width = 120): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines.join('\n');
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = heads.map((_, index) => (index === 0 ? '---' : '---:'));
  return [line(heads), line(rule), ...rows.map(line)].join('\n');
}

function dollars(price: number): string {
  return price.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

function amount(of: number): string {
  return of.toLocaleString('en-US', { maximumFractionDigits: 1 });
}

function count(of: number): string {
  return of.toLocaleString('en-US', { maximumFractionDigits: 0 });
}
