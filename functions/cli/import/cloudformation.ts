import {
  eventBridgeReading,
  lostOfFunction,
  lostOfTarget,
  lostOfWindow,
  type Written,
} from './eventbridge.ts';
import type { Reading } from './found.ts';
import { limitsOf } from './function-limits.ts';
import { type Fields, fieldsOf, listOf, shownValue, textOf } from './values.ts';
import type { YamlDocument } from './yaml-documents.ts';

interface Resource {
  readonly id: string;
  readonly type: string;
  readonly properties: Fields;
  /** The name of its condition. */
  readonly condition: string | undefined;
  readonly lineOf: (...path: string[]) => number;
}

/** The schedules of a CloudFormation or SAM template. */
export function readCloudFormation({ value, lineOf }: YamlDocument): Reading[] {
  return Object.entries(fieldsOf(fieldsOf(value).Resources)).flatMap(([id, resource]) => {
    const { Type: type, Properties: properties, Condition: condition } = fieldsOf(resource);
    return writtenIn({
      id,
      type: textOf(type) ?? '',
      properties: fieldsOf(properties),
      condition: textOf(condition),
      lineOf: (...path) => lineOf(['Resources', id, 'Properties', ...path]),
    }).map(eventBridgeReading);
  });
}

function writtenIn(resource: Resource): Written[] {
  switch (resource.type) {
    case 'AWS::Scheduler::Schedule':
      return [schedulerSchedule(resource)];
    case 'AWS::Events::Rule':
      return resource.properties.ScheduleExpression === undefined ? [] : [rule(resource)];
    case 'AWS::Serverless::Function':
    case 'AWS::Serverless::StateMachine':
      return events(resource);
    default:
      return [];
  }
}

function schedulerSchedule({ id, properties, condition, lineOf }: Resource): Written {
  const target = fieldsOf(properties.Target);
  return {
    line: lineOf('ScheduleExpression'),
    what: `schedule ${id}`,
    name: textOf(properties.Name) ?? nameOf(id),
    description: properties.Description ?? `Schedule ${id}`,
    expression: properties.ScheduleExpression,
    timezone: properties.ScheduleExpressionTimezone,
    start: properties.StartDate,
    end: properties.EndDate,
    state: properties.State,
    ran: targetText(target),
    lost: [
      ...lostOfWindow(properties.FlexibleTimeWindow),
      ...lostOfTarget(target),
      ...lostOfCondition(condition),
    ],
  };
}

function rule({ id, properties, condition, lineOf }: Resource): Written {
  const targets = listOf(properties.Targets).map(fieldsOf);
  return {
    line: lineOf('ScheduleExpression'),
    what: `rule ${id}`,
    name: textOf(properties.Name) ?? nameOf(id),
    description: properties.Description ?? `Rule ${id}`,
    expression: properties.ScheduleExpression,
    state: properties.State,
    ran: targets.map(targetText).join('\n'),
    lost: [
      ...(targets.length > 1 ? [`${targets.length} targets: one handler does the work of all`] : []),
      ...new Set(targets.flatMap(lostOfTarget)),
      ...lostOfCondition(condition),
    ],
  };
}

/** A logical id without the hash that the CDK appends. */
function nameOf(id: string): string {
  return id.replace(/(?<=[a-z])[0-9A-F]{8}$/, '');
}

function targetText({ Arn: arn, Input: input }: Fields): string {
  return [
    shownValue(arn ?? 'no target'),
    ...(input === undefined ? [] : [`Input: ${shownValue(input)}`]),
  ].join('\n');
}

function lostOfCondition(condition: string | undefined): string[] {
  return condition === undefined ? [] : [`Condition ${condition}: see the option stages`];
}

/** The schedules among the events of a SAM function or state machine. */
function events(resource: Resource): Written[] {
  const schedules = Object.entries(fieldsOf(resource.properties.Events)).filter(([, event]) =>
    ['Schedule', 'ScheduleV2'].some((type) => type === fieldsOf(event).Type),
  );
  return schedules.map(([eventId, event]) =>
    samEvent(eventId, fieldsOf(event), { ...resource, isOnly: schedules.length === 1 }),
  );
}

function samEvent(
  eventId: string,
  event: Fields,
  { id, type, properties, condition, lineOf, isOnly }: Resource & { isOnly: boolean },
): Written {
  const given = fieldsOf(event.Properties);
  const key = event.Type === 'Schedule' ? 'Schedule' : 'ScheduleExpression';
  const input = given.Input === undefined ? [] : [`Input: ${shownValue(given.Input)}`];
  return {
    line: lineOf('Events', eventId, 'Properties', key),
    what: `event ${eventId} of ${id}`,
    name: isOnly ? nameOf(id) : `${nameOf(id)}/${eventId}`,
    description: given.Description ?? properties.Description ?? `${id}, on ${eventId}`,
    expression: given[key],
    timezone: given.ScheduleExpressionTimezone,
    start: given.StartDate,
    end: given.EndDate,
    state: given.State ?? given.Enabled,
    ran: [
      `${type.replace('AWS::Serverless::', '').toLowerCase()} ${id}`,
      ...codeOf(properties),
      ...input,
    ].join('\n'),
    lost: [
      ...lostOfWindow(given.FlexibleTimeWindow),
      ...lostOfTarget(given),
      ...lostOfFunction(properties),
      ...lostOfCondition(condition),
    ],
    limits: limitsOf(properties.Timeout, properties.MemorySize),
  };
}

function codeOf({
  Handler: handler,
  CodeUri: code,
  ImageUri: image,
  DefinitionUri: definition,
}: Fields): string[] {
  return Object.entries({ handler, code, image, definition }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${shownValue(value)}`],
  );
}
