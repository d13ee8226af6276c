import type { Manifest, ManifestJob } from '../../domain/manifest.ts';
import { isOpen, type Run, waitingBand } from '../../domain/run.ts';
import type { Timetable } from '../../domain/schedule/index.ts';
import { minute } from '../../domain/time.ts';
import type { Alterations } from '../alterations.ts';
import { altered, type Mutant } from './mutant.ts';

const failureIsProof: Mutant = {
  name: 'failure-record-is-proof',
  what: 'a failure record ends the lease of the run that it names',
  alter: {
    reconciler: (ports) => {
      const { ledger, clock } = ports;
      const suspect: typeof ledger.suspect = async (ref, suspicion) => {
        const suspected = await ledger.suspect(ref, suspicion);
        const run = suspected ? await ledger.run(ref) : null;
        if (run !== null) await ledger.move(ref, run, { set: { state: run.state, attentionAt: clock() } });
        return suspected;
      };
      return { ...ports, ledger: altered(ledger, { suspect }) };
    },
  },
};

const admittedWithoutSlot: Mutant = {
  name: 'admission-without-slot',
  what: 'a waiting run is offered without its slot',
  alter: {
    ledger: (ledger) =>
      altered(ledger, {
        move: (ref, fence, change, options = {}) => {
          const { slot: _ignored, ...effect } = options.effect ?? {};
          const isAdmission = fence.state === 'waiting' && change.set.state === 'offered';
          return ledger.move(ref, fence, change, isAdmission ? { effect } : options);
        },
      }),
  },
};

const watermarkPast: Mutant = {
  name: 'watermark-past-unrecorded',
  what: 'the watermark moves past fires that have no record',
  alter: {
    ledger: (ledger) =>
      altered(ledger, {
        save: (token, { watermark, ...state }) =>
          ledger.save(token, { ...state, ...(watermark && { watermark: { ...watermark, gaps: [] } }) }),
      }),
  },
};

const stalePresence: Mutant = {
  name: 'presence-without-consistent-read',
  what: 'whether a fire has its record is read from a replica that is a minute behind',
  alter: {
    reconciler: (ports) => {
      const { ledger, clock } = ports;
      const isOld = ({ createdAt }: Run) => createdAt < clock() - minute;
      const runs: typeof ledger.runs = async (refs, onUnreadable) =>
        (await ledger.runs(refs, onUnreadable)).filter(isOld);
      return { ...ports, ledger: altered(ledger, { runs }) };
    },
  },
};

const coversAtPlan: Mutant = {
  name: 'covers-fixed-at-plan',
  what: 'a made-up run covers what was superseded when it was recorded, and nothing later',
  alter: {
    job: ({ ports, job }) => {
      const { ledger } = ports;
      const history: typeof ledger.history = async function* (jobId, range) {
        for await (const run of ledger.history(jobId, range)) {
          const by =
            run.supersededBy === undefined ? null : await ledger.run({ jobId, key: run.supersededBy });
          if (by === null || run.createdAt <= by.createdAt) yield run;
        }
      };
      return { ports: { ...ports, ledger: altered(ledger, { history }) }, job };
    },
  },
};

const oldVersionExpected: Mutant = {
  name: 'old-version-in-doubt',
  what: 'in the hour before a new version took force the fires of the old one are still expected',
  alter: {
    compiled: (compiled) => (specId, spec) => {
      const of = compiled(specId, spec);
      const { timetable } = of;
      const wantsAll: Timetable = {
        has: () => true,
        next: (after) => timetable.next(after),
        previous: (before) => timetable.previous(before),
        between: (from, to) => timetable.between(from, to),
      };
      return { ...of, timetable: wantsAll, isExcluded: () => false };
    },
  },
};

const believing = (change: (job: ManifestJob) => ManifestJob): Alterations => ({
  manifest: ({ jobs, ...manifest }: Manifest) => ({ ...manifest, jobs: jobs.map(change) }),
});

const limitIgnored: Mutant = {
  name: 'limit-ignored',
  what: 'catch-up knows no limit',
  alter: believing((job) => ({ ...job, missed: { ...job.missed, limit: 1_000_000 } })),
};

