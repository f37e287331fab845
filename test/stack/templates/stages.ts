import { Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { createApp } from '../../../lib/stack/billing-stack.ts'
import { addChecks } from '../../../lib/stack/checks.ts'
import { type StageSettings, stageSettings, stages } from '../../../lib/stages.ts'
import { deployables } from '../../../shared/catalogue.ts'
import { temporaryFolder } from '../../support/processes/temporary-folder.ts'
import { devAnn, everyOption, type Resource, standby, synthesise } from '../../support/stack/synthesis.ts'
import { stackIn } from '../../support/stack/test-stages.ts'

const full = synthesise('full', everyOption)
const secondRegion = synthesise('standby', standby)
const developerStage = synthesise('dev-ann', devAnn)

/** The types whose names are unique in an account or in all of AWS, and the property with the name. */
const globallyNamed: Readonly<Record<string, string>> = {
  'AWS::Budgets::Budget': 'Budget.BudgetName',
  'AWS::CloudWatch::Dashboard': 'DashboardName',
  'AWS::IAM::Role': 'RoleName',
}

/**
 * The types whose names are unique only in a region, are chosen by the operator (a DNS name), or belong to
 * one role.
 */
const regionallyNamed =
  /^AWS::(ApiGateway|CDK::Metadata|CloudWatch::Alarm|DynamoDB|Events::EventBus|IAM::Policy|Lambda|Logs|Pipes::Pipe|Route53::RecordSet|SNS|WAFv2)/

const valueAt = (properties: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], properties)

/** If the stack is also deployed in a second region. */
const collidesAcrossRegions = ({ Type, Properties }: Resource): boolean => {
  const property = globallyNamed[Type]
  if (property === undefined) return !regionallyNamed.test(Type) || Properties?.Scope === 'CLOUDFRONT'
  const name = valueAt(Properties, property)
  return name !== undefined && !JSON.stringify(name).includes('{"Ref":"AWS::Region"}')
}

it.each([
  ['with every option', full],
  ['of the second region', secondRegion],
  ['of a developer', developerStage],
])(
  'the stage %s can be deployed in two regions of an account without a collision of names',
  (_, synthesis) => {
    const resources = Object.entries<Resource>(synthesis.template.toJSON().Resources)
    expect(resources.filter(([, resource]) => collidesAcrossRegions(resource))).toEqual([])
  },
)

/** The resources with data or addresses. CloudFormation replaces a resource whose logical id changes. */
const releasedIds: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::Table': ['BillingTableA07FAB52'],
  'AWS::ApiGateway::RestApi': ['ApiRest4DEC74FE'],
  'AWS::ApiGateway::Stage': ['ApiRestDeploymentStagefullC6ADB757'],
  'AWS::ApiGateway::DomainName': ['DomainName3089E799'],
  'AWS::ApiGateway::BasePathMapping': ['DomainNameMapbillingfullApiRest6B1976E569B4AFC1'],
}

it.each(Object.entries(releasedIds))('%s keeps the logical ids of version 0.2.0', (type, ids) => {
  expect(full.all(type).map(([id]) => id)).toEqual(ids)
})

const regionsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/arn:aws:(?:acm|kms):([\w-]+):/g)].map(([, region]) => region!)),
]

it('the stage of the second region has the settings of production, but no resource of its region', () => {
  const { prod, standby }: Record<'prod' | 'standby', StageSettings> = stages
  const regionsOfStandby = regionsIn(JSON.stringify(standby))
  expect(regionsOfStandby.length).toBeLessThan(2)
  for (const region of regionsIn(JSON.stringify(prod))) expect(regionsOfStandby).not.toContain(region)
  expect(standby.domain?.name).toBe(prod.domain?.name)
  expect(standby.domain?.hostedZone).toBeUndefined()
  expect(standby.keyArn === undefined).toBe(prod.keyArn === undefined)
  expect(standby.table.ceiling).toEqual(prod.table.ceiling)
  expect(standby.table.kept).toBe(true)
})

