import { Stack, Validations } from 'aws-cdk-lib'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import type { IConstruct } from 'constructs'
import { application } from '../../lib/stack/application.ts'
import { addChecks } from '../../lib/stack/checks.ts'
import { type StageSettings, stageSettings } from '../../lib/stages.ts'
import { everyOption, type Synthesis, synthesise } from '../support/synthesis.ts'

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
  'AwsSolutions-APIG3',
  'AwsSolutions-APIG4',
  'AwsSolutions-COG4',
  'AwsSolutions-IAM4',
  'AwsSolutions-IAM5',
  'Serverless-APIGWXrayEnabled',
  'Serverless-LambdaDLQ',
  'Serverless-LambdaTracing',
  'Serverless-SNSRedrivePolicy',
]

const prod = stageSettings('prod')

/**
 * A stage with every option, and others with the values that it has not. A firewall may hide findings, so one stage has
 * none. `npm run check:template` runs the same checks on the stages of lib/stages.ts.
 */
const stages: Readonly<Record<string, StageSettings>> = {
  full: everyOption,
  kept: {
    ...prod,
    gatewayLogRole: false,
    table: { kept: true },
    events: true,
    functions: { memoryMb: 1_024, provisioned: 1 },
    domain: { name: 'billing.example.org', certificateArn: everyOption.domain!.certificateArn },
  },
  passing: {
    ...prod,
    table: { kept: false },
    events: 'stream',
    firewall: false,
    domain: { ...everyOption.domain!, only: true },
  },
}

describe.each(Object.entries(stages))('cdk-nag on the stage %s', (stage, settings) => {
  let made: Synthesis
  beforeAll(() => {
    made = synthesise(stage, settings)
  })

  it.each([
    ['AwsSolutions', AwsSolutionsChecks],
    ['Serverless', ServerlessChecks],
  ])('the checks %s of cdk-nag find nothing that is not acknowledged', (_pack, Checks) => {
    const { violations } = new Checks(made.app).validateScope(made.app)
    expect(
      violations.map(({ ruleName, violatingResources }) => [ruleName, violatingResources[0]?.constructPath]),
    ).toEqual([])
  })
})

it('the stages have only these acknowledged rules, each with a reason', () => {
  const rules = Object.entries(stages).flatMap(([stage, settings]) => [
    ...acknowledged(synthesise(stage, settings).stack),
  ])
  const ids = new Set(rules.map(([id]) => id.split('[')[0]))
  expect([...ids].sort()).toEqual(expected)
  for (const [, reason] of rules) expect(reason).toMatch(/^[A-Z].{40,}\.$/)
})

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
  const app = application()
  const stack = new Stack(app, 'Stack')
  addChecks(app, stack, { stage: 'prod', settings })
  const warnings = stack.node.metadata.filter(({ type }) => type === 'aws:cdk:warning')
  expect(warnings).toHaveLength(count)
})
