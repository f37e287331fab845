import { stageSettings, stages } from '../../lib/stages.ts'
import { everyOption, type Resource, synthesise } from '../support/synthesis.ts'

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
  ...Object.keys(stages).map((name) => [name, stageSettings(name)] as const),
  ['full', everyOption] as const,
])('the template of %s in a second region of the account', (stage, settings) => {
  const { template } = synthesise(stage, settings)
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
  expect(
    synthesise('full', everyOption)
      .all(type)
      .map(([id]) => id),
  ).toEqual(ids)
})
