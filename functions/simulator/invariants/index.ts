import type { Invariant } from '../observe.ts';
import { allSettled } from './all-settled.ts';
import { cancellation } from './cancellation.ts';
import { catchUpFate } from './catch-up-fate.ts';
import { catchUpRate } from './catch-up-rate.ts';
import { closedDays } from './closed-days.ts';
import { committedOnce } from './committed-once.ts';
import { crashBounded } from './crash-bounded.ts';
import { edits } from './edits.ts';
import { everyFireRecorded } from './every-fire-recorded.ts';
import { exceptions } from './exceptions.ts';
import { fence } from './fence.ts';
import { foundInTime } from './found-in-time.ts';
import { holdsSound } from './holds-sound.ts';
import { hops } from './hops.ts';
import { leaseOutlives } from './lease-outlives.ts';
import { noStarvation } from './no-starvation.ts';
import { nothingSilent } from './nothing-silent.ts';
import { onceBegunOnce } from './once-begun-once.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { oneLiveAttempt } from './one-live-attempt.ts';
import { oneSuccess } from './one-success.ts';
import { parkedStays } from './parked-stays.ts';
import { pauseStays } from './pause-stays.ts';
import { poolAccounts } from './pool-accounts.ts';
import { poolNeverOver } from './pool-never-over.ts';
import { poolOrder } from './pool-order.ts';
import { queueOrder } from './queue-order.ts';
import { quietWorld } from './quiet-world.ts';
import { removal } from './removal.ts';
import { retries } from './retries.ts';
import { slotSound } from './slot-sound.ts';
import { standIn } from './stand-in.ts';
import { stepFence } from './step-fence.ts';
import { stepRepeats } from './step-repeats.ts';
import { stepResults } from './step-results.ts';
import { tallies } from './tallies.ts';
import { terminalStays } from './terminal-stays.ts';
import { truthfulOutcome } from './truthful-outcome.ts';
import { truthfulSkip } from './truthful-skip.ts';
import { withinItsTime } from './within-its-time.ts';

/** They rest on what modelled work tells of itself. */
export const ofModelledWork: readonly Invariant[] = [onceBegunOnce, committedOnce, stepRepeats, stepResults];

/** Every promise that the simulation holds the system to. Where one break leads to another, the first cause comes first. */
export const invariants: readonly Invariant[] = [
  fence,
  oneLiveAttempt,
  oneSuccess,
  leaseOutlives,
  truthfulOutcome,
  slotSound,
  poolAccounts,
  holdsSound,
  poolNeverOver,
  oneAtATime,
  terminalStays,
  parkedStays,
  crashBounded,
  withinItsTime,
  pauseStays,
  queueOrder,
  poolOrder,
  noStarvation,
  cancellation,
  retries,
  hops,
  stepFence,
  ...ofModelledWork,
  tallies,
  catchUpFate,
  catchUpRate,
  standIn,
  truthfulSkip,
  exceptions,
  edits,
  removal,
  foundInTime,
  nothingSilent,
  quietWorld,
  everyFireRecorded,
  allSettled,
  closedDays,
];
