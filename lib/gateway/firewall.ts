import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib'
import type { Stage } from 'aws-cdk-lib/aws-apigateway'
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs'
import { CfnIPSet, CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2'
import { Construct } from 'constructs'
import { logGroupProps } from '../log-group.ts'
import type { StageSettings } from '../stages.ts'
import { rateRules } from './rate-rules.ts'

/** The name of the rule that blocks the operator's list of addresses, also in the firewall's metrics. */
export const BLOCKED_ADDRESSES = 'BlockedAddresses'

const visible = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  metricName,
  // Samples contain headers, and with them API keys.
  sampledRequestsEnabled: false,
})

type Rule = Omit<CfnWebACL.RuleProperty, 'priority' | 'visibilityConfig'>

/** Blocks known attacks: on Log4j, on Java deserialisation, on files of web servers. */
const knownAttacks: Rule = {
  name: 'AWSManagedRulesKnownBadInputsRuleSet',
  overrideAction: { none: {} },
  statement: {
    managedRuleGroupStatement: { vendorName: 'AWS', name: 'AWSManagedRulesKnownBadInputsRuleSet' },
  },
}

// Rate rules and logs show the values that they aggregate by. No character of an API key may appear there.
const secretsSubstituted: CfnWebACL.DataProtectionConfigProperty = {
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

/** AWS WAF in front of the gateway: blocked addresses, rate limits for each client, and AWS's rules for known attacks. */
export class Firewall extends Construct {
  readonly log: ILogGroup | undefined

  constructor(
    scope: Construct,
    id: string,
    props: { readonly stage: Stage; readonly settings: StageSettings; readonly log: boolean },
  ) {
    super(scope, id)
    const { stage, settings, log } = props
    const { rules: rates, bodies } = rateRules(settings)
    const rules = [this.blockedAddresses(), ...rates, knownAttacks]
    const acl = new CfnWebACL(this, 'Rules', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      // The stack name separates the metrics of two stacks in one region.
      visibilityConfig: visible(Stack.of(this).stackName),
      customResponseBodies: bodies,
      dataProtectionConfig: secretsSubstituted,
      rules: rules.map((rule, priority) => ({ ...rule, priority, visibilityConfig: visible(rule.name) })),
    })
    new CfnWebACLAssociation(this, 'Association', { resourceArn: stage.stageArn, webAclArn: acl.attrArn })
    this.log = log ? createLog(acl, settings) : undefined
  }

  /** Returns the rule that blocks addresses. The operator enters them during a flood, without a deployment. */
  private blockedAddresses(): Rule {
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
