import { longestTimeoutMs } from '../../contract.ts';
import { cron } from '../../domain/schedule/index.ts';
import { hour, minute, second } from '../../domain/time.ts';
import type { Found, Reading } from './found.ts';
import {
  booleanOf,
  type Fields,
  fieldsOf,
  listOf,
  numberOf,
  presentKeys,
  shownValue,
  textOf,
} from './values.ts';
import type { YamlDocument } from './yaml-documents.ts';

type Path = readonly (string | number)[];

/** The CronJobs of a document, those of a List included. */
export function readKubernetes({ value, lineOf }: YamlDocument): Reading[] {
  return cronJobsIn(value, []).map(({ fields, path }) =>
    readCronJob(fields, lineOf([...path, 'spec', 'schedule'])),
  );
}

function cronJobsIn(value: unknown, path: Path): { fields: Fields; path: Path }[] {
  const fields = fieldsOf(value);
  if (fields.kind === 'CronJob') return [{ fields, path }];
  if (typeof fields.kind !== 'string' || !fields.kind.endsWith('List')) return [];
  return listOf(fields.items).flatMap((item, index) => cronJobsIn(item, [...path, 'items', index]));
}

function readCronJob(cronJob: Fields, line: number): Reading {
  const metadata = fieldsOf(cronJob.metadata);
  const spec = fieldsOf(cronJob.spec);
  const name = textOf(metadata.name) ?? textOf(metadata.generateName) ?? 'job';
  const namespace = textOf(metadata.namespace);
  const schedule = textOf(spec.schedule);
  if (schedule === undefined) {
    const why = `its schedule is ${spec.schedule === undefined ? 'missing' : shownValue(spec.schedule)}; a text such as "0 3 * * *" is needed`;
    return { found: [], refused: [{ line, what: `CronJob ${name}`, why }] };
  }
  // Not documented, but the library behind it read a zone in front of the fields.
  const [, prefix, expression = schedule] = /^(?:CRON_TZ|TZ)=(\S+)\s+(.*)$/.exec(schedule.trim()) ?? [];
  const timezone = textOf(spec.timeZone) ?? prefix;
  const job = fieldsOf(fieldsOf(spec.jobTemplate).spec);
  const pod = fieldsOf(fieldsOf(job.template).spec);
  return {
    refused: [],
    found: [
      {
        system: 'Kubernetes',
        line,
        name: namespace === undefined ? name : `${namespace}/${name}`,
        description: descriptionOf(metadata) ?? `CronJob ${name}`,
        schedules: [cron(expression)],
        ...(timezone && { timezone }),
        dst: { gap: 'skip', repeat: 'both' },
        ran: listOf(pod.containers).map(containerText).join('\n'),
        overlap:
          textOf(spec.concurrencyPolicy) === 'Forbid' || textOf(spec.concurrencyPolicy) === 'Replace'
            ? 'skip'
            : 'allow',
        ...graceOf(spec),
        ...timeoutOf(job),
        ...(booleanOf(spec.suspend) && { off: 'it was suspended' }),
        lost: [...lostOfSchedule(spec), ...lostOfJob(job), ...lostOfPod(pod)],
      },
    ],
  };
}

function descriptionOf(metadata: Fields): string | undefined {
  const annotations = Object.entries(fieldsOf(metadata.annotations));
  return textOf(annotations.find(([key]) => /(^|\/)description$/.test(key))?.[1]);
}

function containerText(value: unknown): string {
  const { image, command, args } = fieldsOf(value);
  const words = [...listOf(command), ...listOf(args)].map((word) => {
    const text = String(word);
    return /^[\w@%+=:,./-]+$/.test(text) ? text : JSON.stringify(text);
  });
  return [`image ${shownValue(image)}`, ...(words.length > 0 ? [words.join(' ')] : [])].join('\n');
}

/** How late Kubernetes may still start one; what is outside our bounds is moved to the nearest. */
function graceOf(spec: Fields): Pick<Found, 'graceMs'> {
  const seconds = numberOf(spec.startingDeadlineSeconds);
  if (seconds === undefined) return {};
  return { graceMs: Math.min(24 * hour, Math.max(minute, Math.round(seconds) * second)) };
}

function timeoutOf(job: Fields): Pick<Found, 'timeoutMs'> {
  const seconds = numberOf(job.activeDeadlineSeconds);
  if (seconds === undefined || seconds < 1) return {};
  return { timeoutMs: Math.min(longestTimeoutMs, Math.round(seconds) * second) };
}

function lostOfSchedule(spec: Fields): string[] {
  const deadline = numberOf(spec.startingDeadlineSeconds);
  const outOfBounds = deadline !== undefined && (deadline * second < minute || deadline * second > 24 * hour);
  return [
    ...(textOf(spec.concurrencyPolicy) === 'Replace'
      ? ['concurrencyPolicy Replace: the running one is not ended for the new one, which is skipped']
      : []),
    ...(outOfBounds ? [`startingDeadlineSeconds ${deadline}: the grace is from 1 minute to 24 hours`] : []),
  ];
}

function lostOfJob(job: Fields): string[] {
  const [deadline, retries] = [numberOf(job.activeDeadlineSeconds), numberOf(job.backoffLimit)];
  const several = presentKeys(job, ['parallelism', 'completions', 'completionMode']);
  return [
    ...(deadline !== undefined && deadline * second > longestTimeoutMs
      ? [`activeDeadlineSeconds ${deadline}: one attempt takes 14.5 minutes at most`]
      : []),
    // Its default is 6.
    ...(retries === 0
      ? []
      : [`backoffLimit ${retries ?? '6 (the default)'}: a failed run is not tried again by itself`]),
    ...(several.length > 0 ? [`${several.join(', ')}: a fire is one run`] : []),
  ];
}

function lostOfPod(pod: Fields): string[] {
  const containers = listOf(pod.containers).map(fieldsOf);
  const names = containers.flatMap(({ env }) =>
    listOf(env).flatMap((one) => textOf(fieldsOf(one).name) ?? []),
  );
  const environment = [
    ...names,
    ...(containers.some(({ envFrom }) => envFrom !== undefined) ? ['envFrom'] : []),
  ];
  const others = presentKeys(pod, [
    'initContainers',
    'volumes',
    'serviceAccountName',
    'nodeSelector',
    'tolerations',
    'affinity',
  ]);
  return [
    ...(environment.length > 0
      ? [`environment ${environment.join(', ')}: see the options environment and secrets`]
      : []),
    ...(containers.length > 1 ? [`${containers.length} containers: one handler does the work`] : []),
    ...(others.length > 0 ? [`of its pod: ${others.join(', ')}`] : []),
  ];
}
