import type { ManifestJob } from '../domain/manifest.ts';
import { type RunRef, runId } from '../domain/names.ts';
import type { Run } from '../domain/run.ts';
import type { Context, Fire } from '../job.ts';
import type { EventLoop } from './event-loop.ts';
import type { Body, BodyEnd, Observer, StepCall, StepEvent } from './observe.ts';
import type { Sandbox } from './sandbox.ts';
import type { Trace } from './trace.ts';
import type { Zombies } from './zombies.ts';

/** Job code, as one sandbox runs it. */
export type JobCode = (fire: Fire, ctx: Context, at: BodyPlace) => Promise<unknown>;

/** Where a process runs the code of a job. */
export interface CodePlace {
  readonly sandbox: Sandbox;
  readonly job: ManifestJob;
  /** Started by an offer, not an alarm's delivery. */
  readonly byOffer: boolean;
  /** Lets an error escape. */
  readonly letEscape: (error: unknown) => void;
}

/** The same, for one execution. */
export interface BodyPlace extends CodePlace {
  /** Its attempt's number on record. */
  readonly attempt: number;
  /** Tells what happens to a step. */
  readonly atStep: (call: StepCall, event: StepEvent) => void;
  /** Another one for each piece of work that is done. */
  readonly nextResult: () => string;
  /** What this run's work of that name returned when it was truly done last, whichever execution did it; null: it never was. */
  readonly doneOnce: (name: string) => { readonly result: unknown } | null;
}

interface BodiesOf {
  readonly loop: EventLoop;
  readonly trace: Trace;
  readonly observer: Observer;
  readonly zombies: Zombies;
}

/** The executions of job code that are alive, what they do, and how each ended, as it truly happened. */
export class Bodies {
  readonly #of: BodiesOf;
  readonly #alive = new Map<Sandbox, Body>();
  /** What the work of `once` returned, by run and step: what people and authors' code can find out. */
  readonly #done = new Map<string, unknown>();
  #count = 0;

  constructor(of: BodiesOf) {
    this.#of = of;
  }

  get count(): number {
    return this.#count;
  }

  /** `standing`: its run's record. `token`: as its process has drawn it. */
  begin(
    fire: Fire,
    { sandbox, job, byOffer }: CodePlace,
    { standing, token, cursor }: { standing: Run | null; token: string; cursor: unknown },
  ): Body {
    this.#count += 1;
    const { now } = this.#of.loop;
    const own = standing?.attempts.findIndex((attempt) => attempt.token === token) ?? -1;
    const body: Body = {
      number: this.#count,
      jobId: fire.jobId,
      key: fire.id.slice(fire.jobId.length + 1),
      fireTime: fire.fireTime.getTime(),
      trigger: fire.trigger,
      attempt: own === -1 ? (standing?.attempts.length ?? 1) : own + 1,
      token,
      restarts: standing?.restarts ?? 0,
      tries: fire.attempt,
      cursor,
      covers: fire.covers.map((covered) => covered.getTime()),
      job,
      beganAt: now,
      skewMs: sandbox.skewMs,
      byOffer,
    };
    this.#alive.set(sandbox, body);
    sandbox.onlyFreezes = () => this.#of.zombies.mayReturn(body, sandbox);
    this.#note(body, sandbox, `code begins (attempt ${body.attempt})`);
    this.#of.observer.bodyBegan?.(now, body);
    return body;
  }

  /** Runs code as a body that has begun, and sees how it ends. */
  async run(
    body: Body,
    code: JobCode,
    { fire, ctx, place }: { fire: Fire; ctx: Context; place: CodePlace },
  ): Promise<unknown> {
    const { sandbox } = place;
    const forget = sandbox.whenDead(() => this.#end(body, 'killed', sandbox));
    try {
      const value = await code(fire, ctx, this.#placeOf(body, place));
      this.#end(body, 'returned', sandbox, value);
      return value;
    } catch (error) {
      this.#end(body, 'threw', sandbox, error);
      throw error;
    } finally {
      forget();
      this.#of.loop.needRound();
    }
  }

  /** A run ends with its last commit: what its code does beyond that is none of it. */
  endWith(run: Run): void {
    for (const [sandbox, body] of this.#alive)
      if (body.token === run.token && runId(body) === runId(run)) this.#end(body, 'returned', sandbox);
  }

  /** Whether the work of a `once` was truly done, and what it returned. */
  doneOnce(run: RunRef, name: string): { readonly result: unknown } | null {
    const id = `${runId(run)} ${name}`;
    return this.#done.has(id) ? { result: this.#done.get(id) } : null;
  }

  #placeOf(body: Body, place: CodePlace): BodyPlace {
    let results = 0;
    return {
      ...place,
      attempt: body.attempt,
      atStep: (call, event) => {
        if (call.kind === 'once' && event.what === 'done')
          this.#done.set(`${runId(body)} ${call.name}`, event.result);
        this.#noteStep(body, place.sandbox, call, event);
        this.#of.observer.atStep?.(this.#of.loop.now, body, call, event);
      },
      nextResult: () => {
        results += 1;
        return `${body.attempt}.${results}`;
      },
      doneOnce: (name) => this.doneOnce(body, name),
    };
  }

  #end(body: Body, end: BodyEnd, sandbox: Sandbox, came?: unknown): void {
    if (this.#alive.get(sandbox) !== body) return;
    this.#alive.delete(sandbox);
    this.#note(body, sandbox, `code ${end === 'killed' ? 'is killed' : end}`);
    this.#of.observer.bodyEnded?.(this.#of.loop.now, body, end, came);
  }

  #noteStep(body: Body, sandbox: Sandbox, { kind, name }: StepCall, event: StepEvent): void {
    const item = 'item' in event && event.item !== undefined ? ` of ${event.item}` : '';
    this.#note(body, sandbox, `${kind} ${JSON.stringify(name)}${item}: ${event.what}`);
  }

  #note(ref: RunRef, sandbox: Sandbox, what: string): void {
    this.#of.trace.note({ at: this.#of.loop.now, actor: sandbox.name, what, run: runId(ref) });
  }
}
