import { alarmPayload } from '../contract.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import { type Alarm, alarmTimetable, compileAlarms, type Timetable } from '../domain/schedule/index.ts';
import { minute, second, toIso } from '../domain/time.ts';
import type { EventLoop } from './event-loop.ts';
import type { Faults } from './faults.ts';
import type { Random } from './random.ts';

export interface AlarmWorld {
  readonly loop: EventLoop;
  readonly faults: Faults;
  readonly random: Random;
  readonly isDown: () => boolean;
  /** Hands a delivery to a job's function. */
  readonly deliver: (jobId: string, event: unknown) => void;
  /** Sends a delivery that was given up to the control queue. */
  readonly giveUp: (body: string, attributes: Readonly<Record<string, string>>) => void;
}

/** EventBridge Scheduler: rings the compiled alarms of the jobs as they are deployed, and delivers each at least once, mostly. */
export class AlarmClock {
  readonly #world: AlarmWorld;
  #callOff: (() => void)[] = [];
  readonly #timetables = new Map<string, Timetable>();

  constructor(world: AlarmWorld) {
    this.#world = world;
  }

  /** A deploy reached the alarms: those of before ring no more. */
  deploy(jobs: readonly ManifestJob[]): void {
    for (const callOff of this.#callOff) callOff();
    this.#callOff = jobs.flatMap(({ id, spec }) =>
      compileAlarms(spec).alarms.map((alarm) => this.#wind(id, this.#timetable(alarm))),
    );
  }

  #timetable(alarm: Alarm): Timetable {
    const name = `${alarm.expression} ${alarm.timezone}`;
    const known = this.#timetables.get(name) ?? alarmTimetable(alarm);
    this.#timetables.set(name, known);
    return known;
  }

  /** Sets an alarm to ring again and again. Returns how to call it off. */
  #wind(jobId: string, timetable: Timetable): () => void {
    const { loop, faults } = this.#world;
    let callOff: () => void = () => undefined;
    const wind = (after: number) => {
      const next = timetable.next(after);
      if (next === null) return;
      const early = faults.strikes('early-delivery')
        ? faults.extent('early-delivery').whole(second, 5 * minute)
        : 0;
      callOff = loop.at(next - early, () => {
        this.#ring(jobId, next);
        wind(next);
      });
    };
    wind(loop.now);
    return () => callOff();
  }

  #ring(jobId: string, scheduledTime: number): void {
    const { faults, random, isDown } = this.#world;
    if (isDown() || faults.strikes('lost-delivery')) return;
    if (faults.strikes('dead-letter')) {
      this.#giveUp(jobId, scheduledTime);
      return;
    }
    const late = faults.strikes('late-delivery')
      ? faults.extent('late-delivery').whole(second, 10 * minute)
      : random.whole(0, 4 * second);
    this.#deliver(jobId, scheduledTime, late);
    if (faults.strikes('doubled-delivery'))
      this.#deliver(jobId, scheduledTime, late + faults.extent('doubled-delivery').whole(0, 5 * minute));
  }

  #deliver(jobId: string, scheduledTime: number, afterMs: number): void {
    const { loop, faults, deliver } = this.#world;
    const bare = faults.strikes('bare-placeholder');
    const payload = alarmPayload(jobId);
    loop.after(afterMs, () =>
      deliver(
        jobId,
        bare ? payload : { ...payload, scheduledTime: toIso(scheduledTime), attemptNumber: '1' },
      ),
    );
  }

  #giveUp(jobId: string, scheduledTime: number): void {
    const body = JSON.stringify({ ...alarmPayload(jobId), scheduledTime: toIso(scheduledTime) });
    this.#world.giveUp(body, { SCHEDULE_ARN: `schedule of ${jobId}`, ERROR_CODE: 'SIMULATED' });
  }
}
