import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Template } from 'aws-cdk-lib/assertions'
import { bundleFunctions } from '../../../lib/bundle/bundle.ts'
import { constructName } from '../../../lib/functions/api-function.ts'
import { grantsOf } from '../../../lib/functions/grants.ts'
import { commitOf } from '../../../lib/stack/commit.ts'
import { stageSettings } from '../../../lib/stages.ts'
import { FUNCTION_TIMEOUT_MILLIS } from '../../../shared/budget.ts'
import { deployables } from '../../../shared/catalogue.ts'
import { documentFunction } from '../../../shared/contract/document-function.ts'
import { realBudget } from '../../support/budgets.ts'
import { temporaryFolder } from '../../support/processes/temporary-folder.ts'
import {
  COMMIT,
  everyOption,
  type Resource,
  type Synthesis,
  synthesise,
} from '../../support/stack/synthesis.ts'
import { stackIn } from '../../support/stack/test-stages.ts'

const prod = synthesise('prod')
const full = synthesise('full', everyOption)

const policies = ({ all }: Synthesis): [string, Resource][] => all('AWS::IAM::Policy')
const isDocument = ([id]: [string, Resource]) => id.startsWith(constructName(documentFunction))

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
const { corsOrigin: CORS_ORIGIN } = everyOption
it.each([
  ['the table name', prod, { TABLE_NAME: ownTable }, undefined],
  [
    'that of a restored table and the origin, or the names of the pages,',
    full,
    { TABLE_NAME: restoredTable, CORS_ORIGIN },
    { SERVED_PAGES: 'docs, console' },
  ],
])('functions have only %s in their environment, and no secret', (_, made, variables, ofDocument) => {
  for (const each of made.all('AWS::Lambda::Function'))
    expect(each[1].Properties.Environment?.Variables).toEqual(isDocument(each) ? ofDocument : variables)
})

it('each function has a role with one inline policy and no managed ones', () => {
  const roles = prod.properties('AWS::Lambda::Function').map((properties) => properties.Role['Fn::GetAtt'][0])
  expect(new Set(roles).size).toBe(deployables.length)
  const byId = Object.fromEntries(prod.all('AWS::IAM::Role'))
  for (const role of roles) expect(byId[role]?.Properties.ManagedPolicyArns).toBeUndefined()
  expect(
    policies(prod)
      .map(([, { Properties }]) => Properties.Roles[0].Ref)
      .sort(),
  ).toEqual(roles.sort())
})

/** An ARN in a template: that of a resource, or one followed by a text. */
interface Arn {
  readonly 'Fn::GetAtt'?: readonly [string, 'Arn']
  readonly 'Fn::Join'?: readonly ['', readonly [Arn, string]]
}

/** Returns an ARN with the logical id of its resource, without the hash, in place of the ARN of the resource. */
const arnText = (arn: Arn | '*'): string => {
  if (arn === '*') return arn
  if (arn['Fn::GetAtt']) return arn['Fn::GetAtt'][0].replace(/[0-9A-F]{8}$/, '')
  const [base, suffix] = arn['Fn::Join']![1]
  return arnText(base) + suffix
}

const keyRights = ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo']
const service = { 'Fn::Join': ['', ['dynamodb.', { Ref: 'AWS::Region' }, '.amazonaws.com']] }
const throughDynamoDb = JSON.stringify({ StringEquals: { 'kms:ViaService': service } })

// Any key, so that a table can get one or another while functions use it.
it.each([
  ['the table and restored ones as its grants say, with any key', prod, []],
  ['X-Ray too if the stage traces', full, ['xray:PutTelemetryRecords *', 'xray:PutTraceSegments *']],
])('each function may use %s, write its log, and nothing else', (_, made, more) => {
  for (const deployable of deployables) {
    const name = constructName(deployable)
    const [, policy] = policies(made).find(([id]) => id.startsWith(`${name}Role`))!
    const statements: { Action: string | string[]; Resource: Arn | '*' | Arn[]; Condition?: object }[] =
      policy.Properties.PolicyDocument.Statement
    const rights = statements.flatMap(({ Action, Resource, Condition }) =>
      [Action].flat().flatMap((action) =>
        [Resource].flat().map((arn) => {
          const right = `${action} ${arnText(arn)}`
          return Condition ? `${right} if ${JSON.stringify(Condition)}` : right
        }),
      ),
    )
    const { table, indexes } = grantsOf(deployable)
    const onTables = ['BillingTable', 'BillingTable-restored-*'].flatMap((each) => [
      ...table.map((action) => `${action} ${each}`),
      ...indexes.map((index) => `dynamodb:Query ${each}/index/${index}`),
    ])
    const onKeys = keyRights.map((action) => `kms:${action} * if ${throughDynamoDb}`)
    const ofLog = [`logs:CreateLogStream ${name}Logs`, `logs:PutLogEvents ${name}Logs`]
    expect(rights.sort()).toEqual(
      [...(deployable.usesTable ? [...onTables, ...onKeys] : []), ...ofLog, ...more].sort(),
    )
  }
})

