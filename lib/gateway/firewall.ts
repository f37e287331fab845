import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib'
import type { Stage } from 'aws-cdk-lib/aws-apigateway'
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs'
import { CfnIPSet, CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2'
import { Construct } from 'constructs'
import { logGroupProps } from '../log-group.ts'
import type { StageSettings } from '../stages.ts'
import { rateRules } from './rate-rules.ts'

/** Blocks the operator's list of addresses. Also the rule's name in the firewall's metrics. */
export const BLOCKED_ADDRESSES = 'BlockedAddresses'

const visibility = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  metricName,
  // Samples contain headers, and with them API keys.
  sampledRequestsEnabled: false,
})

type FirewallRule = Omit<CfnWebACL.RuleProperty, 'priority' | 'visibilityConfig'>

/** Attacks on Log4j, on Java deserialisation, on files of web servers. */
const knownAttacks: FirewallRule = {
  name: 'AWSManagedRulesKnownBadInputsRuleSet',
  overrideAction: { none: {} },
  statement: {
    managedRuleGroupStatement: { vendorName: 'AWS', name: 'AWSManagedRulesKnownBadInputsRuleSet' },
  },
}

/**
 * Rate rules and logs show the values by which they aggregate, and no character of a key must appear there.
 */
const keySubstitution: CfnWebACL.DataProtectionConfigProperty = {
  dataProtections: [
    { action: 'SUBSTITUTION', field: { fieldType: 'SINGLE_HEADER', fieldKeys: ['authorization'] } },
  ],
}

const createLog = (acl: CfnWebACL, settings: StageSettings): ILogGroup => {
  const stack = Stack.of(acl)
  const scope = new Construct(acl.node.scope!, 'Log')
  const group = new LogGroup(scope, 'Group', {
    // The firewall writes only to log groups with this prefix.
    logGroupName: `aws-waf-logs-${stack.stackName}`,
    ...logGroupProps(scope, settings),
    removalPolicy: RemovalPolicy.DESTROY,
  })
  const arn = stack.formatArn({
    service: 'logs',
    resource: 'log-group',
    resourceName: group.logGroupName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  })
  const blocked = { ActionCondition: { Action: 'BLOCK' } }
  new CfnLoggingConfiguration(scope, 'Configuration', {
    resourceArn: acl.attrArn,
    logDestinationConfigs: [arn],
    redactedFields: [{ singleHeader: { Name: 'authorization' } }],
    loggingFilter: {
      DefaultBehavior: 'DROP',
      Filters: [{ Behavior: 'KEEP', Requirement: 'MEETS_ANY', Conditions: [blocked] }],
    },
  })
  return group
}

/** Blocked addresses, rate limits for each client, and AWS's rules for known attacks. */
export class Firewall extends Construct {
  readonly log: ILogGroup | undefined

  constructor(
    scope: Construct,
    id: string,
    props: { readonly stage: Stage; readonly settings: StageSettings; readonly log: boolean },
  ) {
    super(scope, id)
    const { stage, settings, log } = props
    const { rules: limits, bodies } = rateRules(settings)
    const rules = [this.addressRule(), ...limits, knownAttacks]
    const acl = new CfnWebACL(this, 'Rules', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      // The stack name separates the metrics of two stacks in one region.
      visibilityConfig: visibility(Stack.of(this).stackName),
      customResponseBodies: bodies,
      dataProtectionConfig: keySubstitution,
      rules: rules.map((rule, priority) => ({ ...rule, priority, visibilityConfig: visibility(rule.name) })),
    })
    new CfnWebACLAssociation(this, 'Association', { resourceArn: stage.stageArn, webAclArn: acl.attrArn })
    this.log = log ? createLog(acl, settings) : undefined
  }

  /** The operator enters the addresses during a flood, without a deployment. */
  private addressRule(): FirewallRule {
    const statements = ['IPV4', 'IPV6'].map((ipAddressVersion) => {
      const name = `${Stack.of(this).stackName}-${ipAddressVersion}`
      const set = new CfnIPSet(this, ipAddressVersion, {
        name,
        scope: 'REGIONAL',
        ipAddressVersion,
        addresses: [],
      })
      return { ipSetReferenceStatement: { arn: set.attrArn } }
    })
    return { name: BLOCKED_ADDRESSES, action: { block: {} }, statement: { orStatement: { statements } } }
  }
}
