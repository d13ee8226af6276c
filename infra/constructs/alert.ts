import type { AlarmProps, IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';

/** Every alert, by the name of its section in infra/RUNBOOK.md. */
export const alertNames = ['reconciler silent', 'ledger gap', 'unreadable control messages'] as const;
export type AlertName = (typeof alertNames)[number];

export interface AlertProps extends Omit<AlarmProps, 'alarmName' | 'alarmDescription' | 'actionsEnabled'> {
  readonly stage: string;
  readonly name: AlertName;
  /** One sentence: what is wrong when it sounds. */
  readonly means: string;
  /** What it does when it sounds, and when it is over. */
  readonly action: IAlarmAction;
}

/** A CloudWatch's alarm under its runbook section's name. */
export class Alert extends Alarm {
  constructor(scope: Construct, { stage, name, means, action, ...alarm }: AlertProps) {
    super(scope, pascalCase(name), {
      ...alarm,
      alarmName: `fireledger-${stage} ${name}`,
      alarmDescription: `${means} What to do: infra/RUNBOOK.md, "${name}".`,
    });
    this.addAlarmAction(action);
    this.addOkAction(action);
  }
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^| )([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