it('functions receive requests through an alias, and keep their older versions', () => {
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
  const configured = { ReservedConcurrentExecutions: 20, MemorySize: 512, TracingConfig: { Mode: 'Active' } }
  for (const properties of full.properties('AWS::Lambda::Function'))
    expect(properties).toMatchObject(configured)
  for (const properties of full.properties('AWS::Lambda::Alias'))
    expect(properties.ProvisionedConcurrencyConfig).toEqual({ ProvisionedConcurrentExecutions: 2 })
})

it('only the function of updates reserves concurrency in production, more than its method’s throttle fills in one second', () => {
  const { functions, throttle } = stageSettings('prod')
  const reserved = prod
    .all('AWS::Lambda::Function')
    .filter(([, { Properties }]) => Properties.ReservedConcurrentExecutions !== undefined)
    .map(([id, { Properties }]) => [id.replace(/Function\w*$/, ''), Properties.ReservedConcurrentExecutions])
  expect(reserved).toEqual([['CustomersUpdate', functions.reservedForUpdates]])
  // test/store/contention.test.ts bounds the mean time of an update under such a load by 0.7 s.
  expect(functions.reservedForUpdates).toBeGreaterThanOrEqual(throttle.write.rate * 0.7)
})

/** The document, which contains a part of the README, and one operation in place of all, since each takes a second. */
const bundled = deployables.filter(({ id }) => /^(openapi.retrieve|invoices.create)$/.test(id))

/** Bundles a copy of this project with one more sentence in the README, in a folder of its own. Returns the bundles' folder. */
const bundledCopy = (): string => {
  const folder = temporaryFolder()
  const parts = '{bin,client,console,docs,functions,lib,shared,tools,package.json,tsconfig.json}'
  for (const part of globSync(parts)) cpSync(part, join(folder, part), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'README.md'), `${readFileSync('README.md')}\nOther\n`)
  const ids = JSON.stringify(bundled.map(({ id }) => id))
  const bundle = `import { bundleFunctions } from './lib/bundle/bundle.ts'
import { deployables } from './shared/catalogue.ts'
await bundleFunctions('dist', deployables.filter(({ id }) => ${ids}.includes(id)))`
  execFileSync(process.execPath, ['--input-type=module', '--eval', bundle], { cwd: folder })
  return join(folder, 'dist')
}

it('two commits with the same code result in the same bundles, in any folder, and in the same versions', async () => {
  const bundles = temporaryFolder()
  await bundleFunctions(bundles, bundled)
  const copy = bundledCopy()
  const files = globSync('*/*/*', { cwd: bundles })
  expect(files.length).toBeGreaterThanOrEqual(2 * bundled.length)
  for (const file of files) expect(readFileSync(join(copy, file))).toEqual(readFileSync(join(bundles, file)))
  const stage = { stage: 'prod', settings: stageSettings('prod'), commit: 'other' }
  const other = Template.fromStack(stackIn(temporaryFolder(), stage).stack)
  expect(other.toJSON().Resources).toEqual(prod.template.toJSON().Resources)
  other.resourceCountIs('AWS::Lambda::Version', deployables.length)
})

it('the deployed commit is in the outputs of the stack, and in no tag', () => {
  prod.template.hasOutput('Commit', { Value: COMMIT })
  expect(prod.stack.tags.tagValues()).toEqual({ service: 'billing-data-api', stage: 'prod' })
})

it('the deployed commit is marked if files are modified, and unknown without git', () => {
  const folder = temporaryFolder()
  const git = (...args: string[]): string => {
    const who = ['-c', 'user.name=x', '-c', 'user.email=x@example.org']
    return execFileSync('git', ['-C', folder, ...who, ...args], { encoding: 'utf8' })
  }
  const commits = [commitOf(folder)]
  git('init', '--quiet')
  git('commit', '--quiet', '--allow-empty', '--message', 'First')
  commits.push(commitOf(folder))
  writeFileSync(join(folder, 'new.ts'), '')
  commits.push(commitOf(folder))
  const head = git('rev-parse', 'HEAD').slice(0, 12)
  expect(commits).toEqual(['unknown', head, `${head}-dirty`])
})
