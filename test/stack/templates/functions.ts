import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constructName } from '../../../lib/functions/api-function.ts'
import { grantsOf } from '../../../lib/functions/grants.ts'
import { clientRates } from '../../../lib/gateway/rate-rules.ts'
import { commitOf } from '../../../lib/stack/commit.ts'
import { stageSettings } from '../../../lib/stages.ts'
import { FUNCTION_TIMEOUT_MILLIS } from '../../../shared/budget.ts'
import { deployables } from '../../../shared/catalogue.ts'
import type { Deployable } from '../../../shared/contract/deployable.ts'
import { documentFunction } from '../../../shared/contract/document-function.ts'
import { realBudget } from '../../support/budgets.ts'
import { operatingGuide } from '../../support/documents/operating-guide.ts'
import { temporaryFolder } from '../../support/processes/temporary-folder.ts'
import {
  COMMIT,
  everyOption,
  type Resource,
  type Synthesis,
  synthesise,
} from '../../support/stack/synthesis.ts'

const prod = synthesise('prod')
const full = synthesise('full', everyOption)

const policiesOf = ({ all }: Synthesis): [string, Resource][] => all('AWS::IAM::Policy')

it('functions run on the current runtime, on arm64, untraced, with a timeout above the time budget of requests', () => {
  for (const properties of prod.properties('AWS::Lambda::Function')) {
    expect(properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      MemorySize: 1_024,
      Timeout: FUNCTION_TIMEOUT_MILLIS / 1000,
      TracingConfig: { Mode: 'PassThrough' },
      LoggingConfig: { LogGroup: { Ref: expect.stringMatching(/Logs/) } },
    })
    expect(properties.Timeout * 1000).toBeGreaterThan(realBudget.request)
  }
})

const ownTable = { Ref: expect.stringMatching(/^BillingTable/) }
const restoredTable = { 'Fn::Join': ['', [ownTable, '-restored-1']] }
const variablesOf = (synthesis: Synthesis, deployable: Deployable): unknown => {
  const functions = synthesis.all('AWS::Lambda::Function')
  return functions.find(([id]) => id.startsWith(constructName(deployable)))![1].Properties.Environment
    ?.Variables
}

it.each(deployables)('the environment of $id contains only the variables that it needs', (deployable) => {
  const ownVariables = deployable.usesTable ? { TABLE_NAME: ownTable } : undefined
  expect(variablesOf(prod, deployable)).toEqual(ownVariables)
  const pages = deployable === documentFunction ? { SERVED_PAGES: 'docs, console' } : undefined
  const operations = { TABLE_NAME: restoredTable, CORS_ORIGIN: everyOption.corsOrigin }
  expect(variablesOf(full, deployable)).toEqual(deployable.usesTable ? operations : pages)
})

it('each function has a role with one inline policy and no managed ones', () => {
  const roles = prod.properties('AWS::Lambda::Function').map((properties) => properties.Role['Fn::GetAtt'][0])
  expect(new Set(roles).size).toBe(deployables.length)
  const byId = Object.fromEntries(prod.all('AWS::IAM::Role'))
  for (const role of roles) expect(byId[role]?.Properties.ManagedPolicyArns).toBeUndefined()
  const rolesOfPolicies = policiesOf(prod).map(([, { Properties }]) => Properties.Roles[0].Ref)
  expect(rolesOfPolicies.sort()).toEqual(roles.sort())
})

/** The ARN of a resource, or such an ARN followed by a text. */
interface Arn {
  readonly 'Fn::GetAtt'?: readonly [string, 'Arn']
  readonly 'Fn::Join'?: readonly ['', readonly [Arn, string]]
}

/** The logical id of the resource, without the hash, in place of its ARN. */
const arnText = (arn: Arn | '*'): string => {
  if (arn === '*') return arn
  if (arn['Fn::GetAtt']) return arn['Fn::GetAtt'][0].replace(/[0-9A-F]{8}$/, '')
  const [base, suffix] = arn['Fn::Join']![1]
  return arnText(base) + suffix
}

const keyRights = ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo']
const service = { 'Fn::Join': ['', ['dynamodb.', { Ref: 'AWS::Region' }, '.amazonaws.com']] }
const throughDynamoDb = JSON.stringify({ StringEquals: { 'kms:ViaService': service } })

/** One for each action and resource: "ACTION RESOURCE" or "ACTION RESOURCE if CONDITION". */
const rightsOf = (synthesis: Synthesis, name: string): string[] => {
  const [, policy] = policiesOf(synthesis).find(([id]) => id.startsWith(`${name}Role`))!
  const statements: { Action: string | string[]; Resource: Arn | '*' | Arn[]; Condition?: object }[] =
    policy.Properties.PolicyDocument.Statement
  return statements.flatMap(({ Action, Resource, Condition }) =>
    [Action].flat().flatMap((action) =>
      [Resource].flat().map((arn) => {
        const right = `${action} ${arnText(arn)}`
        return Condition ? `${right} if ${JSON.stringify(Condition)}` : right
      }),
    ),
  )
}

