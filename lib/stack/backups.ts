import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { Schedule } from 'aws-cdk-lib/aws-events'
import { Construct } from 'constructs'
import { operatorKey } from '../operator-key.ts'
import type { StageSettings } from '../stages.ts'
import { createServiceRole } from './service-role.ts'

interface BackupsProps {
  readonly table: ITable
  readonly settings: StageSettings
  readonly backups: NonNullable<StageSettings['backups']>
}

/** A daily backup in a vault that outlives table and stack, copied to a second vault if the stage names one. */
export class Backups extends Construct {
  constructor(scope: Construct, id: string, { table, settings, backups }: BackupsProps) {
    super(scope, id)
    const encryptionKey = operatorKey(this, settings)
    const deleteAfter = Duration.days(backups.days)
    const { copyTo } = backups
    const plan = new BackupPlan(this, 'Plan', {
      backupVault: new BackupVault(this, 'Vault', {
        removalPolicy: RemovalPolicy.RETAIN,
        ...(encryptionKey ? { encryptionKey } : {}),
      }),
    })
    plan.addRule(
      new BackupPlanRule({
        ruleName: 'Daily',
        scheduleExpression: Schedule.cron({ hour: '3', minute: '0' }),
        deleteAfter,
        copyActions: copyTo
          ? [{ destinationBackupVault: BackupVault.fromBackupVaultArn(this, 'Copies', copyTo), deleteAfter }]
          : [],
      }),
    )
    plan.addSelection('Table', {
      resources: [BackupResource.fromArn(table.tableArn)],
      role: createServiceRole(this, {
        service: 'backup',
        policy: 'AWSBackupServiceRolePolicyForBackup',
        reason:
          'AWS maintains the list of permissions that AWS Backup needs to read a table and to copy a backup.',
      }),
      disableDefaultBackupPolicy: true,
    })
  }
}
