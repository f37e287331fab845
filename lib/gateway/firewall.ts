import { Stack } from 'aws-cdk-lib'
import type { Stage } from 'aws-cdk-lib/aws-apigateway'
import type { ILogGroup } from 'aws-cdk-lib/aws-logs'
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2'
import { Construct } from 'constructs'
import type { StageSettings } from '../stages.ts'
import { FirewallLog } from './firewall-log.ts'
import { rateRules } from './rate-rules.ts'

/**
 * Rules of AWS's common rule set that count instead of blocking. They look for attacks on web pages in bodies and paths,
 * which here contain clients' data: any text, ids with any character, invoices of many kilobytes. Nothing here renders or
 * executes that data.
 */
const countedRules = [
  'SizeRestrictions_BODY',
  'EC2MetaDataSSRF_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'CrossSiteScripting_BODY',
  'SizeRestrictions_URIPATH',
  'EC2MetaDataSSRF_URIPATH',
  'GenericLFI_URIPATH',
  'GenericRFI_URIPATH',
  'RestrictedExtensions_URIPATH',
  'CrossSiteScripting_URIPATH',
  // Programs call this API, and some send no user agent.
  'NoUserAgent_HEADER',
]

const visible = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  metricName,
  // Samples contain headers, and with them API keys.
  sampledRequestsEnabled: false,
})

const managed = (
  name: string,
  counted: readonly string[],
): Omit<CfnWebACL.RuleProperty, 'priority' | 'visibilityConfig'> => ({
  name,
  overrideAction: { none: {} },
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name,
      ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
    },
  },
})

// Rate rules and logs show the values that they aggregate by. No character of an API key may appear there.
const secretsSubstituted: CfnWebACL.DataProtectionConfigProperty = {
  dataProtections: [
    { action: 'SUBSTITUTION', field: { fieldType: 'SINGLE_HEADER', fieldKeys: ['authorization'] } },
  ],
}

/** AWS WAF in front of the gateway: rate limits for each client, and AWS's managed rules. */
export class Firewall extends Construct {
  /** The log of blocked requests, if the stage keeps one. */
  readonly log: ILogGroup | undefined

  constructor(
    scope: Construct,
    id: string,
    props: { readonly stage: Stage; readonly settings: StageSettings; readonly log: boolean },
  ) {
    super(scope, id)
    const { stage, settings, log } = props
    const { rules: rates, bodies } = rateRules(settings)
    const rules = [
      ...rates,
      managed('AWSManagedRulesKnownBadInputsRuleSet', []),
      managed('AWSManagedRulesCommonRuleSet', countedRules),
    ]
    const acl = new CfnWebACL(this, 'Rules', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      // The stack's name keeps the metrics of two stacks in one region apart.
      visibilityConfig: visible(Stack.of(this).stackName),
      customResponseBodies: bodies,
      dataProtectionConfig: secretsSubstituted,
      rules: rules.map((rule, priority) => ({ ...rule, priority, visibilityConfig: visible(rule.name) })),
    })
    new CfnWebACLAssociation(this, 'Association', { resourceArn: stage.stageArn, webAclArn: acl.attrArn })
    this.log = log ? new FirewallLog(this, 'Log', { acl, settings }).group : undefined
  }
}
