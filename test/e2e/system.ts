import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { packageDir } from '../../functions/catalog/esbuild.ts';
import { writeJob } from '../support/jobs-folder.ts';

/** What a command came to. */
export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** An event that `npm start -- --json` printed, or its last line. */
export type Told = Readonly<Record<string, unknown>> & { readonly kind?: string };

/** A system of its own process, as a person would start it. */
export interface System {
  readonly pid: number;
  /** What it printed as JSON so far. */
  readonly told: readonly Told[];
  /** The first event, told already or to come, that fits. Rejects with all that was printed when the system ends before. */
  until(fits: (event: Told) => boolean): Promise<Told>;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<Ended>;
}

/** Starts `npm start -- …words` in a process group of its own. */
export function startSystem(...words: readonly string[]): System {
  const child = spawnNode('functions/local/main.ts', words);
  const told: Told[] = [];
  const waiting = new Set<(event: Told | null) => void>();
  if (child.stdout === null) throw new Error('A child without output.');
  const ended = endOf(child);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const event = parsed(line);
    if (event === null) return;
    told.push(event);
    for (const see of waiting) see(event);
  });
  void ended.then(() => {
    for (const see of waiting) see(null);
  });
  return {
    pid: child.pid ?? 0,
    told,
    until: (fits) =>
      new Promise((resolve, reject) => {
        const see = (event: Told | null) => {
          if (event === null) void ended.then(({ out, err }) => reject(new Error(`ended:\n${out}\n${err}`)));
          else if (!fits(event)) return;
          else resolve(event);
          waiting.delete(see);
        };
        const before = told.find(fits);
        if (before) return resolve(before);
        waiting.add(see);
      }),
    kill: (signal) => void child.kill(signal),
    ended,
  };
}

/** `npm run -s fl -- …words` to its end. */
export function fl(...words: readonly string[]): Promise<Ended> {
  return endOf(spawnNode('functions/cli/main.ts', words));
}

/** The answer of a command in JSON. */
export async function flJson<Answer>(...words: readonly string[]): Promise<Answer> {
  const { out, err } = await fl(...words, '--json');
  try {
    return JSON.parse(out) as Answer;
  } catch {
    throw new Error(`fl ${words.join(' ')} answered:\n${out}\n${err}`);
  }
}

function spawnNode(program: string, words: readonly string[]): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', program, ...words], {
    cwd: packageDir,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
  });
}

async function endOf(child: ChildProcess): Promise<Ended> {
  let [out, err] = ['', ''];
  child.stdout?.on('data', (text: Buffer) => {
    out += text;
  });
  child.stderr?.on('data', (text: Buffer) => {
    err += text;
  });
  const [code] = await once(child, 'close');
  return { code: typeof code === 'number' ? code : null, out, err };
}

function parsed(line: string): Told | null {
  try {
    return JSON.parse(line) as Told;
  } catch {
    return null;
  }
}

/** Folders and systems of a scenario; `end` leaves none of them. Scenarios run side by side, so each has its own. */
export class Scenario {
  readonly #root = mkdtempSync(path.join(os.tmpdir(), 'fireledger-e2e-'));
  readonly #systems: System[] = [];

  /** A path in this scenario's folder. */
  path(name: string): string {
    return path.join(this.#root, name);
  }

  /** A folder of job files, by file name. */
  jobs(files: Readonly<Record<string, string>>): string {
    for (const [name, text] of Object.entries(files)) writeJob(this.path('jobs'), name, text);
    return this.path('jobs');
  }

  start(...words: readonly string[]): System {
    const system = startSystem(...words);
    this.#systems.push(system);
    return system;
  }

  async end(): Promise<void> {
    for (const system of this.#systems) system.kill('SIGKILL');
    await Promise.all(this.#systems.map(({ ended }) => ended));
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** Gives a scenario its folders, and takes them away with all that it started. */
export async function inScenario(play: (scenario: Scenario) => Promise<void>): Promise<void> {
  const scenario = new Scenario();
  try {
    await play(scenario);
  } finally {
    await scenario.end();
  }
}

/** The text of a job that is due every minute. `run` is its handler's body; `options` are added to, or replace, the others. */
export function everyMinute(run: string, options = ''): string {
  return `
import { setTimeout as pause } from 'node:timers/promises';
import { cron, defineJob } from '#job';

export default defineJob({
  description: 'A job of a test',
  schedule: cron('* * * * *'),
  timezone: 'UTC',
  ${options.includes('missed:') ? '' : "missed: 'skip',"}
  ${options.includes('crashed:') ? '' : "crashed: 'rerun',"}
  ${options}
  async run(fire, ctx) { ${run} },
});
`;
}

/** A system whose only job is `job`, due every minute, and its data folder; it is ready. */
export async function startJob(
  scenario: Scenario,
  run: string,
  options: string,
): Promise<{ system: System; data: string }> {
  const data = scenario.path('data');
  const jobs = scenario.jobs({ 'job.ts': everyMinute(run, options) });
  const system = scenario.start('--json', '--no-console', '--data', data, '--jobs', jobs);
  await system.until(isReady);
  return { system, data };
}

export function isReady({ kind }: Told): boolean {
  return kind === 'ready';
}
