import type { Grant, JobChange } from '../../domain/changes/index.ts';
import { fireSentences } from './plan-fires.ts';
import { optionSentences } from './plan-options.ts';
import { runSentences } from './plan-runs.ts';
import { either, type Sentence, type Told, worstFirst } from './plan-sentence.ts';
import { counted, named, oneLine } from './text.ts';
import { localText } from './times.ts';

/** What a deployment means for a job, the worst first. */
export function jobSentences(job: JobChange, told: Told): Sentence[] {
  return worstFirst([
    ...runSentences(job, told),
    ...identitySentences(job, told),
    ...fireSentences(job, told),
    ...optionSentences(job),
    ...rightSentences(job),
    ...pausedSentences(job),
  ]);
}

/** Where its file and its function are, and whether its history goes on. */
function identitySentences(job: JobChange, { leftOut }: Told): Sentence[] {
  const { id, kind, before, after, lookalike, stack, returns } = job;
  return [
    ...lookalikeSentences(job),
    ...(kind === 'removed' && lookalike === undefined && leftOut.has(id)
      ? [{ text: 'its file is still there: it leaves this stage out, or names another id' }]
      : []),
    ...(kind === 'changed' && before?.file !== after?.file
      ? [
          {
            text: `moved from ${oneLine(before?.file ?? '')} to ${oneLine(after?.file ?? '')}: it keeps its id, and with it history, slot and pause`,
          },
        ]
      : []),
    ...(stack
      ? [
          {
            text: `its function moves from stack ${stack.from} to ${stack.to}; while both are there an alarm of either starts a fire once`,
          },
        ]
      : []),
    ...(returns
      ? [{ text: 'it was deployed before: its history goes on, and nothing is owed from in between' }]
      : []),
  ];
}

function lookalikeSentences({ id, kind, lookalike }: JobChange): Sentence[] {
  if (lookalike === undefined) return [];
  const look = 'file-moved';
  if (kind === 'removed')
    return [
      {
        text: `it looks like ${lookalike}, which is added. If it was moved, its history, pause and what it owes stay behind; write id: '${id}' there and it keeps them`,
        look,
      },
    ];
  return [
    {
      text: `it looks like ${lookalike}, which is removed: to go on as that, it needs id: '${lookalike}'`,
      look,
    },
  ];
}

const mostNamed = 5;

function rightSentences({ kind, rights }: JobChange): Sentence[] {
  const { granted, withdrawn, newSecrets, lostSecrets, vpc } = rights;
  if (kind === 'removed') return [];
  const look = 'rights-grow';
  const secrets = (names: readonly string[]) =>
    `the ${either(names.length, 'secret', 'secrets')} ${named(names.map(oneLine), mostNamed)}`;
  return [
    ...(granted.length > 0
      ? [
          {
            text: `${kind === 'added' ? 'its role may' : 'it may do what it could not'}: ${grantsText(granted)}`,
            look,
          } as const,
        ]
      : []),
    ...(newSecrets.length > 0
      ? [
          {
            text: `it reads ${secrets(newSecrets)}${kind === 'added' ? '' : ', which it could not'}`,
            look,
          } as const,
        ]
      : []),
    ...(withdrawn.length > 0 ? [{ text: `it may no longer: ${grantsText(withdrawn)}` }] : []),
    ...(lostSecrets.length > 0 ? [{ text: `it no longer reads ${secrets(lostSecrets)}` }] : []),
    ...(vpc ? [{ text: `vpc: ${oneLine(vpc.from ?? 'none')} → ${oneLine(vpc.to ?? 'none')}` }] : []),
  ];
}

/** `s3:GetObject and s3:ListBucket on arn:aws:s3:::reports` */
function grantsText(grants: readonly Grant[]): string {
  const resources = [...new Set(grants.map(({ resource }) => resource))];
  const told = resources.map((resource) => {
    const actions = grants.filter((grant) => grant.resource === resource).map(({ action }) => action);
    return `${named(actions.map(oneLine), mostNamed)} on ${oneLine(resource)}`;
  });
  const more = told.length - mostNamed;
  return `${told.slice(0, mostNamed).join('; ')}${more > 0 ? `; and on ${counted(more, 'more resource')}` : ''}`;
}

function pausedSentences({ kind, before, after, paused }: JobChange): Sentence[] {
  if (paused === undefined || kind === 'removed') return [];
  const since = localText(paused.at, (after ?? before)?.spec.timezone ?? 'UTC');
  const note = paused.note === '' ? '' : `: ${oneLine(paused.note)}`;
  const is = kind === 'added' ? 'comes back paused' : 'stays paused';
  return [
    {
      text: `${is}, since ${since} by ${oneLine(paused.by)}${note}; a deployment resumes nothing`,
      look: 'stays-paused',
    },
  ];
}
