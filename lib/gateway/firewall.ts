import { Stack } from 'aws-cdk-lib'
import type { Stage } from 'aws-cdk-lib/aws-apigateway'
import type { ILogGroup } from 'aws-cdk-lib/aws-logs'
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2'
import { Construct } from 'constructs'
import type { StageSettings } from '../stages.ts'
import { FirewallLog } from './firewall-log.ts'
import { rateRules } from './rate-rules.ts'

/**
 * Rules of AWS's common set that only count. They look for attacks on web pages in bodies and paths, which here hold
 * clients' data: any text, ids with any character, invoices of many kilobytes. Nothing renders or executes them.
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
  // Programs, not browsers, call this API; not all of them say what they are.
  'NoUserAgent_HEADER',
]

const visible = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  metricName,
  // Samples hold headers, and so API keys.
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

// Rate rules and logs show the values that they count by; of keys, not even the first characters may be seen.
const secretsSubstituted: CfnWebACL.DataProtectionConfigProperty = {
  dataProtections: [
    { action: 'SUBSTITUTION', field: { fieldType: 'SINGLE_HEADER', fieldKeys: ['authorization'] } },
  ],
}

/** AWS WAF before the gateway: a bound on the requests of each client, and the managed rules. */
export class Firewall extends Construct {
  /** Where refused requests are kept, if they are. */
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
      // Two stacks of one region must not add up to one metric.
      visibilityConfig: visible(Stack.of(this).stackName),
      customResponseBodies: bodies,
      dataProtectionConfig: secretsSubstituted,
      rules: rules.map((rule, priority) => ({ ...rule, priority, visibilityConfig: visible(rule.name) })),
    })
    new CfnWebACLAssociation(this, 'Association', { resourceArn: stage.stageArn, webAclArn: acl.attrArn })
    this.log = log ? new FirewallLog(this, 'Log', { acl, settings }).group : undefined
  }
}
