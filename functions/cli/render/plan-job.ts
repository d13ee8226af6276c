import type { JobChange } from '../../domain/changes/index.ts';
import { fireSentences } from './plan-fires.ts';
import { identitySentences } from './plan-identity.ts';
import { optionSentences } from './plan-options.ts';
import { rightSentences } from './plan-rights.ts';
import { runSentences } from './plan-runs.ts';
import { type Sentence, type Told, worstFirst } from './plan-sentence.ts';

/** What a deployment means for a job, the worst first. */
export function jobSentences(job: JobChange, told: Told): Sentence[] {
  const sentences = [
    ...runSentences(job, told),
    ...identitySentences(job, told),
    ...fireSentences(job, told),
    ...optionSentences(job),
    ...rightSentences(job),
  ];
  // The words are the same whether a person should look or not: that is decided elsewhere, and once.
  const judged = sentences.map(({ text, look }) =>
    look !== undefined && job.looks.includes(look) ? { text, look } : { text },
  );
  return worstFirst(judged);
}
