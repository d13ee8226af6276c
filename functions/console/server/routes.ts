import { jobAnswer } from '../api/job.ts';
import { jobsAnswer } from '../api/jobs.ts';
import { ledgerAnswer } from '../api/ledger.ts';
import { nowAnswer } from '../api/now.ts';
import { poolAnswer } from '../api/pool.ts';
import { poolsAnswer } from '../api/pools.ts';
import { runAnswer } from '../api/run.ts';
import { timelineAnswer } from '../api/timeline.ts';
import { AskedWrongly, type View } from '../api/view.ts';

/** What `GET` answers under a path, if anything. Ids are one part of the path, or with their slashes as they are. */
export function viewAt(view: View, { pathname, searchParams }: URL): Promise<unknown> | undefined {
  const [, api, name = '', ...rest] = pathname.split('/');
  if (api !== 'api') return undefined;
  const id = rest.map(decoded).join('/');
  if (id === '')
    switch (name) {
      case 'now':
        return nowAnswer(view);
      case 'jobs':
        return jobsAnswer(view);
      case 'pools':
        return poolsAnswer(view);
      case 'timeline':
        return timelineAnswer(view, searchParams);
      case 'ledger':
        return ledgerAnswer(view, searchParams);
      default:
        return undefined;
    }
  switch (name) {
    case 'jobs':
      return jobAnswer(view, id);
    case 'runs':
      return runAnswer(view, id);
    case 'pools':
      return poolAnswer(view, id, searchParams);
    default:
      return undefined;
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new AskedWrongly('the path is not encoded as it should be');
  }
}
