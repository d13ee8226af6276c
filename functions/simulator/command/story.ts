import { fireTimeOf, parseRunId } from '../../domain/names.ts';
import { minute } from '../../domain/time.ts';
import type { TraceLine } from '../trace.ts';

/** The part of a trace that explains what became of one run. */
export interface Story {
  /** The id of the run; absent: of no run in particular. */
  readonly run?: string;
  /** When it was due, epoch milliseconds. */
  readonly fireTime?: number;
  readonly lines: readonly TraceLine[];
  /** There are lines besides the strikes. */
  readonly isTold: boolean;
  /** Faults that struck at other times, and have no line. */
  readonly otherStrikes: number;
  /** Lines that have been left out. */
  readonly leftOut: number;
}

/** So many strikes are few enough to be told all, wherever they struck. */
const fewStrikes = 40;
/** Of many strikes those are told that struck so shortly before something of the run happened, or it was due. */
const near = minute;
const mostLines = 400;
/** Lines of the time before a violation that is about no run. */
const lastLines = 30;

/** Gathers a story while the trace is told. Without a run: the last lines. */
export class StoryTeller {
  readonly #run: string | undefined;
  #lines: TraceLine[] = [];
  #strikes: TraceLine[] = [];
  #dropped = 0;

  constructor(run?: string) {
    this.#run = run;
  }

  readonly listen = (line: TraceLine): void => {
    if (line.strike !== undefined) this.#strikes.push(line);
    else if (this.#run === undefined || line.run === this.#run) this.#lines.push(line);
    if (this.#run === undefined && this.#lines.length > 2 * lastLines) this.#trim();
  };

  #trim(): void {
    this.#dropped += this.#lines.length - lastLines;
    this.#lines = this.#lines.slice(-lastLines);
  }

  get story(): Story {
    if (this.#run === undefined && this.#lines.length > lastLines) this.#trim();
    const fireTime = this.#run === undefined ? null : fireTimeOf(parseRunId(this.#run)?.key ?? '');
    const strikes = this.#told(fireTime);
    const all = merged(this.#lines, strikes);
    const lines = all.slice(0, mostLines);
    return {
      ...(this.#run === undefined ? {} : { run: this.#run }),
      ...(fireTime === null ? {} : { fireTime }),
      lines,
      isTold: this.#lines.length > 0,
      otherStrikes: this.#strikes.length - strikes.length,
      leftOut: this.#dropped + all.length - lines.length,
    };
  }

  #told(fireTime: number | null): TraceLine[] {
    if (this.#strikes.length <= fewStrikes) return this.#strikes;
    if (this.#run === undefined) return this.#strikes.slice(-fewStrikes);
    const moments = [...(fireTime === null ? [] : [fireTime]), ...this.#lines.map(({ at }) => at)];
    return this.#strikes.filter((strike) => moments.some((at) => at - near <= strike.at && strike.at <= at));
  }
}

/** By time; at the same instant a strike comes before what it did. */
function merged(lines: readonly TraceLine[], strikes: readonly TraceLine[]): TraceLine[] {
  return [...strikes, ...lines].sort((a, b) => a.at - b.at);
}
