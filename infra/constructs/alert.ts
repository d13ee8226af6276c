import type { CreateAlarmOptions, IAlarmAction, IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { AlertName } from '../../functions/contract.ts';

export interface AlertProps
  extends Omit<CreateAlarmOptions, 'alarmName' | 'alarmDescription' | 'actionsEnabled' | 'treatMissingData'>,
    Required<Pick<CreateAlarmOptions, 'treatMissingData'>> {
  readonly stage: string;
  readonly name: AlertName;
  /** One sentence: what is wrong when it sounds. */
  readonly means: string;
  readonly metric: IMetric;
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
