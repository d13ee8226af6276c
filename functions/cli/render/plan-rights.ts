import type { Grant, JobChange } from '../../domain/changes/index.ts';
import { either, type Sentence, say, sayOf } from './plan-sentence.ts';
import { counted, named, oneLine } from './text.ts';

const mostNamed = 5;

/** What a job's role may do and its code can read, where that is another. */
export function rightSentences({ kind, rights }: JobChange): Sentence[] {
  const { granted, withdrawn, newSecrets, lostSecrets, vpc } = rights;
  if (kind === 'removed') return [];
  const look = 'rights-grow';
  const isNew = kind === 'added';
  const may = isNew ? 'its role may' : 'it may do what it could not';
  return [
    ...sayOf(granted, `${may}: ${grantsText(granted)}`, look),
    ...sayOf(newSecrets, `it reads ${secretsText(newSecrets)}${isNew ? '' : ', which it could not'}`, look),
    ...sayOf(withdrawn, `it may no longer: ${grantsText(withdrawn)}`),
    ...sayOf(lostSecrets, `it no longer reads ${secretsText(lostSecrets)}`),
    ...(vpc ? say(`vpc: ${oneLine(vpc.from ?? 'none')} → ${oneLine(vpc.to ?? 'none')}`) : []),
  ];
}

function secretsText(names: readonly string[]): string {
  return `the ${either(names, 'secret', 'secrets')} ${named(names.map(oneLine), mostNamed)}`;
}

/** `s3:GetObject, s3:ListBucket on arn:aws:s3:::reports` */
function grantsText(grants: readonly Grant[]): string {
  const resources = [...new Set(grants.map(({ resource }) => resource))];
  const told = resources.map((resource) => {
    const actions = grants.filter((grant) => grant.resource === resource).map(({ action }) => action);
    return `${named(actions.map(oneLine), mostNamed)} on ${oneLine(resource)}`;
  });
  const more = told.length - mostNamed;
  return `${told.slice(0, mostNamed).join('; ')}${more > 0 ? `; and on ${counted(more, 'more resource')}` : ''}`;
}
