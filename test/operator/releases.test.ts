import { CloudFormationClient, ListStackResourcesCommand } from '@aws-sdk/client-cloudformation'
import {
  GetAliasCommand,
  LambdaClient,
  ListVersionsByFunctionCommand,
  UpdateAliasCommand,
} from '@aws-sdk/client-lambda'
import { mockClient } from 'aws-sdk-client-mock'
import { UsageError } from '../../tools/operator/command.ts'
import { releases } from '../../tools/operator/releases.ts'

/** A function of the stack: its versions by number, the one that its alias points at, and shares of others. */
interface Deployed {
  readonly versions: Readonly<Record<number, string>>
  live: number
  readonly weights?: Readonly<Record<string, number>>
}

const formation = mockClient(CloudFormationClient)
const lambda = mockClient(LambdaClient)
let functions: Record<string, Deployed>

const descriptionOf = (name: string, commit: string) => `GET /api/${name}: Lists them, all (${commit})`

beforeEach(() => {
  formation.reset()
  lambda.reset()
  functions = {
    products: { versions: { 1: 'aaa', 3: 'bbb', 10: 'ccc' }, live: 10 },
    prices: { versions: { 2: 'aaa', 4: 'bbb', 9: 'ccc' }, live: 9 },
  }
  formation.on(ListStackResourcesCommand).callsFake(({ StackName, NextToken }) => {
    if (StackName !== 'billing-prod') throw new Error(`Stack with id ${StackName} does not exist`)
    const names = Object.keys(functions)
    const arn = (name: string) => `arn:aws:lambda:eu-west-1:111122223333:function:${name}:live`
    const resource = (name: string) => ({ ResourceType: 'AWS::Lambda::Alias', PhysicalResourceId: arn(name) })
    const other = { ResourceType: 'AWS::DynamoDB::Table', PhysicalResourceId: 'table' }
    return NextToken
      ? { StackResourceSummaries: names.slice(1).map(resource) }
      : { StackResourceSummaries: [other, ...names.slice(0, 1).map(resource)], NextToken: 'more' }
  })
  lambda.on(GetAliasCommand, { Name: 'live' }).callsFake(({ FunctionName }) => {
    const { live, weights } = functions[FunctionName]!
    return { FunctionVersion: String(live), RoutingConfig: { AdditionalVersionWeights: weights } }
  })
  lambda.on(ListVersionsByFunctionCommand).callsFake(({ FunctionName, Marker }) => {
    const each = Object.entries(functions[FunctionName]!.versions).map(([Version, commit]) => ({
      ...{ Version, Description: descriptionOf(FunctionName, commit) },
      LastModified: `2026-01-0${Version.length}T10:00:00.000+0000`,
    }))
    return Marker
      ? { Versions: each.slice(1) }
      : { Versions: [{ Version: '$LATEST' }, ...each.slice(0, 1)], NextMarker: 'more' }
  })
  lambda.on(UpdateAliasCommand, { Name: 'live' }).callsFake(({ FunctionName, FunctionVersion }) => {
    functions[FunctionName]!.live = Number(FunctionVersion)
    return {}
  })
})

const run = (...args: string[]) => releases([...args, '--stack', 'billing-prod', '--region', 'eu-west-1'])
const live = () => Object.values(functions).map((each) => each.live)

it('list shows the newest versions of every function, and which one takes requests', async () => {
  functions.prices!.live = 4
  expect(await run('list')).toEqual({
    ok: true,
    text: [
      'GET /api/prices     9 ccc 2026-01-01   *4 bbb 2026-01-01   2 aaa 2026-01-01',
      'GET /api/products  *10 ccc 2026-01-02   3 bbb 2026-01-01   1 aaa 2026-01-01',
    ].join('\n'),
  })
})

describe('back', () => {
  it('gives all requests to the version before the newest, and changes nothing the second time', async () => {
    expect(await run('back')).toEqual({
      ok: true,
      text: [
        'GET /api/prices    put back from version 9 to version 4 (bbb)',
        'GET /api/products  put back from version 10 to version 3 (bbb)',
      ].join('\n'),
    })
    expect(live()).toEqual([3, 4])
    expect((await run('back')).text.match(/is already at version \d \(bbb\)/g)).toHaveLength(2)
    expect([live(), lambda.commandCalls(UpdateAliasCommand).length]).toEqual([[3, 4], 2])
  })

  it('gives all requests to the newest version of a commit', async () => {
    await run('back', '--to', 'aa')
    expect(live()).toEqual([1, 2])
    await run('back', '--to', 'ccc')
    expect(live()).toEqual([10, 9])
  })

  it('leaves a function that has no older version, and says so', async () => {
    functions.discounts = { versions: { 1: 'ccc' }, live: 1 }
    expect((await run('back')).text).toContain('GET /api/discounts  has no older version\n')
    expect(live()).toEqual([3, 4, 1])
    expect((await run('back', '--to', 'bbb')).text).toContain('GET /api/discounts  has no version of bbb\n')
  })

  it('puts the others back where one cannot be, and fails', async () => {
    lambda.on(UpdateAliasCommand, { FunctionName: 'products' }).rejects(new Error('Rate exceeded'))
    const { ok, text } = await run('back')
    expect([ok, live()]).toEqual([false, [10, 4]])
    expect(text).toContain('GET /api/products  FAILED: Rate exceeded')
  })

  it('changes nothing while a release runs', async () => {
    functions.products = { ...functions.products!, live: 3, weights: { 10: 0.1 } }
    await expect(run('back')).rejects.toThrow(
      'a release is running: GET /api/products has versions 3 and 10. Stop it first',
    )
    expect(live()).toEqual([3, 9])
  })

  it.each([
    [[], 'no function has an older version'],
    [['--to', 'ddd'], 'no function has a version of ddd'],
  ])('%j fails where there is nothing to go back to', async (args, told) => {
    functions = { products: { versions: { 1: 'aaa' }, live: 1 } }
    await expect(run('back', ...args)).rejects.toThrow(told)
  })
})

it('shows a function whose description is somebody else’s by its name', async () => {
  lambda
    .on(ListVersionsByFunctionCommand)
    .resolves({ Versions: [{ Version: '1', LastModified: '2026-01-01T' }] })
  expect((await run('list')).text).toMatch(/^prices {5}1 unknown 2026-01-01$/m)
})

it.each([
  [['list', '--stack', 'billing-none'], 'Stack with id billing-none does not exist'],
  [['back', '--stack', 'billing-dev'], 'billing-dev has no versions: its stage sets neither "canary" nor'],
])('%j is refused in a line', async (args, told) => {
  if (args[2] === 'billing-dev') formation.on(ListStackResourcesCommand).resolves({})
  await expect(releases(args)).rejects.toThrow(told)
})

it.each([
  [[], 'the command must be "list" or "back"'],
  [['forward'], 'the command must be "list" or "back"'],
  [['list', 'all'], '"releases list" does not take "all"'],
  [['list', '--to', 'abc'], '--to goes with "back"'],
  [['back', '--to', ''], '--to must be a commit'],
])('%j is told its fault before AWS is asked', async (args, told) => {
  await expect(run(...args)).rejects.toThrow(new UsageError(told))
  await expect(releases(['list'])).rejects.toThrow('--stack is missing')
  expect(formation.calls()).toEqual([])
})
