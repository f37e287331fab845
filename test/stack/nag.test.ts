import { Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import type { IConstruct } from 'constructs'
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
  ])('%s finds nothing that is not acknowledged', (_pack, Checks) => {
    const { violations } = new Checks(made.app).validateScope(made.app)
    expect(
      violations.map(({ ruleName, violatingResources }) => [ruleName, violatingResources[0]?.constructPath]),
    ).toEqual([])
  })

  it('acknowledges only these rules, each with a reason', () => {
    const rules = acknowledged(made.stack)
    const ids = new Set([...rules.keys()].map((id) => id.split('[')[0] as string))
    expect([...ids].filter((id) => !expected.includes(id))).toEqual([])
    expect(ids.size).toBeGreaterThanOrEqual(expected.length - 1)
    for (const reason of rules.values()) expect(reason).toMatch(/^[A-Z].{40,}\.$/)
  })
})

it('cdk-nag reports rules that are not acknowledged', () => {
  const { stack, app } = synthesise('dev', { ...everyOption, firewall: false })
  expect(stack).toBeDefined()
  const { violations } = new AwsSolutionsChecks(app).validateScope(app)
  expect(violations.map(({ ruleName }) => ruleName)).toEqual(['AwsSolutions-APIG3'])
})

it('the CDK finds a template with every option valid', () => {
  const { app } = stackIn(temporaryFolder(), { stage: 'full', settings: everyOption })
  expect(() => app.synth()).not.toThrow()
})
