export { mayHaveDays, nextDayOf, openDaysOf } from './agenda.ts';
export {
  auditOfDay,
  type ClosedDay,
  type ClosedRun,
  closedRunOf,
  type DayVerdict,
  judgeDay,
} from './closed-day.ts';
export {
  type DayFence,
  type DayLedger,
  type DayRecord,
  type DayRef,
  type Reopening,
  reopening,
} from './day-ledger.ts';
export { dayOf, lastOf } from './utc-day.ts';
