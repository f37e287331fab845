import { Stack } from 'aws-cdk-lib'
import { application } from '../../../lib/stack/billing-stack.ts'
import { addChecks } from '../../../lib/stack/checks.ts'
import { type StageSettings, stageSettings, stages } from '../../../lib/stages.ts'
import { devAnn, everyOption, type Resource, standby, synthesise } from '../../support/stack/synthesis.ts'

const full = synthesise('full', everyOption)
const second = synthesise('standby', standby)
const developer = synthesise('dev-ann', devAnn)

/** Types whose names are unique in an account (or in all of AWS) across regions, and the property with the name. */
const globallyNamed: Readonly<Record<string, string>> = {
  'AWS::Budgets::Budget': 'Budget.BudgetName',
  'AWS::CloudWatch::Dashboard': 'DashboardName',
  'AWS::IAM::Role': 'RoleName',
}

/** Types whose names are unique in a region, are the operator's choice (a DNS name), or belong to one role. */
const regionallyNamed =
  /^AWS::(ApiGateway|CDK::Metadata|CloudWatch::Alarm|DynamoDB|Events::EventBus|IAM::Policy|Lambda|Logs|Pipes::Pipe|Route53::RecordSet|SNS|WAFv2)/

const at = (properties: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], properties)

it.each([full, second, developer])(
  'the names of the template of $stack.stackName are free in a second region of the account',
  ({ template }) => {
    const taken = Object.entries<Resource>(template.toJSON().Resources).filter(([, { Type, Properties }]) => {
      const property = globallyNamed[Type]
      if (property === undefined) return !regionallyNamed.test(Type) || Properties?.Scope === 'CLOUDFRONT'
      const name = at(Properties, property)
      return name !== undefined && !JSON.stringify(name).includes('{"Ref":"AWS::Region"}')
    })
    expect(taken).toEqual([])
  },
)

/** The resources that hold data or addresses: CloudFormation replaces a resource whose logical id changes. */
const released: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::Table': ['BillingTableA07FAB52'],
  'AWS::ApiGateway::RestApi': ['ApiRest4DEC74FE'],
  'AWS::ApiGateway::Stage': ['ApiRestDeploymentStagefullC6ADB757'],
  'AWS::ApiGateway::DomainName': ['DomainName3089E799'],
  'AWS::ApiGateway::BasePathMapping': ['DomainNameMapbillingfullApiRest6B1976E569B4AFC1'],
}

it.each(Object.entries(released))('%s keeps the logical ids of version 0.2.0', (type, ids) => {
  expect(full.all(type).map(([id]) => id)).toEqual(ids)
})

/** Returns the regions in the ARNs of a text. */
const regionsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/arn:aws:(?:acm|kms):([\w-]+):/g)].map(([, region]) => region!)),
]

it('the second region has what production has, and nothing of its region', () => {
  const { prod, standby }: Record<'prod' | 'standby', StageSettings> = stages
  const there = regionsIn(JSON.stringify(standby))
  expect(there.length).toBeLessThan(2)
  for (const region of regionsIn(JSON.stringify(prod))) expect(there).not.toContain(region)
  expect(standby.domain?.name).toBe(prod.domain?.name)
  expect(standby.domain?.hostedZone).toBeUndefined()
  expect(standby.keyArn === undefined).toBe(prod.keyArn === undefined)
  expect(standby.table.ceiling).toEqual(prod.table.ceiling)
  expect(standby.table.kept).toBe(true)
})

it('the second region can be deployed with a key and a domain of its own while the first one has both', () => {
  expect(regionsIn(JSON.stringify(second.template.toJSON()))).toEqual(['eu-central-1'])
  expect(second.stack.stackName).toBe('billing-standby')
  // The record of the first region still exists; the guide moves it.
  expect(second.all('AWS::Route53::RecordSet')).toEqual([])
  expect(JSON.stringify(second.template.toJSON().Outputs)).toContain('CNAME record for billing.example.org')
})

it('an unknown stage is refused with a list of the known ones', () => {
  expect(() => stageSettings('staging')).toThrow(
    'There is no stage "staging"; lib/stages.ts has: dev, prod, standby; dev-NAME',
  )
  expect(() => stageSettings('constructor')).toThrow('There is no stage')
  expect(() => stageSettings('dev-')).toThrow('There is no stage')
  expect(() => stageSettings('dev-ANN')).toThrow('There is no stage')
})

it('dev-NAME is a stage like dev with a tag and a name of its own', () => {
  expect(stageSettings('dev-ann')).toEqual({
    ...stages.dev,
    gatewayLogRole: false,
    tags: { service: 'billing-data-api', stage: 'dev-ann' },
  })
  expect(developer.stack.stackName).toBe('billing-dev-ann')
})

it('dev-NAME has nothing that only the stack of dev can have: events, a domain, a restored table', () => {
  const before = stageSettings('dev-ann')
  const dev = jest.replaceProperty(stages, 'dev', {
    ...stages.dev,
    events: true,
    domain: everyOption.domain!,
    table: { ...stages.dev.table, restored: 2 },
  } as StageSettings)
  expect(stageSettings('dev-ann')).toEqual(before)
  dev.restore()
})

it('every stage is tagged, and no tag or setting contains a secret', () => {
  for (const [name, settings] of Object.entries(stages)) {
    expect(settings.tags).toEqual({ service: 'billing-data-api', stage: name })
    expect(JSON.stringify(settings)).not.toMatch(/bd[kr]_|AKIA|secret|password/i)
  }
})

it('a stage without a firewall has none', () => expect(developer.all('AWS::WAFv2::WebACL')).toEqual([]))

it.each([
  ['warns', {}, 1],
  ['is silent with an address for alarms', { alarmEmail: 'operator@example.org' }, 0],
  ['is silent with a budget', { budget: everyOption.budget! }, 0],
])('a stage that keeps its data and has no address for alarms %s', (_, option, count) => {
  const app = application()
  const stack = new Stack(app, 'Stack')
  addChecks(app, stack, { stage: 'prod', settings: { ...stageSettings('prod'), ...option } })
  const warnings = stack.node.metadata.filter(({ type }) => type === 'aws:cdk:warning')
  expect(warnings).toHaveLength(count)
})
