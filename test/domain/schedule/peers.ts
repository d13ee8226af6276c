import { CronExpressionParser } from 'cron-parser';
import { Cron } from 'croner';
import { cron, nearOffsetChange, timetable } from '../../../functions/domain/schedule/index.ts';
import { ZONE_NAMES } from '../../../functions/domain/schedule/zone-names.ts';
import type { Random } from './random.ts';
import { randomCron } from './random-cron.ts';

const DAY = 86_400_000;
const PEERS = {
  croner: (text: string, timezone: string, from: number) => {
    const next = new Cron(text, { timezone, paused: true }).nextRun(new Date(from));
    return next === null ? null : next.getTime();
  },
  'cron-parser': (text: string, timezone: string, from: number) =>
    CronExpressionParser.parse(text, { tz: timezone, currentDate: new Date(from) })
      .next()
      .getTime(),
} as const;
type Peer = keyof typeof PEERS;

/** What became of the questions put to one peer. */
export interface Tally {
  agreed: number;
  /** The answer lies near a change of the clocks, where each library has rules of its own. */
  clocks: number;
  /** The peer threw. */
  threw: number;
  /** None of these: `expression in zone from instant: ours, theirs`. */
  readonly unexplained: string[];
}

/** Puts the same random questions to our engine and to a peer. */
export function compareWith(peer: Peer, random: Random, questions: number): Tally {
  const tally: Tally = { agreed: 0, clocks: 0, threw: 0, unexplained: [] };
  for (let count = 0; count < questions; count++) {
    const text = commonExpression(random);
    const timezone = random.pick(ZONE_NAMES);
    const from = Date.UTC(random.integer(2000, 2035), random.integer(0, 11), random.integer(1, 28)) + 1000;
    tallyOne(peer, tally, text, timezone, from);
  }
  return tally;
}

function tallyOne(peer: Peer, tally: Tally, text: string, timezone: string, from: number): void {
  const ours = timetable({ schedules: [cron(text)], timezone }).next(from);
  const theirs = answer(peer, text, timezone, from);
  if (theirs === undefined) tally.threw++;
  else if (theirs === ours) tally.agreed++;
  else if ([from, ours, theirs].some((at) => at !== null && nearOffsetChange(timezone, at, 2 * DAY)))
    tally.clocks++;
  else tally.unexplained.push(`${text} in ${timezone} from ${from}: ${ours}, ${theirs}`);
}

/** An expression that Vixie's cron and both peers document alike. */
function commonExpression(random: Random): string {
  for (;;) {
    const { text } = randomCron(random, [], false);
    if (!readOtherwise(text)) return text;
  }
}

/** Undefined when the peer threw. */
function answer(peer: Peer, text: string, timezone: string, from: number): number | null | undefined {
  try {
    return PEERS[peer](text, timezone, from);
  } catch {
    return undefined;
  }
}

/**
 * Where the peers' documented rules aren't Vixie's or ours: a day field such as `*` + `/2` counts as restricted for them,
 * so that either day is enough; ranges that run backwards are refused, or their steps counted in another order; steps
 * from a number are refused (croner), or run up to 7, a second Sunday, and not to Saturday (cron-parser).
 */
function readOtherwise(text: string): boolean {
  const [, , day = '', , weekday = ''] = text.split(' ');
  const starStep = [day, weekday].some((field) => field.startsWith('*/'));
  const backwards = [...text.matchAll(/(\d+)-(\d+)/g)].some(
    ([, first, last]) => Number(first) > Number(last),
  );
  return backwards || /(?:^| )\d+\//.test(text) || (starStep && day !== '*' && weekday !== '*');
}
