import { Validations } from 'aws-cdk-lib'
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy'
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Construct } from 'constructs'
import type { Alarms } from '../watching/alarms.ts'
import { type ApiFunction, constructName } from './api-function.ts'

const POLICY = 'service-role/AWSCodeDeployRoleForLambdaLimited'

/** Gradual releases: new code gets a tenth of the requests for five minutes, and goes back when an alarm rings. */
export class Releases extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { functions, alarms }: { readonly functions: readonly ApiFunction[]; readonly alarms: Alarms },
  ) {
    super(scope, id)
    const application = new LambdaApplication(this, 'Application')
    const role = this.createRole()
    for (const each of functions) {
      if (!each.alias) continue
      new LambdaDeploymentGroup(this, constructName(each.served), {
        application,
        role,
        alias: each.alias,
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
        alarms: alarms.forRelease(each),
        autoRollback: { deploymentInAlarm: true, failedDeployment: true, stoppedDeployment: true },
      })
    }
  }

  private createRole(): Role {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(POLICY)],
    })
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${POLICY}]`,
      reason: 'What CodeDeploy needs to shift an alias is for AWS to say; one role serves all functions.',
    })
    return role
  }
}
