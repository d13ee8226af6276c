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

/** What IAM would answer, for the operators that our policies use. Another operator is an error of the test. */
export function isAllowed(statements: readonly Statement[], request: Request): boolean {
  return statements.some(
    (statement) =>
      statement.Effect === 'Allow' &&
      list(statement.Action).some((pattern) => like(pattern, request.action)) &&
      list(statement.Resource).some((pattern) => like(pattern, request.resource)) &&
      conditionHolds(statement.Condition ?? {}, request.context ?? {}),
  );
}

function conditionHolds(
  condition: NonNullable<Statement['Condition']>,
  context: NonNullable<Request['context']>,
): boolean {
  return Object.entries(condition).every(([operator, keys]) =>
    Object.entries(keys).every(([key, allowed]) => {
      const values = context[key] ?? [];
      if (operator === 'ForAllValues:StringLike')
        return values.every((value) => list(allowed).some((pattern) => like(pattern, value)));
      if (operator === 'StringEquals')
        return values.length === 1 && values.every((value) => list(allowed).includes(value));
      throw new Error(`No idea how IAM evaluates ${operator}`);
    }),
  );
}

export function list<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T];
}

function like(pattern: string, text: string): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(text);
}
