import { type StageSettings, stageSettings, stages } from '../../lib/stages.ts'
import { everyOption, type Resource, synthesise } from '../support/synthesis.ts'

const { prod, standby }: Record<'prod' | 'standby', StageSettings> = stages
const { hostedZone: _zone, ...domain } = everyOption.domain!
const inSecondRegion = (arn: string) => arn.replace('eu-west-1', 'eu-central-1')

const full = synthesise('full', everyOption)
const devAnn = synthesise('dev-ann')
/** The second region with a key and a domain of its own. */
const second = synthesise('standby', {
  ...standby,
  keyArn: inSecondRegion(everyOption.keyArn!),
  domain: { ...domain, certificateArn: inSecondRegion(domain.certificateArn) },
})

/** Types whose names are unique in an account (or in all of AWS) across regions, and the property with the name. */
const globallyNamed: Readonly<Record<string, string>> = {
  'AWS::Budgets::Budget': 'Budget.BudgetName',
  'AWS::CloudWatch::Dashboard': 'DashboardName',
  'AWS::IAM::Role': 'RoleName',
}

/** Types whose names are unique in a region, or that have no name. */
const regionallyNamed = [
  'AWS::ApiGateway::',
  'AWS::CloudWatch::Alarm',
  'AWS::DynamoDB::',
  // The bus has the stack's name, and the pipe none of its own.
  'AWS::Events::EventBus',
  // The inline policy of one role.
  'AWS::IAM::Policy',
  'AWS::Lambda::',
  'AWS::Logs::',
  'AWS::Pipes::Pipe',
  // A DNS name that the operator chooses.
  'AWS::Route53::RecordSet',
  'AWS::SNS::',
  // With the scope REGIONAL, as the test requires.
  'AWS::WAFv2::',
  'AWS::CDK::Metadata',
]

const at = (properties: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], properties)

describe.each([
  ['dev-ann', devAnn],
  ['standby', second],
  ['full', full],
])('the template of %s in a second region of the account', (_, { template }) => {
  const resources = Object.entries(template.toJSON().Resources as Record<string, Resource>)

  it.each(Object.entries(globallyNamed))(
    'the name of every %s (%s) contains the region',
    (type, property) => {
      const names = resources.flatMap(([id, { Type, Properties }]) => {
        const name = JSON.stringify(at(Properties, property)) ?? ''
        return Type === type && name !== '' && !name.includes('{"Ref":"AWS::Region"}')
          ? [`${id}: ${name}`]
          : []
      })
      expect(names).toEqual([])
    },
  )

  it('the template has only resource types whose names this test knows', () => {
    const types = new Set(resources.map(([, { Type }]) => Type))
    expect(
      [...types].filter(
        (type) => !(type in globallyNamed) && !regionallyNamed.some((known) => type.startsWith(known)),
      ),
    ).toEqual([])
  })

  it('the template has no firewall of global scope', () => {
    for (const [, { Type, Properties }] of resources)
      if (Type.startsWith('AWS::WAFv2::')) expect(Properties.Scope).not.toBe('CLOUDFRONT')
  })
})

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
  expect(devAnn.stack.stackName).toBe('billing-dev-ann')
})

it('every stage is tagged, and no tag or setting contains a secret', () => {
  for (const [name, settings] of Object.entries(stages)) {
    expect(settings.tags).toEqual({ service: 'billing-data-api', stage: name })
    expect(JSON.stringify(settings)).not.toMatch(/bd[kr]_|AKIA|secret|password/i)
  }
})
