import type { JobChange } from '../../domain/changes/index.ts';
import { type Sentence, say, type Told } from './plan-sentence.ts';
import { oneLine } from './text.ts';
import { localText } from './times.ts';

/** Where a job's file and function are, whether its history goes on, and whether it is paused. */
export function identitySentences(job: JobChange, told: Told): Sentence[] {
  return [
    ...lookalikeSentences(job),
    ...leftOutSentences(job, told),
    ...movedSentences(job),
    ...pausedSentences(job),
  ];
}

function lookalikeSentences({ id, kind, lookalike }: JobChange): Sentence[] {
  if (lookalike === undefined) return [];
  const look = 'file-moved';
  if (kind === 'added')
    return say(
      `it looks like ${lookalike}, which is removed: to go on as that, it needs id: '${lookalike}'`,
      look,
    );
  const left = 'If it was moved, its history, pause and what it owes stay behind';
  return say(
    `it looks like ${lookalike}, which is added. ${left}; write id: '${id}' there and it keeps them`,
    look,
  );
}

function leftOutSentences({ id, kind, lookalike }: JobChange, { leftOut }: Told): Sentence[] {
  if (kind !== 'removed' || lookalike !== undefined || !leftOut.has(id)) return [];
  return say('its file is still there: it leaves this stage out, or names another id');
}

function movedSentences({ before, after, stack, returns }: JobChange): Sentence[] {
  const isMoved = before !== undefined && after !== undefined && before.file !== after.file;
  const files = isMoved ? `from ${oneLine(before.file)} to ${oneLine(after.file)}` : '';
  const stacks = stack && `its function moves from stack ${stack.from} to ${stack.to}`;
  return [
    ...(isMoved ? say(`moved ${files}: it keeps its id, and with it history, slot and pause`) : []),
    ...(stacks ? say(`${stacks}; while both are there an alarm of either starts a fire once`) : []),
    ...(returns
      ? say('it was deployed before: its history goes on, and nothing is owed from in between')
      : []),
  ];
}

function pausedSentences({ kind, before, after, paused }: JobChange): Sentence[] {
  if (paused === undefined || kind === 'removed') return [];
  const since = localText(paused.at, (after ?? before)?.spec.timezone ?? 'UTC');
  const note = paused.note === '' ? '' : `: ${oneLine(paused.note)}`;
  const is = kind === 'added' ? 'comes back paused' : 'stays paused';
  return say(
    `${is}, since ${since} by ${oneLine(paused.by)}${note}; a deployment resumes nothing`,
    'stays-paused',
  );
}