/** The table and restored tables, encrypted with any key. */
const tableRights = (deployable: Deployable): string[] => {
  const { table: actions, indexes } = grantsOf(deployable)
  const onTables = ['BillingTable', 'BillingTable-restored-*'].flatMap((table) => [
    ...actions.map((action) => `${action} ${table}`),
    ...indexes.map((index) => `dynamodb:Query ${table}/index/${index}`),
  ])
  // Any key, so that the key of a table can change while functions use it.
  const onKeys = keyRights.map((action) => `kms:${action} * if ${throughDynamoDb}`)
  return [...onTables, ...onKeys]
}

const logRights = (name: string): string[] => [
  `logs:CreateLogStream ${name}Logs`,
  `logs:PutLogEvents ${name}Logs`,
]

describe.each(deployables)('the role of $id', (deployable) => {
  const name = constructName(deployable)
  const rights = [...(deployable.usesTable ? tableRights(deployable) : []), ...logRights(name)]

  it('allows what its grants say on the table and restored tables, writing its log, and nothing else', () => {
    expect(rightsOf(prod, name).sort()).toEqual(rights.sort())
  })

  it('also allows X-Ray if the stage traces', () => {
    const tracing = ['xray:PutTelemetryRecords *', 'xray:PutTraceSegments *']
    expect(rightsOf(full, name).sort()).toEqual([...rights, ...tracing].sort())
  })
})

it('functions receive requests through an alias, keep their older versions, and are not deployed by CodeDeploy', () => {
  const uris = prod
    .properties('AWS::ApiGateway::Method')
    .map(({ Integration }) => JSON.stringify(Integration.Uri))
  const aliases = prod.all('AWS::Lambda::Alias')
  expect(aliases).toHaveLength(deployables.length)
  for (const [id] of aliases) expect(uris.some((uri) => uri?.includes(`"${id}"`))).toBe(true)
  const versions = prod.all('AWS::Lambda::Version').map(([, { DeletionPolicy }]) => DeletionPolicy)
  expect(versions).toEqual(deployables.map(() => 'RetainExceptOnCreate'))
  expect(prod.all('AWS::CodeDeploy::DeploymentGroup')).toEqual([])
})

it('functions have the configured memory, concurrency and tracing', () => {
  const functions = full.properties('AWS::Lambda::Function')
  for (const properties of functions)
    expect(properties).toMatchObject({ MemorySize: 512, TracingConfig: { Mode: 'Active' } })
  const reserved = functions.map(({ ReservedConcurrentExecutions }) => ReservedConcurrentExecutions)
  // Five functions can wait for updates.
  expect(reserved.sort()).toEqual(functions.map((_, index) => (index < 5 ? 10 : 20)))
  for (const properties of full.properties('AWS::Lambda::Alias'))
    expect(properties.ProvisionedConcurrencyConfig).toEqual({ ProvisionedConcurrentExecutions: 2 })
})

it('the functions whose requests can wait for each other reserve concurrency in production, within the usual quota', () => {
  const settings = stageSettings('prod')
  const reserved = settings.functions.reservedForUpdates!
  const reserving = prod
    .all('AWS::Lambda::Function')
    .filter(([, { Properties }]) => Properties.ReservedConcurrentExecutions === reserved)
  expect(reserving.map(([id]) => id.replace(/Function.*/, ''))).toEqual([
    'ProductsCreate',
    'PricesCreate',
    'CustomersCreate',
    'CustomersUpdate',
    'DiscountsCreate',
  ])
  // test/store/contention.test.ts bounds the mean time of an update by 0.7 s, at twice this rate.
  expect(reserved).toBeGreaterThanOrEqual(clientRates(settings).applicationRate * 0.7)
  // An account must have 100 executions that are not reserved.
  const quota = reserving.length * reserved + 100
  expect(quota).toBeLessThanOrEqual(1_000)
  expect(operatingGuide).toContain(`needs a quota of ${quota}`)
})

it('the deployed commit is in the outputs of the stack, and in no tag', () => {
  prod.template.hasOutput('Commit', { Value: COMMIT })
  expect(prod.stack.tags.tagValues()).toEqual({ service: 'billing-data-api', stage: 'prod' })
})

it('the deployed commit is "unknown" without git, and "dirty" if files were modified', () => {
  const folder = temporaryFolder()
  const git = (...args: string[]): string => {
    const author = ['-c', 'user.name=x', '-c', 'user.email=x@example.org']
    return execFileSync('git', ['-C', folder, ...author, ...args], { encoding: 'utf8' })
  }
  expect(commitOf(folder)).toBe('unknown')
  git('init', '--quiet')
  git('commit', '--quiet', '--allow-empty', '--message', 'First')
  const head = git('rev-parse', 'HEAD').slice(0, 12)
  expect(commitOf(folder)).toBe(head)
  writeFileSync(join(folder, 'new.ts'), '')
  expect(commitOf(folder)).toBe(`${head}-dirty`)
})