const ageIgnored: Mutant = {
  name: 'age-ignored',
  what: 'catch-up makes up for fires of any age',
  alter: believing((job) => ({ ...job, missed: { ...job.missed, maxAgeMs: Number.MAX_SAFE_INTEGER } })),
};

const rateIgnored: Mutant = {
  name: 'rate-ignored',
  what: 'catch-up knows no rate',
  alter: believing((job) => ({ ...job, missed: { ...job.missed, ratePerMinute: 1_000_000 } })),
};

const parkIgnored: Mutant = {
  name: 'park-ignored',
  what: 'a crashed run is run again whatever its job says',
  alter: believing((job) => ({ ...job, crashed: 'rerun' })),
};

const pauseCleared: Mutant = {
  name: 'pause-cleared-by-deploy',
  what: 'a new version of a schedule ends the pause of its job',
  alter: {
    ledger: (ledger) =>
      altered(ledger, {
        publish: async (version, replaces) => {
          const answer = await ledger.publish(version, replaces);
          if (replaces !== null) await ledger.setPause(version.jobId, null);
          return answer;
        },
      }),
  },
};

const crashesUncounted: Mutant = {
  name: 'crashes-uncounted',
  what: 'a run that kills its process is run again for ever',
  alter: {
    ledger: (ledger) =>
      altered(ledger, {
        move: (ref, fence, { set, ...change }, options) => {
          const { crashes: _ignored, ...uncounted } = set;
          return ledger.move(ref, fence, { ...change, set: uncounted }, options);
        },
      }),
  },
};

const parkedForgotten: Mutant = {
  name: 'parked-run-of-removed-job-kept',
  what: 'the parked runs of a job that is gone stay parked',
  alter: {
    reconciler: (ports) => {
      const { ledger } = ports;
      const open: typeof ledger.open = (until, limit, from) =>
        ledger.open(Math.min(until, waitingBand.until), limit, from);
      return { ...ports, ledger: altered(ledger, { open }) };
    },
  },
};

const queueUncounted: Mutant = {
  name: 'queue-uncounted',
  what: 'a run that leaves the queue is still counted there',
  alter: {
    ledger: (ledger) =>
      altered(ledger, {
        move: (ref, fence, change, { effect, ...options } = {}) => {
          const { addQueued, ...rest } = effect ?? {};
          return ledger.move(ref, fence, change, {
            ...options,
            ...(effect && { effect: addQueued === -1 ? rest : effect }),
          });
        },
      }),
  },
};

const openTakenForOver: Mutant = {
  name: 'open-run-taken-for-over',
  what: 'a day is closed as if its open runs had failed',
  alter: {
    reconciler: (ports) => {
      const { ledger } = ports;
      const history: typeof ledger.history = async function* (jobId, range) {
        for await (const run of ledger.history(jobId, range))
          yield isOpen(run.state) ? { ...run, state: 'failed' } : run;
      };
      return { ...ports, ledger: altered(ledger, { history }) };
    },
  },
};

const reopeningForgotten: Mutant = {
  name: 'reopening-forgotten',
  what: 'a run that is begun for a day that is closed leaves that day closed',
  alter: {
    ledger: (ledger) =>
      altered(ledger, {
        create: (run, effect) => {
          const { reopens: _forgotten, ...others } = effect ?? {};
          return ledger.create(run, effect && others);
        },
      }),
  },
};

const openDaysForgotten: Mutant = {
  name: 'open-days-forgotten',
  what: 'a day whose runs are not done when it is its turn is never looked at again',
  alter: {
    ledger: (ledger) =>
      altered(ledger, { leaveDay: (ref, fence) => ledger.leaveDay(ref, fence, 'unlisted') }),
  },
};

export const reconcilerMutants: readonly Mutant[] = [
  failureIsProof,
  admittedWithoutSlot,
  watermarkPast,
  stalePresence,
  coversAtPlan,
  oldVersionExpected,
  limitIgnored,
  ageIgnored,
  rateIgnored,
  parkIgnored,
  pauseCleared,
  crashesUncounted,
  parkedForgotten,
  queueUncounted,
  openTakenForOver,
  reopeningForgotten,
  openDaysForgotten,
];
