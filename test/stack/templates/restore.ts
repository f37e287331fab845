import { PutCommand, ScanCommand, type ScanCommandOutput } from '@aws-sdk/lib-dynamodb'
import { constructName } from '../../../lib/functions/api-function.ts'
import { catalogue } from '../../../shared/catalogue.ts'
import { currentService, dynamodb } from '../../../shared/store/service.ts'
import { prepareTable } from '../../../tools/local/database.ts'
import { reapplyErasures } from '../../../tools/operator/erasures.ts'
import {
  commandBlocks,
  guideSection,
  operatingGuide,
  pastedScript,
  policyStatements,
  type Statement,
} from '../../support/documents/operating-guide.ts'
import { runOnStandIns } from '../../support/processes/stand-ins.ts'
import { customerBody } from '../../support/requests/bodies.ts'
import { type ApiResponse, type Client, newClient, serveForTests } from '../../support/requests/service.ts'
import { rightsFor } from '../../support/stack/rights.ts'
import {
  devAnn,
  everyOption,
  type Resource,
  type Synthesis,
  synthesise,
} from '../../support/stack/synthesis.ts'

const own = synthesise('full', { ...everyOption, table: { kept: true }, events: false })
const restored = synthesise('full', { ...everyOption, events: false })
const [ownTable] = own.all('AWS::DynamoDB::Table')[0]!

/** Replaces references to the stack's own table by its name. */
const resolved = (value: unknown, table: string): string =>
  JSON.stringify(value, (_, each) => {
    if (each?.Ref === ownTable) return table
    if (each?.['Fn::GetAtt']?.[0] === ownTable) return `arn/${table}`
    if (each?.['Fn::Join'])
      return each['Fn::Join'][1].map((part: unknown) => JSON.parse(resolved(part, table))).join('')
    return each
  })

const matches = (patterns: string | readonly string[], text: string): boolean =>
  [patterns].flat().some((each) => new RegExp(`^${RegExp.escape(each).replaceAll('\\*', '.*')}$`).test(text))

/** Returns the statements of a function's role in a template. */
const roleOf = (id: string, made: Synthesis, table: string): Statement[] => {
  const [, policy] = made
    .all('AWS::IAM::Policy')
    .find(([each]) => each.startsWith(`${constructName({ id })}Role`))!
  return JSON.parse(resolved(policy.Properties.PolicyDocument.Statement, table))
}

/** Returns the rights that a command needs on each table that it names. */
const neededBy = (command: string, input: Record<string, unknown>): [action: string, resource: string][] => {
  const named = [...JSON.stringify(input).matchAll(/"TableName":"([^"]+)"/g)].map(([, name]) => name!)
  const tables = new Set([...named, ...Object.keys(input.RequestItems ?? {})])
  return [...tables].flatMap((table) =>
    rightsFor({ command, input }).map((right): [string, string] => {
      const [action, index] = right.split(' on ')
      return [action!, `arn/${table}${index ? `/index/${index}` : ''}`]
    }),
  )
}

let role: Statement[] | undefined
/** The statements of the table's resource policy. */
let resourcePolicy: Statement[] = []
/** The rates of methods, by the paths of the stage's settings. */
let rates: Map<string, number>

const methodSettings = ({ only }: Synthesis): Map<string, number> =>
  new Map(
    only('AWS::ApiGateway::Stage').Properties.MethodSettings.flatMap(
      ({ ResourcePath, HttpMethod, ...limits }: Resource['Properties']) => [
        [`${ResourcePath}/${HttpMethod}/throttling/rateLimit`, limits.ThrottlingRateLimit],
        [`${ResourcePath}/${HttpMethod}/throttling/burstLimit`, limits.ThrottlingBurstLimit],
      ],
    ),
  )

/** Returns statements of the guide for the tables of this test. */
const forLive = (statements: readonly Statement[]): Statement[] =>
  JSON.parse(
    JSON.stringify(statements).replaceAll(
      /arn:aws:dynamodb:(?:REGION:ACCOUNT|[\w-]+:abc123):table\/(?:billing-(?=\*)|abc123)/g,
      `arn/${live}`,
    ),
  )

