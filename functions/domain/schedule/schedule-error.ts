/** A schedule that can't be read, or that no clock could follow. `problems` holds every mistake, one sentence each. */
export class ScheduleError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ScheduleError';
    this.problems = problems;
  }
}
