import type { Stage } from 'aws-cdk-lib/aws-apigateway'
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2'
import { Construct } from 'constructs'

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

const managed = (name: string, priority: number, counted: readonly string[]): CfnWebACL.RuleProperty => ({
  name,
  priority,
  overrideAction: { none: {} },
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name,
      ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
    },
  },
  visibilityConfig: visible(name),
})

const perAddress = (limit: number, priority: number): CfnWebACL.RuleProperty => ({
  name: 'RequestsPerAddress',
  priority,
  action: { block: {} },
  statement: { rateBasedStatement: { limit, aggregateKeyType: 'IP', evaluationWindowSec: 300 } },
  visibilityConfig: visible('RequestsPerAddress'),
})

/** AWS WAF before the gateway: the managed rules, and a bound on the requests of one address in five minutes. */
export class Firewall extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { stage, requestsPerAddress }: { readonly stage: Stage; readonly requestsPerAddress: number },
  ) {
    super(scope, id)
    const acl = new CfnWebACL(this, 'Rules', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visible('Firewall'),
      rules: [
        perAddress(requestsPerAddress, 0),
        managed('AWSManagedRulesKnownBadInputsRuleSet', 1, []),
        managed('AWSManagedRulesCommonRuleSet', 2, countedRules),
      ],
    })
    new CfnWebACLAssociation(this, 'Association', { resourceArn: stage.stageArn, webAclArn: acl.attrArn })
  }
}
