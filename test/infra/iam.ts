import type { Properties, Resource } from './synthesised.ts';

export interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

export interface Request {
  readonly action: string;
  readonly resource: string;
  /** Condition keys of the request, each with all its values. */
  readonly context?: Readonly<Record<string, readonly string[]>>;
}

/** The statements of a role's inline policies. */
export function statementsOf(role: Resource): Statement[] {
  const policies = (role.properties.Policies ?? []) as readonly Properties[];
  return policies.flatMap(({ PolicyDocument }) => (PolicyDocument as { Statement: Statement[] }).Statement);
}

/** What IAM would answer: no `Deny` applies, and an `Allow` does. What our policies don't use is an error of the test. */
export function isAllowed(statements: readonly Statement[], request: Request): boolean {
  const applying = statements.filter((statement) => applies(statement, request));
  return (
    applying.some(({ Effect }) => Effect === 'Allow') && !applying.some(({ Effect }) => Effect === 'Deny')
  );
}

const known = ['Sid', 'Effect', 'Action', 'Resource', 'Condition'];

function applies(statement: Statement, { action, resource, context = {} }: Request): boolean {
  for (const part of Object.keys(statement))
    if (!known.includes(part)) throw new Error(`No idea how IAM evaluates ${part}`);
  return (
    // Actions are the one thing whose case doesn't matter.
    list(statement.Action).some((pattern) => like(pattern.toLowerCase(), action.toLowerCase())) &&
    list(statement.Resource).some((pattern) => like(pattern, resource)) &&
    Object.entries(statement.Condition ?? {}).every(([operator, keys]) =>
      Object.entries(keys).every(([key, wanted]) => holds(operator, context[key] ?? [], list(wanted))),
    )
  );
}

/** `values`: what the request says under the key; nothing when it has no such key. */
function holds(operator: string, values: readonly string[], wanted: readonly string[]): boolean {
  const oneLike = () =>
    values.length === 1 && values.every((value) => wanted.some((one) => like(one, value)));
  switch (operator) {
    // Of no value at all it is true, which is why it never stands alone.
    case 'ForAllValues:StringLike':
      return values.every((value) => wanted.some((pattern) => like(pattern, value)));
    case 'Null':
      return wanted.some((absent) => (absent === 'true') === (values.length === 0));
    case 'StringEquals':
      return values.length === 1 && values.every((value) => wanted.includes(value));
    case 'StringLike':
    case 'ArnEquals':
    case 'ArnLike':
      return oneLike();
    case 'Bool':
      return values.length === 1 && values.every((value) => wanted.includes(value));
    default:
      throw new Error(`No idea how IAM evaluates ${operator}`);
  }
}

export function list<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T];
}

function like(pattern: string, text: string): boolean {
  if (pattern.includes('${')) throw new Error(`No idea what IAM puts in place of ${pattern}`);
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(text);
}
