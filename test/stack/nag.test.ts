import { Stack, Validations } from 'aws-cdk-lib'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import type { IConstruct } from 'constructs'
import { addChecks, application } from '../../lib/stack/application.ts'
import { type StageSettings, stageSettings } from '../../lib/stages.ts'
import { stackIn } from '../support/stack.ts'
import { everyOption, type Synthesis, synthesise } from '../support/synthesis.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Returns the rules that a stack acknowledges, with their reasons. */
const acknowledged = (root: IConstruct): Map<string, string> =>
  new Map(
    root.node
      .findAll()
      .flatMap(({ node }) => node.metadata)
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries(data as Record<string, string>))
      .map(([id, reason]) => [id.replace(/^annotation::/i, ''), reason]),
  )

const expected = [
  'AwsSolutions-APIG2',
  'AwsSolutions-APIG4',
  'AwsSolutions-COG4',
  'AwsSolutions-IAM4',
  'AwsSolutions-IAM5',
  'Serverless-LambdaDLQ',
  'Serverless-SNSRedrivePolicy',
]

describe.each([
  ['dev', () => synthesise('dev')],
  ['prod', () => synthesise('prod')],
  ['a stage with every option', () => synthesise('full', everyOption)],
])('cdk-nag on %s', (_, make) => {
  let made: Synthesis
  beforeAll(() => {
    made = make()
  })

  it.each([
    ['AwsSolutions', AwsSolutionsChecks],
    ['Serverless', ServerlessChecks],
  ])('%s has no findings that are not acknowledged', (_pack, Checks) => {
    const { violations } = new Checks(made.app).validateScope(made.app)
    expect(
      violations.map(({ ruleName, violatingResources }) => [ruleName, violatingResources[0]?.constructPath]),
    ).toEqual([])
  })

  it('has only these acknowledged rules, each with a reason', () => {
    const rules = acknowledged(made.stack)
    const ids = new Set([...rules.keys()].map((id) => id.split('[')[0] as string))
    expect([...ids].filter((id) => !expected.includes(id))).toEqual([])
    expect(ids.size).toBeGreaterThanOrEqual(expected.length - 1)
    for (const reason of rules.values()) expect(reason).toMatch(/^[A-Z].{40,}\.$/)
  })
})

/** Values of options that no shipped stage has, besides those of `everyOption`. */
const others: Readonly<Record<string, Partial<StageSettings>>> = {
  'no firewall': { firewall: false },
  'no role for logs': { gatewayLogRole: false },
  'no ceiling': { table: { kept: true } },
  'a table that is not kept': { table: { kept: false } },
  'provisioned instances': { functions: { memoryMb: 1_024, provisioned: 1 } },
  'a name without a zone': {
    domain: { name: 'billing.example.org', certificateArn: everyOption.domain!.certificateArn },
  },
  'only its own name': { domain: { ...everyOption.domain!, only: true } },
}
const prod = stageSettings('prod')
const alone = Object.entries(everyOption).filter(
  ([name, value]) => JSON.stringify(prod[name as keyof StageSettings]) !== JSON.stringify(value),
)

it.each([...alone.map(([name, value]) => [name, { [name]: value }] as const), ...Object.entries(others)])(
  'cdk-nag has no findings in a stage with only %s',
  (_, option) => {
    const { app } = synthesise('prod', { ...prod, ...option })
    for (const Checks of [AwsSolutionsChecks, ServerlessChecks])
      expect(new Checks(app).validateScope(app).violations).toEqual([])
  },
)

it('cdk-nag reports rules that are not acknowledged', () => {
  const app = application({ builtinCloudFormationValidation: false })
  new Topic(new Stack(app, 'Stack'), 'Topic')
  const { violations } = new AwsSolutionsChecks(app).validateScope(app)
  expect(violations.map(({ ruleName }) => ruleName)).toEqual(['AwsSolutions-SNS3'])
})

it.each([
  ['warns', {}, 1],
  ['is silent with an address for alarms', { alarmEmail: 'operator@example.org' }, 0],
  ['is silent with a budget', { budget: everyOption.budget! }, 0],
])('a stage that keeps its data and has no address for alarms %s', (_, option, count) => {
  const settings = { ...prod, ...option }
  const { app, stack } = stackIn(temporaryFolder(), { stage: 'prod', settings, validated: false })
  addChecks(app, stack, { stage: 'prod', settings, commit: '', folderOf: () => '' })
  const warnings = stack.node.metadata.filter(({ type }) => type === 'aws:cdk:warning')
  expect(warnings).toHaveLength(count)
})

it('the CDK validates a template with every option', () => {
  const { app } = stackIn(temporaryFolder(), { stage: 'full', settings: everyOption })
  expect(() => app.synth()).not.toThrow()
})
