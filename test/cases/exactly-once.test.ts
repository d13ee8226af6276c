import { answerCases } from './answered.ts';
import { answers } from './exactly-once-answers.ts';
import { scenarios } from './exactly-once-scenarios.ts';

answerCases('double runs and stuck records that others met', {
  file: 'test/cases/exactly-once.json',
  scenarios,
  answers,
});
