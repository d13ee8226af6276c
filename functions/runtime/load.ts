import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ManifestJob } from '../domain/manifest.ts';
import { timetable } from '../domain/schedule/index.ts';
import type { Fire, Job } from '../job.ts';
import type { LoadedJob } from './ports.ts';

/** Brings what the manifest says of a job together with its code. */
export function loadJob<Input>(entry: ManifestJob, job: Job<Input>): LoadedJob {
  const { run, input: schema } = job.options;
  return {
    entry,
    timetable: timetable(entry.spec),
    run: async (fire, ctx) => run({ ...fire, input: await inputOf(fire, schema) }, ctx),
  };
}

/** The input of a manual run did not pass its job's own schema. Job code was not started. */
export class InputRefused extends Error {
  constructor(issues: readonly StandardSchemaV1.Issue[]) {
    super(`the input of this manual run was refused: ${issues.map(describe).join('; ')}`);
    this.name = 'InputRefused';
  }
}

/** Only people give input, so only manual runs are checked; a scheduled fire has none. */
async function inputOf<Input>(
  fire: Fire,
  schema: StandardSchemaV1<unknown, Input> | undefined,
): Promise<Input> {
  return fire.trigger === 'manual' ? validInput(fire.input, schema) : (fire.input as Input);
}

/**
 * The input of a manual run as its job's schema gives it. A job without a schema takes none: its code would not look at it, and do
 * all that it does.
 *
 * @throws InputRefused
 */
export async function validInput<Input>(
  input: unknown,
  schema: StandardSchemaV1<unknown, Input> | undefined,
): Promise<Input> {
  if (schema === undefined && input !== undefined)
    throw new InputRefused([{ message: "its job takes none, since its file has no 'input'" }]);
  if (schema === undefined) return input as Input;
  const checked = await schema['~standard'].validate(input);
  if (checked.issues !== undefined) throw new InputRefused(checked.issues);
  return checked.value;
}

function describe({ path = [], message }: StandardSchemaV1.Issue): string {
  const place = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
  return place === '' ? message : `${place}: ${message}`;
}