it('the second region can be deployed with a key and a domain of its own while the first one has both', () => {
  expect(regionsIn(JSON.stringify(secondRegion.template.toJSON()))).toEqual(['eu-central-1'])
  expect(secondRegion.stack.stackName).toBe('billing-standby')
  // The record of the first region still exists, and the operator moves it as the guide describes.
  expect(secondRegion.all('AWS::Route53::RecordSet')).toEqual([])
  expect(JSON.stringify(secondRegion.template.toJSON().Outputs)).toContain(
    'CNAME record for billing.example.org',
  )
})

it('an unknown stage is refused with a list of the stages', () => {
  expect(() => stageSettings('staging')).toThrow(
    'There is no stage "staging"; lib/stages.ts has: dev, prod, standby; dev-NAME',
  )
  expect(() => stageSettings('constructor')).toThrow('There is no stage')
  expect(() => stageSettings('dev-')).toThrow('There is no stage')
  expect(() => stageSettings('dev-ANN')).toThrow('There is no stage')
})

it('the stage dev-NAME has the settings of dev, and a tag and a name of its own', () => {
  expect(stageSettings('dev-ann')).toEqual({
    ...stages.dev,
    gatewayLogRole: false,
    tags: { service: 'billing-data-api', stage: 'dev-ann' },
  })
  expect(developerStage.stack.stackName).toBe('billing-dev-ann')
})

it('the stage dev-NAME does not inherit events, a domain or a restored table from dev', () => {
  const settings = stageSettings('dev-ann')
  const dev = jest.replaceProperty(stages, 'dev', {
    ...stages.dev,
    events: true,
    domain: everyOption.domain!,
    table: { ...stages.dev.table, restored: 2 },
  } as StageSettings)
  expect(stageSettings('dev-ann')).toEqual(settings)
  dev.restore()
})

/** The paths of the settings that a stack reads, such as `logs.days`. */
const readPaths = new Set<string>()
const watched = <Value extends object>(value: Value, path = ''): Value =>
  new Proxy(value, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key)
      const memberPath = path + String(key)
      readPaths.add(memberPath)
      return typeof member === 'object' && member !== null ? watched(member, `${memberPath}.`) : member
    },
  })
/** The same stage, of another commit. */
const { stack: other } = stackIn(temporaryFolder(), {
  stage: 'full',
  settings: watched(everyOption),
  commit: 'other',
})

const leafPaths = (value: unknown, path = ''): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, member]) => leafPaths(member, path ? `${path}.${key}` : key))
    : [path]

it('a stack reads every setting of a stage that uses every option', () => {
  expect(leafPaths(everyOption).filter((path) => !readPaths.has(path))).toEqual([])
})

it('two commits with the same code result in the same versions of functions', () => {
  const template = Template.fromStack(other)
  expect(template.toJSON().Resources).toEqual(full.template.toJSON().Resources)
  template.resourceCountIs('AWS::Lambda::Version', deployables.length)
})

it('every stage is tagged, and no tag or setting contains a secret', () => {
  for (const [name, settings] of Object.entries(stages)) {
    expect(settings.tags).toEqual({ service: 'billing-data-api', stage: name })
    expect(JSON.stringify(settings)).not.toMatch(/bd[kr]_|AKIA|secret|password/i)
  }
})

it('a stage whose firewall is off has no web ACL', () => {
  expect(developerStage.all('AWS::WAFv2::WebACL')).toEqual([])
})

describe('the synthesis of a stage that keeps its data', () => {
  const warningsWith = (settings: Partial<StageSettings>) => {
    const app = createApp()
    const stack = new Stack(app, 'Stack')
    addChecks(app, stack, { stage: 'prod', settings: { ...stageSettings('prod'), ...settings } })
    return stack.node.metadata.filter(({ type }) => type === 'aws:cdk:warning')
  }

  it('warns if it has neither an address for alarms nor a budget', () => {
    expect(warningsWith({})).toHaveLength(1)
  })

  it('does not warn if it has an address for alarms', () => {
    expect(warningsWith({ alarmEmail: 'operator@example.org' })).toEqual([])
  })

  it('does not warn if it has a budget', () => {
    expect(warningsWith({ budget: everyOption.budget! })).toEqual([])
  })
})
