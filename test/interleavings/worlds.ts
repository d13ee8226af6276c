import fc from 'fast-check';
import type { ManifestJob } from '../../functions/domain/manifest.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import type { Act, Script } from './acts.ts';
import { acts, deployed, scripted } from './draw.ts';
import { atNoon, edited, jobs, missing, type Of, swept, threeTimes } from './draw-jobs.ts';
import { poolWorlds } from './pool-worlds.ts';

function alone(of: Of, play: (job: ManifestJob) => readonly fc.Arbitrary<Act>[]): fc.Arbitrary<Script> {
  return jobs(of).chain((job) => scripted([deployed([job])], play(job)));
}

/** Small worlds, each about one kind of race. Instants are seconds from noon. */
export const worlds: Readonly<Record<string, fc.Arbitrary<Script>>> = {
  'two deliveries and a sweep': alone(atNoon, ({ id }) => [
    acts.delivery(id, 0),
    acts.delivery(id, 0, [-50, 200]),
    acts.sweep([0, 240]),
  ]),

  'an offer delivered twice and an alarm': alone(swept, ({ id }) => [
    acts.sweep([240, 250]),
    acts.sweep([240, 540]),
    acts.delivery(id, 240),
  ]),

  "a finish and its lease's end": alone(atNoon, ({ id }) => [
    acts.freezing(id, 0),
    acts.sweep([110, 200]),
    acts.sweep([190, 240]),
  ]),

  'a finish in the midst of the sweep that settles it': alone(atNoon, ({ id }) => [
    acts.freezing(id, 0, [0, 0]),
    acts.sweep([200, 200]),
  ]),

  'a crash and two reconcilers': alone(atNoon, ({ id }) => [
    acts.dying(id, 0),
    acts.sweep([130, 190]),
    acts.sweep([130, 190]),
    acts.sweep([180, 500]),
  ]),

  'two persons release a run while sweeps go on': alone({ ...atNoon, crashed: 'park' }, ({ id }) => [
    acts.dying(id, 0),
    acts.sweep([160, 180]),
    acts.release(id, 0, [180, 240]),
    acts.release(id, 0, [180, 240]),
    acts.sweep([180, 240]),
  ]),

  'a pause and starts': alone(threeTimes, ({ id }) => [
    acts.delivery(id, 0),
    acts.pausing('pause', id, [-5, 200]),
    acts.sweep([0, 400]),
    acts.delivery(id, 300),
    acts.pausing('resume', id, [290, 500]),
  ]),

  'a pause and a crash': alone({ ...atNoon, crashed: 'rerun' }, ({ id }) => [
    acts.dying(id, 0),
    acts.sweep([150, 190]),
    acts.pausing('pause', id, [150, 420]),
    acts.sweep([400, 450]),
    acts.pausing('resume', id, [300, 700]),
  ]),

  'a new schedule and deliveries': fc
    .tuple(jobs(atNoon), fc.constantFrom('0 12 * * *', '0,5 12 * * *', '5 12 * * *', '0,10 12 * * *'))
    .chain(([old, next]) =>
      scripted(
        [deployed([old]), deployed([edited(old, { schedules: [cron(next)] })])],
        [
          acts.delivery(old.id, 0),
          acts.delivery(old.id, 0, [-5, 30], 1),
          acts.sweep([-60, 60], 1),
          acts.sweep([-60, 60], 0),
          acts.delivery(old.id, 300, [295, 330], 1),
        ],
      ),
    ),

  'a new schedule and an offer': jobs(swept).chain((old) =>
    scripted(
      [deployed([old]), deployed([edited(old, { until: '2026-12-01T12:01' })])],
      [acts.sweep([240, 250]), acts.sweep([240, 300], 1), acts.sweep([400, 600], 1)],
    ),
  ),

  'a run and the next fires': alone({ schedule: cron('0-2 12 * * *') }, ({ id }) => [
    acts.delivery(id, 0),
    acts.delivery(id, 60),
    acts.delivery(id, 120),
    acts.sweep([60, 400]),
    acts.sweep([180, 400]),
  ]),

  "a dead run's slot and the next fire": alone({ schedule: cron('0,3 12 * * *') }, ({ id }) => [
    acts.dying(id, 0),
    acts.delivery(id, 180),
    acts.sweep([150, 200]),
    acts.sweep([180, 260]),
  ]),

  'missed fires of which one stands for all': alone(
    { ...threeTimes, missed: missing('latest') },
    ({ id }) => [
      acts.sweep([180, 300]),
      acts.sweep([480, 510]),
      acts.sweep([480, 510]),
      acts.delivery(id, 600),
      acts.sweep([770, 840]),
    ],
  ),

  'missed fires that are all made up, up to a limit': alone(
    { ...threeTimes, missed: missing('all') },
    ({ id }) => [
      acts.sweep([480, 510]),
      acts.sweep([480, 510]),
      acts.delivery(id, 600, [600, 800]),
      acts.sweep([770, 800]),
      acts.sweep([770, 840]),
    ],
  ),

  'a removed job that comes back': jobs(threeTimes).chain((job) =>
    scripted(
      [deployed([job]), deployed([]), deployed([job])],
      [
        acts.dying(job.id, 0),
        acts.sweep([150, 180]),
        acts.sweep([160, 400], 1),
        acts.delivery(job.id, 300),
        acts.sweep([290, 500], 2),
      ],
    ),
  ),

  'a removed job whose missed fires wait': jobs({ ...threeTimes, missed: missing('all') }).chain((job) =>
    scripted(
      [deployed([job]), deployed([])],
      [acts.sweep([490, 500]), acts.sweep([495, 560], 1), acts.sweep([600, 800], 1)],
    ),
  ),

  'two jobs': fc
    .tuple(jobs(atNoon), jobs({ ...swept, id: 'reports/daily-sales' }))
    .chain(([one, other]) =>
      scripted(
        [deployed([one, other])],
        [
          acts.delivery(one.id, 0),
          acts.delivery(one.id, 0, [-5, 200]),
          acts.sweep([240, 270]),
          acts.sweep([240, 440]),
          acts.delivery(other.id, 240),
        ],
      ),
    ),

  ...poolWorlds,
};
