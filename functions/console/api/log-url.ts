import type { OpenLedger } from '../../cli/open-ledger.ts';
import { functionName, logGroupName } from '../../domain/names.ts';
import { stackOf } from '../../domain/placement.ts';
import type { Attempt } from '../../domain/run.ts';
import { minute } from '../../domain/time.ts';

interface Where extends NonNullable<OpenLedger['deployed']> {
  readonly stage: string;
  readonly jobId: string;
  readonly now: number;
}

/** Lines are stamped by another clock, and the last of them come after the settle. */
const marginMs = minute;

/** An attempt's lines in the console of CloudWatch Logs: those of its function about its time that name its request. */
export function logUrlOf(
  { requestId, startedAt, settledAt }: Attempt,
  { stage, region, jobStacks, jobId, now }: Where,
): string {
  const group = logGroupName(functionName(stage, jobId, stackOf(jobId, jobStacks)));
  const search = {
    filterPattern: `"${requestId}"`,
    start: startedAt - marginMs,
    end: (settledAt ?? now) + marginMs,
  };
  const query = Object.entries(search).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const events = inFragment(`?${query.join('&')}`);
  const home = `https://${hostOf(region)}/cloudwatch/home?region=${encodeURIComponent(region)}`;
  return `${home}#logsV2:log-groups/log-group/${inFragment(encodeURIComponent(group))}/log-events${events}`;
}

/** That console encodes what is in its fragment once more, with $ for %. */
function inFragment(text: string): string {
  return encodeURIComponent(text).replaceAll('%', '$');
}

function hostOf(region: string): string {
  if (region.startsWith('cn-')) return 'console.amazonaws.cn';
  return region.startsWith('us-gov-') ? 'console.amazonaws-us-gov.com' : 'console.aws.amazon.com';
}
