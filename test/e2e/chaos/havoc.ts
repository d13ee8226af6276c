import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { second } from '../../../functions/domain/time.ts';
import { isReady, type System } from '../system.ts';
import { bodiesOf } from './effects.ts';

/** `start`: `npm start`, killed, and killed once more within the first seconds of the next one. */
export type Victim = 'process' | 'emulator' | 'npm start' | 'start';

export interface Havoc {
  readonly forMs: number;
  /** How often each dies. */
  readonly kills: Readonly<Record<Victim, number>>;
  readonly random: () => number;
  readonly effects: string;
  /** Starts a system on the same data. */
  readonly start: () => System;
  readonly log: (text: string) => void;
}

/** Kills at random moments, and starts again what died. Resolves with the last system, which is still running. */
export async function wreakHavoc(havoc: Havoc): Promise<System> {
  const victims = shuffled(havoc);
  const endsAt = Date.now() + havoc.forMs;
  let system = havoc.start();
  await system.until(isReady);
  for (const [index, victim] of victims.entries()) {
    const share = Math.max(0, endsAt - Date.now()) / (victims.length - index);
    await pause(2 * share * havoc.random());
    havoc.log(`kill -9 ${victim}`);
    if (victim === 'process') await killProcess(system, havoc);
    else system = await startAgain(system, victim, havoc);
  }
  return system;
}

function shuffled({ kills, random }: Havoc): Victim[] {
  const all = Object.entries(kills).flatMap(([victim, count]) => Array<Victim>(count).fill(victim as Victim));
  return all
    .map((victim) => ({ victim, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ victim }) => victim);
}

/** A body may be waited for: all of them begin at the full minute. */
const patienceMs = 25 * second;

/** Mostly one that is at a job's body; else any, which may be about to claim or to finish, idle, or the reconciler's. */
async function killProcess(system: System, { random, effects, log }: Havoc): Promise<void> {
  const waitsUntil = random() < 0.8 ? Date.now() + patienceMs : 0;
  for (;;) {
    const processes = childrenOf(system.pid).filter(({ command }) => command.includes('sandbox.mjs'));
    const busy = pidsAtWork(effects);
    const atWork = processes.filter(({ pid }) => busy.has(pid));
    const among = Date.now() < waitsUntil ? atWork : processes;
    const victim = among[Math.floor(random() * among.length)];
    if (victim !== undefined) {
      process.kill(victim.pid, 'SIGKILL');
      return log(`… of ${jobOf(victim)}${busy.has(victim.pid) ? ', at its work' : ''}`);
    }
    if (Date.now() >= waitsUntil) return log('… none is there');
    await pause(200);
  }
}

function pidsAtWork(effects: string): ReadonlySet<number> {
  return new Set(bodiesOf(effects).flatMap(({ pid, isDone }) => (isDone ? [] : [pid])));
}

/** Its bundle lies in a folder of its job's name. */
function jobOf({ command }: Child): string {
  return /bundles\/(.*)\/index\.js/.exec(command)?.[1] ?? command;
}

async function startAgain(
  system: System,
  victim: Exclude<Victim, 'process'>,
  { random, start, log }: Havoc,
): Promise<System> {
  if (victim === 'emulator') await killEmulator(system);
  else await killSystem(system);
  await pause(5 * second * random());
  if (victim === 'start') {
    const halfStarted = start();
    const afterMs = 5 * second * random();
    await pause(afterMs);
    await killSystem(halfStarted);
    log(`… and again after ${(afterMs / second).toFixed(1)} s`);
  }
  const again = start();
  await again.until(isReady);
  return again;
}

async function killSystem(system: System): Promise<void> {
  system.kill('SIGKILL');
  expect(await system.ended).toMatchObject({ code: null, err: '' });
}

/** Without its ledger a system says so, and ends. */
async function killEmulator(system: System): Promise<void> {
  const emulator = childrenOf(system.pid).find(({ command }) => /\bdynoxide --host/.test(command));
  if (emulator === undefined) throw new Error('a running system without its emulator');
  process.kill(emulator.pid, 'SIGKILL');
  const { code, err } = await system.ended;
  expect(code).toBe(2);
  expect(err).toMatch(/^The DynamoDB emulator ended unasked \(SIGKILL\)\. Nothing more can be recorded/);
}

interface Child {
  readonly pid: number;
  readonly command: string;
}

/** As Linux tells it. */
function childrenOf(parent: number): Child[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const child = childOf(Number(name));
      return child?.parent === parent ? [child] : [];
    });
}

function childOf(pid: number): (Child & { readonly parent: number }) | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return {
      pid,
      parent,
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(),
    };
  } catch {
    // It has ended since the folder was read.
    return null;
  }
}