const [stop, allow] = commandBlocks('Stop writes') as [string, string]

/** Returns the rates of a stage after commands of the guide, applied as UpdateStage does. */
const throttled = (blocks: readonly string[], made = own, stage = 'prod'): Map<string, number> => {
  const calls = runOnStandIns(pastedScript(blocks, stage))
  const settings = methodSettings(made)
  // Outside of quotes, the command line of AWS refuses a closing brace in a value.
  const patch = /^op=replace,path=(?:'([^']*)'|([^'",\]}]*)),value=(\d+)$/gm
  for (const [, quoted, bare, value] of calls.arguments.matchAll(patch)) {
    const path = quoted ?? bare
    expect({ path, value: settings.has(path!) }).toEqual({ path, value: true })
    settings.set(path!, Number(value))
  }
  return settings
}

/** Sends a request to a function if the gateway's rates allow it. The function's role is that of the template `made`. */
const send = async (
  client: Client,
  made: Synthesis,
  id: string,
  path: string,
  body?: unknown,
): Promise<ApiResponse> => {
  const { method, path: route } = catalogue.find((each) => each.id === id)!
  const limit = rates.get(`/${route.replaceAll('/', '~1')}/${method}/throttling/rateLimit`)
  if (limit === 0) return { status: 429 } as ApiResponse
  role = roleOf(id, made, live)
  currentService().keyCache.clear()
  try {
    return await client.call(method, path, { body })
  } finally {
    role = undefined
  }
}

serveForTests()
let live: string
beforeAll(() => {
  live = process.env.TABLE_NAME as string
  rates = methodSettings(own)
  dynamodb().middlewareStack.add(
    (next, context) => (args) => {
      for (const [action, resource] of neededBy(String(context.commandName), args.input as never)) {
        const applying = ({ Action, Resource }: Statement) =>
          matches(Action, action) && matches(Resource, resource)
        const denied = resourcePolicy.some(applying) || (role && !role.some(applying))
        if (denied)
          throw Object.assign(new Error(`${action} on ${resource}`), { name: 'AccessDeniedException' })
      }
      return next(args)
    },
    { step: 'initialize' },
  )
})

/** Returns the table that the functions of a template use. */
const tableOf = (made: Synthesis): string => {
  const { Variables } = made
    .properties('AWS::Lambda::Function')
    .find(({ Environment }) => Environment).Environment
  return JSON.parse(resolved(Variables.TABLE_NAME, live))
}

it('a restore changes no permission, nor does its rollback', () => {
  const policies = (made: Synthesis) => made.all('AWS::IAM::Policy')
  expect(policies(restored)).toEqual(policies(own))
  expect(tableOf(restored)).toBe(`${tableOf(own)}-restored-1`)
})

it.each([
  ['prod', own],
  ['dev', synthesise('dev-ann', devAnn)],
])(
  'the guide stops exactly the writing methods of the stage %s, and allows them again at its rates',
  (stage, made) => {
    const writing = catalogue.filter(({ throttle }) => throttle === 'write').length
    const stopped = throttled([stop], made, stage)
    expect([...stopped.values()].filter((value) => value === 0)).toHaveLength(2 * writing)
    expect(throttled([stop, allow], made, stage)).toEqual(methodSettings(made))
  },
)

it.each([
  ['Restore', 'restore-table-to-point-in-time', ['describe-table', 'wait']],
  ['Lost region', 'start-restore-job', ['describe-restore-job', 'describe-table', 'wait']],
])('the wait of the guide’s section "%s" ends if the restore is refused', (title, command, others) => {
  const blocks = commandBlocks(title)
  const last = blocks.findIndex((block) => block.includes(command))
  const script = pastedScript(blocks.slice(0, last + 1))
  expect(() => runOnStandIns(script, [command, ...others])).toThrow(/Command failed/)
})

it('the names of the tables can be set again in another shell, without fencing the table that is in use then', () => {
  const { arguments: words } = runOnStandIns(pastedScript(commandBlocks('Restore').slice(0, 1)))
  expect(words).not.toMatch(/^(put|update|restore)-/m)
})

