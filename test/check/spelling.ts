import type { TextRule } from './text-rules.ts';

/** The words of the project have one spelling each. Only what is certainly wrong stands here. */
export const spelling: readonly TextRule[] = [
  // DynamoDB itself says: Transaction cancelled.
  { pattern: /(?<!Transaction )\b\w*cancell(ed|ing|able)\b/gi, instead: 'write canceled, canceling' },
  { pattern: /\bback[- ]fill\w*|\w*backfil(?!l)\w*/gi, instead: 'write backfill' },
  { pattern: /[Cc]atchup\w*/g, instead: 'write catch-up (catchUp in code)' },
  { pattern: /\btime-out\w*/gi, instead: 'write timeout' },
  { pattern: /\bre-(run|try|tried|tries)\w*/gi, instead: 'write rerun, retry' },
  { pattern: /\b[Ff]ire_?time\b|\bFiretime\b/g, instead: 'write fireTime' },
  { pattern: /\bjob_id\b|\bjob(id|ID)\b/g, instead: 'write jobId' },
  { pattern: /\bcron jobs?\b|\bscheduled tasks?\b/gi, instead: 'write job' },
  { pattern: /\bCloudWatch alarms?\b/gi, instead: "write alert: an alarm is EventBridge Scheduler's" },
];
