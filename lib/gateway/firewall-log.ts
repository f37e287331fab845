import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { CfnLoggingConfiguration, type CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import { Construct } from 'constructs'
import type { StageSettings } from '../stages.ts'

/** A record of each request that the firewall refused, and of no other. */
export class FirewallLog extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { acl, days }: { readonly acl: CfnWebACL; readonly days: StageSettings['logs']['days'] },
  ) {
    super(scope, id)
    const stack = Stack.of(this)
    const group = new LogGroup(this, 'Group', {
      // The firewall writes to names that begin so, and to no other.
      logGroupName: `aws-waf-logs-${stack.stackName}`,
      retention: days,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const arn = stack.formatArn({
      service: 'logs',
      resource: 'log-group',
      resourceName: group.logGroupName,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    })
    new CfnLoggingConfiguration(this, 'Configuration', {
      resourceArn: acl.attrArn,
      logDestinationConfigs: [arn],
      redactedFields: [{ singleHeader: { Name: 'authorization' } }],
      loggingFilter: {
        DefaultBehavior: 'DROP',
        Filters: [
          {
            Behavior: 'KEEP',
            Requirement: 'MEETS_ANY',
            Conditions: [{ ActionCondition: { Action: 'BLOCK' } }],
          },
        ],
      },
    })
  }
}
