import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { AlarmGroup } from '../constructs/alarm-group.ts';
import { ControlQueue } from '../constructs/control-queue.ts';
import { StageDashboard } from '../constructs/dashboard.ts';
import { LedgerAlerts } from '../constructs/ledger-alerts.ts';
import { LedgerTable } from '../constructs/ledger-table.ts';
import { NoticesTopic } from '../constructs/notices-topic.ts';
import { Reconciler, reconcilerTimeout } from '../constructs/reconciler.ts';
import { type Stage, stackProps } from '../stage.ts';

export interface LedgerStackProps {
  readonly stage: Stage;
  /** The reconciler's bundle: a folder with index.js. */
  readonly reconcilerDir: string;
}

/** What all jobs of a stage share: table, control queue, topic of notices, alarm group and role, reconciler, alerts. */
export class LedgerStack extends Stack {
  constructor(scope: Construct, { stage, reconcilerDir }: LedgerStackProps) {
    super(scope, 'Ledger', stackProps(stage, 'ledger', 'the ledger, its reconciler and alerts'));
    const table = new LedgerTable(this, 'Table', stage);
    const queue = new ControlQueue(this, 'Control', {
      stage: stage.name,
      consumerTimeout: reconcilerTimeout,
    });
    const notices = new NoticesTopic(this, 'Notices', stage.name);
    const alarms = new AlarmGroup(this, 'Alarms', stage.name);
    const reconciler = new Reconciler(this, 'Reconciler', {
      stage,
      bundleDir: reconcilerDir,
      controlMessages: queue.messages,
      notices,
    });
    reconciler.everyMinute.node.addDependency(table, queue, alarms);
    if (stage.alerts === 'off') return;
    const { action } = notices;
    const { all } = new LedgerAlerts(this, 'Alerts', {
      stage: stage.name,
      unreadable: queue.unreadable,
      action,
    });
    new StageDashboard(this, 'Dashboard', { stage: stage.name, alerts: all });
  }
}
