import type { Answer } from './answered.ts';

const room = 'test/infra/room.test.ts';
const jobsStack = 'test/infra/jobs-stack.test.ts';
const ledgerStack = 'test/infra/ledger-stack.test.ts';
const access = 'test/infra/access.test.ts';
const app = 'test/infra/app.test.ts';
const specs = 'test/reconciler/specs.test.ts';
const deploys = 'test/reconciler/deploys.test.ts';
const bundle = 'test/catalog/bundle.test.ts';
const messages = 'test/domain/schedule/messages.test.ts';

/** Cases that tests of single rules answer. Some are played through as well. */
export const answers: Readonly<Record<string, Answer>> = {
  D002: {
    rule: 'A stack of jobs is filled to 450 of 500 resources; from 401 on synth warns, with the number of stacks that has room.',
    tests: [
      [room, 'from 401 on a stack is said to be nearly full, with the remedy'],
      [room, 'that is too small is refused, with the smallest number of stacks that have it'],
    ],
  },
  D003: {
    rule: "One function for each job, and all of it CloudFormation's own, which waits where AWS is busy; a deploy touches what changed.",
    tests: [
      ['test/infra/one-change.test.ts', 'changes the code of its function, and nothing else in any template'],
      [room, 'that an account doesn’t have at first are to be asked for before the deploy'],
    ],
  },
  D009: {
    rule: "The alarms' role trusts Scheduler; stacks with alarms come after the one with the role.",
    tests: [[access, "is Scheduler's for alarms of this account and this stage's group"]],
  },
  D010: {
    rule: 'What a deploy needs is a policy in infra/, and a template that needs more fails a test.',
    tests: [
      [
        'test/infra/deploy-policy.test.ts',
        'allows what CloudFormation calls to make, change and delete every kind of resource',
      ],
    ],
  },
  D012: {
    rule: 'Only a deploy makes schedules; what people do goes through the ledger.',
    tests: [[access, 'roles have nothing but their inline policies']],
  },
  D016: {
    rule: "Every alarm names its stage's group, which never changes.",
    tests: [[jobsStack, "share one group and one role of their stage's"]],
  },
  D021: {
    rule: 'A name over 64 characters keeps its beginning and gets a fingerprint of the whole.',
    tests: [
      [
        'test/domain/names.test.ts',
        'has a name of 64 characters at most, which a longer id keeps apart by a fingerprint',
      ],
    ],
  },
  D022: {
    rule: 'A cron has all of its fields, or is refused.',
    tests: [[messages, 'another number of fields: %s']],
  },
  D029: {
    rule: 'Whoever names a time of day must say whose.',
    tests: [['test/catalog/validate.test.ts', 'a wall-clock schedule needs a time zone']],
  },
  D033: {
    rule: 'esbuild is a dependency that is imported: no package manager is asked where it is.',
    tests: [
      [
        'test/catalog/load.test.ts',
        'works in a plain process under tsx, as npm start, fl and the CDK app run',
      ],
    ],
  },
  D035: {
    rule: 'Job files may lie anywhere; a folder that is not there is refused by its path.',
    tests: [
      [bundle, 'in whatever folders they lie'],
      ['test/catalog/load.test.ts', 'a folder that is not there is refused'],
    ],
  },
  D037: {
    rule: "Dead letters are written by the alarms' role, and it may.",
    tests: [[access, 'pokes functions of its stage, and leaves dead letters']],
  },
  D038: {
    rule: "The queues are encrypted by SQS's own key, which asks nothing of who writes.",
    tests: [
      [ledgerStack, 'is encrypted, refuses what comes without TLS, and so does the queue of the unreadable'],
    ],
  },
  D040: {
    rule: 'An id of its own keeps the history of a file that moves; without it the old job leaves force, and its alarms go.',
    tests: [
      [deploys, 'with its old id is the same job: no new version, its history and its slot are its own'],
      [deploys, 'without it is another job: the old one is removed, the new one is owed nothing'],
    ],
  },
  D041: {
    rule: 'What is in force is what the newest manifest says, and an old alarm starts nothing.',
    tests: [
      [specs, 'leaves force, and what of it waits is canceled'],
      [deploys, 'an old function that is rung for a removed job starts nothing'],
      [deploys, 'a fire of the old version alone doesn’t run'],
    ],
  },
  D047: {
    rule: 'Every mistake of every job file is told when it is synthesised, and nothing is written.',
    tests: [[app, 'every mistake of every job file']],
  },
  D049: {
    rule: 'No alarm has a start: what is due is computed from the schedule alone.',
    tests: [
      [jobsStack, 'never come in a flexible window, and start when they are deployed'],
      [specs, 'imagines no past: a new time between the last fire and now is not made up'],
    ],
  },
  D050: {
    rule: 'A time that is over is warned of at synth.',
    tests: [['test/domain/schedule/warnings.test.ts', 'dates that never come, or are over']],
  },
};
