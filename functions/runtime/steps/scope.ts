import type { LastWrite } from '../../domain/finish.ts';
import type { Run } from '../../domain/run.ts';
import { FenceError, StepError, UncertainStep } from '../../domain/step-errors.ts';
import {
  type StepAnswer,
  type StepKind,
  type StepRecord,
  type StepWrite,
  writtenOrNot,
} from '../../domain/steps.ts';
import { persevere } from '../persevere.ts';
import type { Ports } from '../ports.ts';
import { type Known, Memo } from './memo.ts';
import { StepNames } from './names.ts';
import { type KeptResult, keptResult } from './result.ts';

type StepPorts = Pick<Ports, 'ledger' | 'clock' | 'after' | 'random' | 'log' | 'nudger' | 'secrets'>;

export interface ScopeOf {
  readonly ports: StepPorts;
  /** When the attempt's time is over, and until when a step that is done may still be recorded; epoch milliseconds. */
  readonly deadline: number;
  readonly recordUntil: number;
  /** The run's finish as of now, for a commit that ends it. */
  readonly lastWrite: (result: unknown) => LastWrite;
}

/** What a step's write came to, and what the ledger said. */
export interface Sent {
  readonly came: 'written' | 'fenced' | 'writes-refused';
  readonly answer: StepAnswer;
}

/** What the steps of one attempt share. */
export class StepScope {
  readonly run: Run;
  readonly ports: StepPorts;
  readonly deadline: number;
  readonly lastWrite: ScopeOf['lastWrite'];
  readonly names = new StepNames();
  readonly memo: Memo;
  /** Resolves once the ledger has refused a step, since another attempt owns the run. */
  readonly fenced: Promise<FenceError>;
  /** The step of which nobody knows whether it was done. */
  uncertain: string | undefined;
  /** The name of the commit that ended the run. */
  endedBy: string | undefined;
  readonly #recordUntil: number;
  #onFenced: (error: FenceError) => void = () => undefined;
  #fence: FenceError | undefined;

  constructor(run: Run, { ports, deadline, recordUntil, lastWrite }: ScopeOf) {
    this.run = run;
    this.ports = ports;
    this.deadline = deadline;
    this.lastWrite = lastWrite;
    this.#recordUntil = recordUntil;
    this.fenced = new Promise((resolve) => {
      this.#onFenced = resolve;
    });
    const steps = () => ports.ledger.steps(run);
    const read = () => persevere('reading the steps', steps, { until: deadline, ports });
    this.memo = new Memo(run, { read, fenced: () => this.stop() });
  }

  /**
   * Gives what messages call the step, such as `ctx.step("pay")`.
   *
   * @throws what ended the attempt, once it has ended; StepError for its name
   */
  begin(name: string, verb: StepKind, signal: AbortSignal): string {
    if (this.#fence !== undefined) throw this.#fence;
    signal.throwIfAborted();
    const call = `ctx.${verb}(${JSON.stringify(name)})`;
    if (this.endedBy !== undefined)
      throw new StepError(
        `${call}: the run has ended with its final commit ${JSON.stringify(this.endedBy)}; nothing after it is recorded`,
      );
    this.names.take(name, call);
    return call;
  }

  /**
   * What is known of a step that needs no verifying.
   *
   * @throws UncertainStep for one that was begun as a `once`, and of which nothing else is known
   */
  async known(name: string): Promise<Known> {
    const found = await this.memo.of(name);
    if (found.known?.state === 'begun') throw this.doubt(name);
    return found;
  }

  record(
    name: string,
    kind: StepKind,
    of: Partial<Pick<StepRecord, 'state' | 'verifies' | 'result'>> = {},
  ): StepRecord {
    const { restarts = 0, token } = this.run;
    const at = this.ports.clock();
    const { state = 'done', result, ...more } = of;
    return { name, kind, state, at, restarts, token, ...more, ...(result !== undefined && { result }) };
  }

  /**
   * A result as each attempt gets it: without secrets, so that one that must have them reads them itself.
   *
   * @throws StepError for what can't be kept
   */
  kept<T>(result: T, what: string): KeptResult<T> {
    return keptResult(this.ports.secrets.hidden(result), what);
  }

  /** @throws FenceError when another attempt owns the run */
  async write(write: StepWrite): Promise<void> {
    const { came } = await this.send(write);
    if (came !== 'written') throw this.stop();
  }

  /** Sends a step's write until it is decided. */
  async send(write: StepWrite): Promise<Sent> {
    const { run, ports } = this;
    const what = `the step ${JSON.stringify(write.step.name)}`;
    const decide = async () => {
      const answer = await ports.ledger.writeStep(run, { state: 'running', token: run.token }, write);
      const came = writtenOrNot(answer, write.step);
      if (came === 'conflict') throw new Error('the write collided with others');
      return { came, answer };
    };
    const { came, answer } = await persevere(what, decide, { until: this.#recordUntil, ports });
    if (came === 'taken') throw new Error(`${what} has a record that this attempt does not know`);
    return { came, answer };
  }

  /** The run is for a person to decide about, whatever the code does with the error. */
  doubt(name: string): UncertainStep {
    this.uncertain ??= name;
    return new UncertainStep(name);
  }

  /** Another attempt owns the run: the signal of this one aborts, and so does every step from now on. */
  stop(): FenceError {
    this.#fence ??= new FenceError();
    this.ports.log.error('the fence moved: the attempt is told to stop at its step');
    this.#onFenced(this.#fence);
    return this.#fence;
  }
}
