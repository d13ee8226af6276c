/** What a day-of-month field asks for; a day fits when any part fits. */
export interface DayOfMonth {
  readonly days: readonly number[];
  /** Days counted back from the end of the month: `L` is 0, `L-3` is 3. */
  readonly fromLast: readonly number[];
  /** `15W`: the working day (Monday to Friday) nearest to the 15th in the same month. */
  readonly nearest: readonly number[];
  /** `LW`: the last working day. */
  readonly lastWorkingDay: boolean;
}

/** What a day-of-week field asks for, Sunday being 0; a day fits when any part fits. */
export interface DayOfWeek {
  readonly days: readonly number[];
  /** `5#2`: the second Friday. */
  readonly nth: readonly { readonly weekday: number; readonly n: number }[];
  /** `5L`: the last Friday. */
  readonly last: readonly number[];
}

/** A cron expression of either dialect, read. All lists ascend and hold no value twice. */
export interface CronFields {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly dayOfMonth: DayOfMonth;
  readonly months: readonly number[];
  readonly dayOfWeek: DayOfWeek;
  /** null: every year. */
  readonly years: readonly number[] | null;
  /** Unix: neither day field begins with `*`, so that a day need fit only one of the two. */
  readonly eitherDay: boolean;
  /** The hour field begins with `*`: the schedule follows elapsed time, not fixed times on the wall. */
  readonly followsElapsedTime: boolean;
}
