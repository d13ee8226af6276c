import type { Answer } from './answered.ts';

const delivery = 'test/runtime/delivery.test.ts';
const offer = 'test/runtime/offer.test.ts';
const deadline = 'test/runtime/deadline.test.ts';
const finish = 'test/runtime/finish.test.ts';
const attention = 'test/domain/attention.test.ts';
const jobsStack = 'test/infra/jobs-stack.test.ts';

const duplicate = 'of a fire that has its run is a duplicate: counted, logged as normal traffic, nothing run';
const race = ['test/store/rules/start.ts', 'decides a race for one fire for exactly one delivery'] as const;
const storm = [
  'test/store/storm.test.ts',
  'a storm of 1,000 deliveries of one fire, with conflicts and lost answers, makes one run',
] as const;

/** Cases that tests of single rules answer. Some are played through as well. */
export const answers: Readonly<Record<string, Answer>> = {
  B003: {
    rule: 'What a crash means is a question that every job must answer: `crashed` has no default.',
    tests: [
      ['test/catalog/validate.test.ts', 'are required, and the message says what each answer means'],
      [attention, 'whose lease ended under `park` waits for a person, its slot free'],
    ],
  },
  B004: {
    rule: 'Time is epoch milliseconds everywhere; seconds are for the expiry of records alone.',
    tests: [
      [attention, 'is left alone until the last millisecond of its lease'],
      [
        'test/store/dynamodb-items.test.ts',
        'expire, if they are runs, in seconds from their creation; nothing else ever does',
      ],
    ],
  },
  B005: {
    rule: 'A refused delivery writes to no record but the count of duplicates.',
    tests: [[delivery, duplicate]],
  },
  B006: {
    rule: "The key is the job's id and the due instant, fixed at the claim.",
    tests: [[finish, 'keeps the key of the claim whatever the code does to its fire']],
  },
  B007: {
    rule: "A refusal is an answer, not an exception; DynamoDB's errors are known by their name.",
    tests: [
      ['test/store/dynamodb-requests.test.ts', 'is sent again after growing pauses, and starts the run'],
      [
        'test/runtime/outcome.test.ts',
        'is name, message and stack of an error, whichever copy of a package made it',
      ],
    ],
  },
  B012: {
    rule: 'The claim is one conditional put; losing it is normal traffic.',
    tests: [race, [delivery, duplicate]],
  },
  B015: {
    rule: 'A finish whose fence moved is written nowhere and starts nothing.',
    tests: [[finish, 'whose fence moved is lost: logged with both tokens, written nowhere, not counted']],
  },
  B016: {
    rule: 'A version of a schedule takes force once, whatever the number of deploys.',
    tests: [['test/reconciler/specs.test.ts', 'deployed five times is in force once']],
  },
  B017: {
    rule: "A run's lease is never extended; the reconciler's is fenced by its token.",
    tests: [
      [
        'test/store/rules/reconciler.ts',
        'takes a lease over once it has ended, and the former holder writes nothing more',
      ],
    ],
  },
  B019: {
    rule: 'Code is stopped with its process, by its own clock, before its lease ends.',
    tests: [[deadline, 'ends its process before the kill even when the mark can’t be written']],
  },
  B022: {
    rule: 'The lease is what the invocation has left and a minute more: Lambda kills before it ends.',
    tests: [
      [
        delivery,
        'reads its remaining time before its clock: a pause between them makes the lease longer, never shorter',
      ],
      [jobsStack, 'is killed half a minute after its own timeout'],
    ],
  },
  B024: { rule: 'Selecting and claiming are one conditional write.', tests: [race, storm] },
  B026: {
    rule: 'Made-up runs take the slot as live ones do.',
    tests: [
      [offer, 'keeps its slot to itself: a live fire meanwhile is skipped by the same claim'],
      [
        'test/reconciler/missed.test.ts',
        'swept and overlapping is skipped by the same claim as a delivery’s',
      ],
    ],
  },
  B027: {
    rule: 'Nothing is handed out again by time alone; what could be is set by the template.',
    tests: [
      ['test/infra/ledger-stack.test.ts', 'hides a message for longer than the reconciler may work on it'],
      [jobsStack, 'is tried once by Lambda'],
    ],
  },
  B029: {
    rule: 'The claim is inside the work: a second process stops at it.',
    tests: [[delivery, duplicate], storm],
  },
  B036: {
    rule: 'There is no heartbeat to stop: a lease lasts as long as its process may live, whatever is reported.',
    tests: [[attention, 'suspected of having died, is left alone until its lease ends']],
  },
  B039: {
    rule: 'The template sets both layers of retries.',
    tests: [[jobsStack, 'is tried once by Lambda']],
  },
};
