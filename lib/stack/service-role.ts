import { Validations } from 'aws-cdk-lib'
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'

interface ServiceRoleProps {
  readonly service: string
  readonly policy: string
  /** Why a policy that AWS maintains is acceptable. */
  readonly reason: string
}

/** Creates the role of an AWS service with a policy that AWS maintains. */
export const createServiceRole = (scope: Construct, { service, policy, reason }: ServiceRoleProps): Role => {
  const name = `service-role/${policy}`
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal(`${service}.amazonaws.com`),
    managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(name)],
  })
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${name}]`,
    reason,
  })
  return role
}
