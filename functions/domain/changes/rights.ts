import type { ManifestJob, Permission } from '../manifest.ts';

/** One action on one resource, as IAM reads a permission. */
export interface Grant {
  readonly action: string;
  readonly resource: string;
}

/** What a job's role may do and what its code can read, compared. */
export interface RightsChanges {
  /** Actions that were not allowed; those that a wider one had covered are nothing new. */
  readonly granted: readonly Grant[];
  readonly withdrawn: readonly Grant[];
  /** Names of secrets that it could not read. */
  readonly newSecrets: readonly string[];
  readonly lostSecrets: readonly string[];
  /** Its function is in another network; undefined: none. */
  readonly vpc?: { readonly from: string | undefined; readonly to: string | undefined };
}

type Rights = Pick<ManifestJob, 'permissions' | 'secrets' | 'vpc'>;

/** Null: a job that isn't there may do nothing. */
export function compareRights(before: Rights | null, after: Rights | null): RightsChanges {
  const [had, has] = [grantsOf(before), grantsOf(after)];
  const [knew, knows] = [secretsOf(before), secretsOf(after)];
  const movesNetwork = before !== null && after !== null && before.vpc !== after.vpc;
  return {
    granted: has.filter((grant) => !had.some((other) => covers(other, grant))),
    withdrawn: had.filter((grant) => !has.some((other) => covers(other, grant))),
    newSecrets: knows.filter((name) => !knew.includes(name)),
    lostSecrets: knew.filter((name) => !knows.includes(name)),
    ...(movesNetwork && { vpc: { from: before.vpc, to: after.vpc } }),
  };
}

function secretsOf(rights: Rights | null): string[] {
  return [...new Set(Object.values(rights?.secrets ?? {}))].sort();
}

function grantsOf(rights: Rights | null): Grant[] {
  return (rights?.permissions ?? []).flatMap(({ actions, resources }: Permission) =>
    actions.flatMap((action) => resources.map((resource) => ({ action, resource }))),
  );
}

function covers(wide: Grant, narrow: Grant): boolean {
  // IAM reads actions without regard to case, and resources with.
  const action = matches(wide.action.toLowerCase(), narrow.action.toLowerCase());
  return action && matches(wide.resource, narrow.resource);
}

/** `*` is any text and `?` any character; those in the narrower one stand for themselves, so that no `?` covers its `*`. */
function matches(pattern: string, text: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '[^*]');
  return new RegExp(`^${source}$`, 's').test(text);
}
