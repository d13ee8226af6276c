import { answerCases } from './answered.ts';
import { answers } from './deploy-answers.ts';
import { scenarios } from './deploy-scenarios.ts';

answerCases('limits, names, leftovers, rights, zones and bundles that others met', {
  file: 'test/cases/deploy.json',
  scenarios,
  answers,
});
