import { constants, createWriteStream, openSync, type WriteStream } from 'node:fs';
import type { Look } from '../cli/render/look.ts';
import type { Ledger } from '../domain/ledger.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import { parseRunId } from '../domain/names.ts';
import type { Run } from '../domain/run.ts';
import { toIso } from '../domain/time.ts';
import type { CloudEvent, Tell } from './events.ts';
import { foldDuplicates } from './fold-duplicates.ts';
import { eventLine } from './print.ts';

export interface Show {
  readonly tell: Tell;
  /** From here on events are shown, with the records that they are about; what was told before comes first. */
  begin(ledger: Pick<Ledger, 'run'>): void;
  /** All that was told has been shown. */
  done(): Promise<void>;
}

export interface ShowOptions {
  readonly jobs: readonly ManifestJob[];
  readonly look: Look;
  /** JSON lines instead of text for people. */
  readonly json: boolean;
  /** Gets every line that a function printed. */
  readonly logFile: string;
}

/** Shows events one after the other, in the order in which they were told. */
export function showEvents({ jobs, look, json, logFile }: ShowOptions): Show {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const width = Math.max(...['reconciler', ...byId.keys()].map((id) => id.length));
  const log = openLog(logFile);
  let begin: (ledger: Pick<Ledger, 'run'>) => void = () => undefined;
  const begun = new Promise<Pick<Ledger, 'run'>>((resolve) => {
    begin = resolve;
  });
  let last: Promise<unknown> = begun;

  const show = async (event: CloudEvent) => {
    if (event.kind === 'log') log.write(`${event.line}\n`);
    if (json) return event.kind === 'log' ? undefined : console.log(JSON.stringify(jsonOf(event)));
    const run = event.kind === 'handled' ? await recordOf(event.handled.run, await begun) : null;
    const job = 'jobId' in event && event.jobId !== undefined ? byId.get(event.jobId) : undefined;
    const line = eventLine(event, { run, job, look, width });
    if (line !== null) console.log(line);
  };
  const enqueue: Tell = (event) => {
    last = last.then(() => show(event));
  };
  const folded = foldDuplicates(enqueue);
  return {
    tell: json ? enqueue : folded.tell,
    begin,
    done: async () => {
      folded.flush();
      await last;
      await new Promise<void>((resolve) => log.end(resolve));
    },
  };
}

/** Appends to the file itself: a link in its place, which might lead anywhere, is refused. */
function openLog(file: string): WriteStream {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const fd = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  const log = createWriteStream(file, { fd });
  log.on('error', (error) => console.error(`the log file can't be written: ${error.message}`));
  return log;
}

/** The record makes a line richer; without it the line says less. */
async function recordOf(id: string | undefined, ledger: Pick<Ledger, 'run'>): Promise<Run | null> {
  const ref = id === undefined ? null : parseRunId(id);
  return ref === null ? null : ledger.run(ref).catch(() => null);
}

function jsonOf(event: CloudEvent): Readonly<Record<string, unknown>> {
  const started = 'startedAt' in event ? { startedAt: toIso(event.startedAt) } : {};
  return { ...event, at: toIso(event.at), ...started };
}
