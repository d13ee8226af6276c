import { eventBridgeReading, lostOfFunction, type Written } from './eventbridge.ts';
import type { Reading } from './found.ts';
import { limitsOf } from './function-limits.ts';
import { type Fields, fieldsOf, listOf, presentKeys, shownValue, textOf } from './values.ts';
import type { YamlDocument } from './yaml-documents.ts';

type Path = readonly (string | number)[];

/** Whether a document is a configuration of the Serverless Framework. */
export function isServerless(value: unknown): boolean {
  const { functions, service, provider } = fieldsOf(value);
  return functions !== undefined && (service !== undefined || provider !== undefined);
}

/** The `schedule` events of a serverless.yml. */
export function readServerless({ value, lineOf }: YamlDocument): Reading[] {
  const { functions } = fieldsOf(value);
  // A list of maps is how several files are put together.
  const parts: { fields: unknown; path: Path }[] = Array.isArray(functions)
    ? functions.map((fields, index) => ({ fields, path: ['functions', index] }))
    : [{ fields: functions, path: ['functions'] }];
  return parts.flatMap(({ fields, path }) => {
    if (typeof fields === 'string') return [elsewhere(fields, lineOf(path))];
    return Object.entries(fieldsOf(fields)).flatMap(([name, one]) =>
      typeof one === 'string'
        ? [elsewhere(one, lineOf([...path, name]))]
        : schedulesOf(name, fieldsOf(one), { path: [...path, name], lineOf }).map(eventBridgeReading),
    );
  });
}

/** `${file(functions.yml)}` */
function elsewhere(what: string, line: number): Reading {
  return {
    found: [],
    refused: [{ line, what, why: 'stands in another file; import that one as it is when put together' }],
  };
}

function schedulesOf(
  name: string,
  fields: Fields,
  at: { path: Path; lineOf: (path: Path) => number },
): Written[] {
  const events = listOf(fields.events).map((event, index) => ({ schedule: fieldsOf(event).schedule, index }));
  const schedules = events.filter(({ schedule }) => schedule !== undefined);
  return schedules.map(({ schedule, index }) =>
    writtenOf(schedule, {
      name,
      fields,
      line: at.lineOf([...at.path, 'events', index, 'schedule']),
      isOnly: schedules.length === 1,
    }),
  );
}

interface Place {
  readonly name: string;
  readonly fields: Fields;
  readonly line: number;
  readonly isOnly: boolean;
}

/** Either the expression itself, or an object with `rate`. */
function writtenOf(schedule: unknown, { name, fields, line, isOnly }: Place): Written {
  const given = typeof schedule === 'string' ? { rate: schedule } : fieldsOf(schedule);
  const own = textOf(given.name);
  const input = given.input === undefined ? [] : [`input: ${shownValue(given.input)}`];
  const inputs = presentKeys(given, ['input', 'inputPath', 'inputTransformer']);
  return {
    line,
    what: `schedule of ${name}`,
    name: isOnly || own === undefined ? name : `${name}/${own}`,
    description: given.description ?? fields.description ?? `Function ${name}`,
    expression: given.rate,
    timezone: given.timezone,
    state: given.enabled,
    ran: [`function ${name}`, `handler ${shownValue(fields.handler ?? fields.image)}`, ...input].join('\n'),
    lost: [
      ...(inputs.length > 0 ? [`${inputs.join(', ')}: what a run was given belongs in run()`] : []),
      ...lostOfFunction(fields),
    ],
    limits: limitsOf(fields.timeout, fields.memorySize),
  };
}