it.each([
  ['versions of a function', 'Roll back', 'Environment.Variables.TABLE_NAME'],
  ['copies in the second region', 'Lost region', 'ResourceArn'],
])('the guide lists %s with their tables, of which a restore leaves several', (_, title, field) =>
  expect(/--query '\w+\[\]\.\[(.*?)\]'/.exec(guideSection(title))?.[1]?.split(',')).toContain(field),
)

it('the guide deletes only a stack whose creation failed, not the one that its variables name', () => {
  const words = runOnStandIns(pastedScript(commandBlocks('A failed first deployment'))).arguments
  const ending = [
    ...words.matchAll(
      /^(.*-stack|update-termination-protection|stack-.*)\n(?:--no.*\n)?--stack-name\n(.*)$/gm,
    ),
  ]
  expect(ending.map(([, , stack]) => stack)).toEqual(['abc123', 'abc123', 'abc123'])
  expect(words).toContain("Stacks[?starts_with(StackStatus, 'ROLLBACK_')].StackId")
})

it('all commands of the guide run in order, and each variable has a value', () => {
  const scripts = [...operatingGuide.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, script]) => script)
  const { input } = runOnStandIns(scripts.join('\n'))
  for (const command of ['put-resource-policy', 'create-backup-plan', 'create-backup-selection'])
    expect(JSON.parse(input(command))).toEqual(expect.any(Object))
})

it('the runbook restores a table without losing, reviving or refusing anything', async () => {
  const client = await newClient()
  const customer = async (): Promise<{ id: string }> =>
    (await send(client, own, 'customers.create', '/api/customers', customerBody())).json.data.customer
  const [kept, erased, late] = [await customer(), await customer(), customerBody()]
  const scan = (await dynamodb().send(new ScanCommand({ TableName: live }))) as ScanCommandOutput
  const erase = () => send(client, own, 'customers.update', `/api/customers/${erased.id}`)
  expect((await erase()).status).toBe(200)

  rates = throttled([stop])
  expect((await send(client, own, 'customers.create', '/api/customers', late)).status).toBe(429)
  const { input } = runOnStandIns(pastedScript(commandBlocks('Restore')))
  resourcePolicy = forLive(JSON.parse(input('put-resource-policy')).Statement)
  // A write that was under way when the gateway stopped.
  rates = methodSettings(own)
  expect((await send(client, own, 'customers.create', '/api/customers', late)).status).toBe(500)
  rates = throttled([stop])

  const copy = tableOf(restored)
  await prepareTable(process.env.TEST_ENGINE as string, copy)
  for (const Item of scan.Items!) await dynamodb().send(new PutCommand({ TableName: copy, Item }))
  role = forLive(policyStatements('Permissions for incidents'))
  expect(await reapplyErasures(live)).toMatchObject({ erased: 1 })
  role = undefined

  const read = async (made: Synthesis, permissions: Synthesis): Promise<string[]> => {
    process.env.TABLE_NAME = tableOf(made)
    const one = await send(client, permissions, 'customers.retrieve', `/api/customers/${erased.id}`)
    const list = await send(client, permissions, 'customers.list', '/api/customers?include=external_id')
    expect(one.status).toBe(200)
    expect(list.status).toBe(200)
    expect(one.json.data.customer.email).toMatch(/\.invalid$/)
    return list.json.data.customers.map(({ id }: { id: string }) => id).sort()
  }
  // The deployment, its rollback and the deployment again: functions of both versions under permissions of both.
  for (const version of [own, restored])
    for (const permissions of [own, restored])
      expect(await read(version, permissions)).toEqual([kept.id, erased.id].sort())

  rates = throttled([stop, allow])
  process.env.TABLE_NAME = tableOf(restored)
  expect((await send(client, restored, 'customers.create', '/api/customers', late)).status).toBe(200)
  process.env.TABLE_NAME = tableOf(own)
  expect((await send(client, own, 'customers.create', '/api/customers', customerBody())).status).toBe(500)
})
