/*
 * Errors of steps. Each carries a plain mark, so that it is recognised whichever copy of this module made it.
 */

/** Another attempt owns the run by now: what this one still does counts for nothing, and its steps are recorded no more. */
export class FenceError extends Error {
  override readonly name = 'FenceError';
  readonly fireledger = 'fenced';

  constructor() {
    super('its run was taken over: what this attempt still does counts for nothing');
  }
}

/** Nobody knows whether this step of an earlier attempt was done. The run is parked for a person, unless the step can be verified. */
export class UncertainStep extends Error {
  override readonly name = 'UncertainStep';
  readonly fireledger = 'uncertain-step';
  readonly step: string;

  constructor(step: string) {
    super(
      `ctx.once(${quoted(step)}): an earlier attempt began it, and nobody knows whether it was done; ` +
        'look, then say so with fl release and --done or --not-done, or give the step a verify that can find out',
    );
    this.step = step;
  }
}

/** Conditions of the author's own writes did not hold: nothing of the commit was written. */
export class CommitRefused extends Error {
  override readonly name = 'CommitRefused';
  readonly fireledger = 'commit-refused';
  /** The places, from 0, of the writes whose conditions failed. */
  readonly failed: readonly number[];

  constructor(step: string, failed: readonly number[]) {
    const which = failed.map((index) => `writes[${index}]`).join(', ');
    super(`ctx.commit(${quoted(step)}): nothing was written, since the condition of ${which} does not hold`);
    this.failed = failed;
  }
}

/** A step that can't be: its name, its result, its writes, or when it was called. `message` says what is allowed. */
export class StepError extends Error {
  override readonly name = 'StepError';
  readonly fireledger = 'step';
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
