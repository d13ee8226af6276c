import { isPlainObject } from './check-shape.ts';
import { type Findings, kindOf, shown } from './problem.ts';

/** Each is a line of its role's policy, which IAM bounds: so many, and so many characters of all their names. */
const most = 20;
const longestNames = 1_000;
const example = "such as { API_KEY: 'billing/api-key' }";

/**
 * Which secrets the job's code reads. Undefined when there are none, or when something was refused. What stands there is never
 * shown: somebody may have written the secret itself.
 */
export function checkSecrets(
  value: unknown,
  { report }: Findings,
): Readonly<Record<string, string>> | undefined {
  if (value === undefined) return undefined;
  if (!isPlainObject(value)) {
    report('secrets', `secrets: is ${kindOf(value)}; allowed is an object of names, ${example}`);
    return undefined;
  }
  const entries = Object.entries(value);
  if (entries.length > most)
    report('secrets', `secrets: has ${entries.length} of them; at most ${most} are allowed`);
  const checked = entries.flatMap(([name, kept]): [string, string][] => {
    const where = `secrets.${name}`;
    if (!/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name))
      report(
        'secrets',
        `secrets: the name ${shown(name)} is not allowed; allowed is a letter, then up to 63 of letters, digits and "_"`,
      );
    if (typeof kept !== 'string') {
      report(where, `${where}: is ${kindOf(kept)}; allowed is the name under which it is kept, ${example}`);
      return [];
    }
    const problem = placeProblem(kept);
    if (problem !== null) report(where, `${where}: ${problem}`);
    return [[name, kept]];
  });
  const length = checked.reduce((sum, [, kept]) => sum + kept.length, 0);
  if (length > longestNames)
    report(
      'secrets',
      `secrets: their names have ${length} characters; at most ${longestNames} are allowed, since IAM bounds a role's policies`,
    );
  return checked.length === 0 ? undefined : Object.fromEntries(checked);
}

const parameterName = /^\/[A-Za-z0-9_.-]+(\/[A-Za-z0-9_.-]+){0,14}$/;
const secretName = /^[A-Za-z0-9_+=.@-][A-Za-z0-9/_+=.@-]{0,511}$/;
const longestParameterName = 1_011;

function placeProblem(kept: string): string | null {
  if (kept.startsWith('arn:'))
    return "begins like an ARN; write the secret's name alone. One of another account is for the job's own client and permissions";
  const [name = '', key, ...more] = kept.replaceAll('{stage}', 'stage').split('#');
  if (more.length > 0 || key === '')
    return 'has a "#" that is not followed by one key; write it as billing/database#password';
  if (/[{}]/.test(name)) return 'has "{" or "}"; the only part that is filled in is {stage}';
  if (name.startsWith('/'))
    return parameterName.test(name) && name.length <= longestParameterName
      ? null
      : 'is no name of Parameter Store; allowed are up to 15 parts of letters, digits, "_", "." and "-", each after a "/"';
  return secretName.test(name)
    ? null
    : 'is no name of Secrets Manager; allowed are up to 512 letters, digits and "/_+=.@-". Not the secret itself, but where it is kept';
}
