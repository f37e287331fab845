import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constructName } from '../../lib/functions/api-function.ts'
import { commitOf } from '../../lib/stack/commit.ts'
import { releaseMode } from '../../lib/stack/releases.ts'
import { budget, FUNCTION_TIMEOUT_MILLIS } from '../../shared/budget.ts'
import { catalogue, deployables } from '../../shared/catalogue.ts'
import { document } from '../../shared/contract/deployable.ts'
import { readDescription } from '../../tools/operator/releases.ts'
import { COMMIT, everyOption, type Resource, type Synthesis, synthesise } from '../support/synthesis.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const prod = synthesise('prod')
const full = synthesise('full', everyOption)

const policies = ({ all }: Synthesis): [string, Resource][] => all('AWS::IAM::Policy')
const isDocument = ([id]: [string, Resource]) => id.startsWith(constructName(document))
const list = (value: string | string[]): string[] => [value].flat()

describe('the functions', () => {
  it('are one for each endpoint and one for the document', () => {
    const names = prod.all('AWS::Lambda::Function').map(([id]) => id.replace(/Function[0-9A-F]{8}$/, ''))
    expect(names.sort()).toEqual(deployables.map(constructName).sort())
  })

  it('run on the current runtime, on arm64, traced, with a timeout above the budget of the store', () => {
    for (const properties of prod.properties('AWS::Lambda::Function')) {
      expect(properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        MemorySize: 1_024,
        Timeout: FUNCTION_TIMEOUT_MILLIS / 1000,
        TracingConfig: { Mode: 'Active' },
      })
      expect(properties.Timeout * 1000).toBeGreaterThan(budget.request)
    }
  })

  it('have only the table’s name in their environment, and no secret', () => {
    for (const each of prod.all('AWS::Lambda::Function'))
      expect(each[1].Properties.Environment?.Variables).toEqual(
        isDocument(each) ? undefined : { TABLE_NAME: { Ref: expect.stringMatching(/^BillingTable/) } },
      )
  })

  it('have a log group each, with a retention', () => {
    const groups = Object.fromEntries(prod.all('AWS::Logs::LogGroup'))
    const used = prod
      .properties('AWS::Lambda::Function')
      .map((properties) => properties.LoggingConfig.LogGroup.Ref)
    expect(new Set(used).size).toBe(deployables.length)
    for (const id of used) expect(groups[id]?.Properties.RetentionInDays).toBe(90)
  })

  it('have a role each, with one policy and no managed ones', () => {
    const roles = prod
      .properties('AWS::Lambda::Function')
      .map((properties) => properties.Role['Fn::GetAtt'][0])
    expect(new Set(roles).size).toBe(deployables.length)
    const byId = Object.fromEntries(prod.all('AWS::IAM::Role'))
    for (const role of roles) expect(byId[role]?.Properties.ManagedPolicyArns).toBeUndefined()
    expect(
      policies(prod)
        .map(([, { Properties }]) => Properties.Roles[0].Ref)
        .sort(),
    ).toEqual(roles.sort())
  })

  it('may neither scan nor delete, and have no wildcard permissions', () => {
    for (const [, { Properties }] of policies(prod)) {
      const statements = Properties.PolicyDocument.Statement as { Action: string[]; Resource: unknown }[]
      const actions = statements.flatMap(({ Action }) => list(Action))
      expect(actions.filter((action) => /\*|Scan|Delete/.test(action))).toEqual([])
      const onAnything = statements.filter(({ Resource }) => JSON.stringify(Resource).includes('*'))
      expect(onAnything.flatMap(({ Action }) => list(Action)).sort()).toEqual([
        'xray:PutTelemetryRecords',
        'xray:PutTraceSegments',
      ])
    }
  })

  it('that read cannot write', () => {
    for (const { id, method, ...endpoint } of catalogue) {
      const [, policy] = policies(prod).find(([name]) => name.startsWith(`${constructName({ id })}Role`))!
      const writes = JSON.stringify(policy).match(/dynamodb:(?!GetItem|BatchGetItem|Query)\w+/g) ?? []
      const allowed = endpoint.operation === 'create' ? ['dynamodb:PutItem'] : ['dynamodb:UpdateItem']
      expect([id, writes]).toEqual([id, method === 'GET' ? [] : allowed])
    }
  })

  it('are released to a tenth first, and rolled back by their own alarm or the API’s', () => {
    const groups = prod.all('AWS::CodeDeploy::DeploymentGroup')
    expect(groups).toHaveLength(deployables.length)
    for (const [, { Properties }] of groups) {
      expect(Properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent5Minutes')
      expect(Properties.AutoRollbackConfiguration.Events).toContain('DEPLOYMENT_STOP_ON_ALARM')
      expect(Properties.AlarmConfiguration.Alarms).toHaveLength(2)
    }
    expect(synthesise('dev').all('AWS::CodeDeploy::DeploymentGroup')).toEqual([])
  })

  it('are released at once on request, with no other change', () => {
    const policies: unknown[] = []
    const withoutPolicies = ({ template }: Synthesis) =>
      JSON.parse(JSON.stringify(template.toJSON()), (name, value) => {
        if (name !== 'UpdatePolicy') return value
        policies.push(value)
        return undefined
      })
    const atOnce = withoutPolicies(synthesise('prod', undefined, 'now'))
    expect(policies).toEqual([])
    expect(atOnce).toEqual(withoutPolicies(prod))
    expect(policies).toHaveLength(deployables.length)
    expect([releaseMode(undefined), releaseMode('now')]).toEqual(['gradual', 'now'])
    expect(() => releaseMode('soon')).toThrow('-c release must be "now" or left out (got "soon").')
  })

  it('keep their older versions, which name their route and commit', () => {
    const versions = prod.all('AWS::Lambda::Version').map(([, { DeletionPolicy }]) => DeletionPolicy)
    expect(versions).toEqual(deployables.map(() => 'RetainExceptOnCreate'))
    const described = prod.properties('AWS::Lambda::Function').map((properties) => properties.Description)
    const routes = deployables.map(({ method, path }) => ({ route: `${method} ${path}`, commit: COMMIT }))
    expect(described.map(readDescription)).toEqual(expect.arrayContaining(routes))
    for (const text of described) expect(text.length).toBeLessThanOrEqual(256)
  })
})

