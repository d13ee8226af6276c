import { answerCases } from './answered.ts';
import { answers } from './missed-and-backfill-answers.ts';
import { scenarios } from './missed-and-backfill-scenarios.ts';

answerCases('missed runs, pauses, edits and clocks that others met', {
  file: 'test/cases/missed-and-backfill.json',
  scenarios,
  answers,
});
