import { RemovalPolicy } from 'aws-cdk-lib'
import type { LogGroupProps } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { operatorKey } from './operator-key.ts'
import type { StageSettings } from './stages.ts'

export const logGroupProps = (scope: Construct, settings: StageSettings): LogGroupProps => {
  const encryptionKey = operatorKey(scope, settings)
  return {
    retention: settings.logs.days,
    // If creating the stack fails, its empty groups are deleted. Otherwise their names would stay taken.
    removalPolicy: settings.table.kept ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    ...(encryptionKey ? { encryptionKey } : {}),
  }
}
