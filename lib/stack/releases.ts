import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch'
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy'
import type { CfnAlias } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { type ApiFunction, constructName } from '../functions/api-function.ts'
import type { Alarms } from '../watching/alarms.ts'
import { createServiceRole } from './service-role.ts'

/** How a release proceeds: gradually, judged by alarms, or at once. */
export type ReleaseMode = 'gradual' | 'now'

/** Returns the release mode of the context value `release`. Throws Error for any value but `now` and undefined. */
export const releaseMode = (named: unknown): ReleaseMode => {
  if (named === undefined) return 'gradual'
  if (named !== 'now') throw new Error(`-c release must be "now" or left out (got "${named}").`)
  return named
}

interface ReleasesProps {
  /** The functions to release, each with the alarm that judges it alone. */
  readonly releaseAlarms: ReadonlyMap<ApiFunction, Alarm>
  readonly alarms: Alarms
  readonly mode: ReleaseMode
}

/** Gradual releases: new code gets a tenth of the requests for five minutes and is rolled back if an alarm goes off. */
export class Releases extends Construct {
  constructor(scope: Construct, id: string, { releaseAlarms, alarms, mode }: ReleasesProps) {
    super(scope, id)
    const application = new LambdaApplication(this, 'Application')
    const role = createServiceRole(this, {
      service: 'codedeploy',
      policy: 'AWSCodeDeployRoleForLambdaLimited',
      reason:
        'AWS maintains the list of permissions that CodeDeploy needs to shift an alias. One role serves all functions.',
    })
    for (const [{ alias, served }, alarm] of releaseAlarms) {
      if (!alias) continue
      new LambdaDeploymentGroup(this, constructName(served), {
        application,
        role,
        alias,
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
        alarms: [alarm, alarms.serverErrors],
        autoRollback: { deploymentInAlarm: true, failedDeployment: true, stoppedDeployment: true },
      })
      // Without this policy, CloudFormation points the alias at the new version at once. The groups stay for later releases.
      if (mode === 'now') (alias.node.defaultChild as CfnAlias).addDeletionOverride('UpdatePolicy')
    }
  }
}
