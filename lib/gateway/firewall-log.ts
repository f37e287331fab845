import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs'
import { CfnLoggingConfiguration, type CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import { Construct } from 'constructs'
import { logGroupProps } from '../log-group.ts'
import type { StageSettings } from '../stages.ts'

/** The log of the requests that the firewall blocked. */
export class FirewallLog extends Construct {
  readonly group: ILogGroup

  constructor(
    scope: Construct,
    id: string,
    { acl, settings }: { readonly acl: CfnWebACL; readonly settings: StageSettings },
  ) {
    super(scope, id)
    const stack = Stack.of(this)
    this.group = new LogGroup(this, 'Group', {
      // The firewall writes only to log groups with this prefix.
      logGroupName: `aws-waf-logs-${stack.stackName}`,
      ...logGroupProps(this, settings),
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const arn = stack.formatArn({
      service: 'logs',
      resource: 'log-group',
      resourceName: this.group.logGroupName,
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