describe('functions with every option', () => {
  it('have reserved and provisioned concurrency, and the memory that is set', () => {
    for (const properties of full.properties('AWS::Lambda::Function'))
      expect(properties).toMatchObject({ ReservedConcurrentExecutions: 20, MemorySize: 512 })
    for (const properties of full.properties('AWS::Lambda::Alias'))
      expect(properties.ProvisionedConcurrencyConfig).toEqual({ ProvisionedConcurrentExecutions: 2 })
  })

  it('use the restored table and the operator’s key, that one only through DynamoDB', () => {
    const onTable = (each: [string, Resource]) => !isDocument(each)
    for (const [, { Properties }] of full.all('AWS::Lambda::Function').filter(onTable))
      expect(Properties.Environment.Variables).toEqual({
        TABLE_NAME: 'restored-table',
        CORS_ORIGIN: 'https://app.example.org',
      })
    for (const [, { Properties }] of policies(full).filter(onTable)) {
      const text = JSON.stringify(Properties.PolicyDocument)
      expect(text).toContain(':table/restored-table"')
      expect(Properties.PolicyDocument.Statement).toContainEqual(
        expect.objectContaining({
          Resource: everyOption.keyArn,
          Condition: { StringEquals: { 'kms:ViaService': expect.anything() } },
        }),
      )
    }
  })
})

describe('the deployed commit', () => {
  it('is in the outputs and the tags of the stack', () => {
    prod.template.hasOutput('Commit', { Value: COMMIT })
    expect(prod.stack.tags.tagValues()).toEqual({
      service: 'billing-data-api',
      stage: 'prod',
      commit: COMMIT,
    })
  })

  it('is marked if files differ from it, and unknown without git', () => {
    const folder = temporaryFolder()
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args])
    const commits = [commitOf(folder)]
    git('init', '--quiet')
    git('commit', '--quiet', '--allow-empty', '--message', 'First')
    commits.push(commitOf(folder))
    writeFileSync(join(folder, 'new.ts'), '')
    commits.push(commitOf(folder))
    const head = String(git('rev-parse', 'HEAD')).slice(0, 12)
    expect(commits).toEqual(['unknown', head, `${head}-dirty`])
  })
})
