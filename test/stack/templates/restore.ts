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

/** The stack before a restore, and after it, while the stream of the restored table is unknown. */
const own = synthesise('full', { ...everyOption, table: { kept: true }, events: false })
const restored = synthesise('full', { ...everyOption, events: 'stream' })
const [ownTable] = own.all('AWS::DynamoDB::Table')[0]!

/** `table` in place of references to the stack's own table, and "arn/…" in place of its ARN. */
const resolved = <Value>(value: Value, table: string): Value => {
  const text = JSON.stringify(value, (_, part) => {
    if (part?.Ref === ownTable) return table
    if (part?.['Fn::GetAtt']?.[0] === ownTable) return `arn/${table}`
    if (part?.['Fn::Join'])
      return part['Fn::Join'][1].map((joined: unknown) => resolved(joined, table)).join('')
    return part
  })
  return JSON.parse(text)
}

/** `*` stands for any characters. */
const matchesAny = (patterns: string | readonly string[], text: string): boolean =>
  [patterns]
    .flat()
    .some((pattern) => new RegExp(`^${RegExp.escape(pattern).replaceAll('\\*', '.*')}$`).test(text))

const roleOf = (endpointId: string, synthesis: Synthesis, table: string): Statement[] => {
  const role = `${constructName({ id: endpointId })}Role`
  const [, policy] = synthesis.all('AWS::IAM::Policy').find(([id]) => id.startsWith(role))!
  return resolved(policy.Properties.PolicyDocument.Statement, table)
}

interface Right {
  readonly action: string
  readonly resource: string
}

const neededRights = (command: string, input: Record<string, unknown>): Right[] => {
  const named = [...JSON.stringify(input).matchAll(/"TableName":"([^"]+)"/g)].map(([, name]) => name!)
  const tables = new Set([...named, ...Object.keys(input.RequestItems ?? {})])
  return [...tables].flatMap((table) =>
    rightsFor({ command, input }).map((right) => {
      const [action, index] = right.split(' on ')
      return { action: action!, resource: `arn/${table}${index ? `/index/${index}` : ''}` }
    }),
  )
}

/** Without a role, everything is allowed. */
let role: Statement[] | undefined
let resourcePolicy: Statement[] = []
/** By the paths of the stage's settings. */
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

const forLiveTable = (statements: readonly Statement[]): Statement[] =>
  JSON.parse(
    JSON.stringify(statements).replaceAll(
      /arn:aws:dynamodb:(?:REGION:ACCOUNT|[\w-]+:abc123):table\/(?:billing-(?=\*)|abc123)/g,
      `arn/${liveTable}`,
    ),
  )

const [stopWrites, allowWrites] = commandBlocks('Stop writes') as [string, string]

/** Applied as UpdateStage does. */
const ratesAfter = (blocks: readonly string[], synthesis = own, stage = 'prod'): Map<string, number> => {
  const calls = runOnStandIns(pastedScript(blocks, stage))
  const settings = methodSettings(synthesis)
  // Outside of quotes, the command line of AWS refuses a closing brace in a value.
  const patch = /^op=replace,path=(?:'([^']*)'|([^'",\]}]*)),value=(\d+)$/gm
  for (const [, quoted, bare, value] of calls.arguments.matchAll(patch)) {
    const path = quoted ?? bare!
    expect([...settings.keys()]).toContain(path)
    settings.set(path, Number(value))
  }
  return settings
}

interface FunctionRequest {
  readonly endpoint: string
  readonly path: string
  readonly body?: unknown
}

/** If the gateway's rates allow it. The function has its role in the template of `permissions`. */
const send = async (
  client: Client,
  permissions: Synthesis,
  { endpoint, path, body }: FunctionRequest,
): Promise<ApiResponse> => {
  const { method, path: route } = catalogue.find(({ id }) => id === endpoint)!
  const limit = rates.get(`/${route.replaceAll('/', '~1')}/${method}/throttling/rateLimit`)
  if (limit === 0) return { status: 429 } as ApiResponse
  role = roleOf(endpoint, permissions, liveTable)
  currentService().keyCache.clear()
  try {
    return await client.call(method, path, { body })
  } finally {
    role = undefined
  }
}

serveForTests()
let liveTable: string
beforeAll(() => {
  liveTable = process.env.TABLE_NAME as string
  rates = methodSettings(own)
  dynamodb().middlewareStack.add(
    (next, context) => (args) => {
      const input = args.input as Record<string, unknown>
      for (const { action, resource } of neededRights(String(context.commandName), input)) {
        const applies = ({ Action, Resource }: Statement) =>
          matchesAny(Action, action) && matchesAny(Resource, resource)
        // All statements of the resource policy deny, and all statements of the role allow.
        const isDenied = resourcePolicy.some(applies) || (role && !role.some(applies))
        if (isDenied)
          throw Object.assign(new Error(`${action} on ${resource}`), { name: 'AccessDeniedException' })
      }
      return next(args)
    },
    { step: 'initialize' },
  )
})

const tableOf = ({ properties }: Synthesis): string => {
  const withTable = properties('AWS::Lambda::Function').find(({ Environment }) => Environment)
  return resolved(withTable.Environment.Variables.TABLE_NAME, liveTable)
}

it('a restore changes the table that functions use, and no permission', () => {
  expect(restored.all('AWS::IAM::Policy')).toEqual(own.all('AWS::IAM::Policy'))
  expect(tableOf(restored)).toBe(`${tableOf(own)}-restored-1`)
})

it.each([
  ['prod', own],
  ['dev', synthesise('dev-ann', devAnn)],
])(
  'the guide stops exactly the writing methods of the stage %s, and allows them again at its rates',
  (stage, synthesis) => {
    const writes = catalogue.filter(({ throttle }) => throttle === 'write')
    const stopped = ratesAfter([stopWrites], synthesis, stage)
    // Each method has a rate and a burst.
    expect([...stopped.values()].filter((value) => value === 0)).toHaveLength(2 * writes.length)
    expect(ratesAfter([stopWrites, allowWrites], synthesis, stage)).toEqual(methodSettings(synthesis))
  },
)

it.each([
  ['Restore', 'restore-table-to-point-in-time', ['describe-table', 'wait']],
  ['Lost region', 'start-restore-job', ['describe-restore-job', 'describe-table', 'wait']],
])('the guide’s section "%s" does not wait for a restore that was refused', (title, restore, waits) => {
  const blocks = commandBlocks(title)
  const last = blocks.findIndex((block) => block.includes(restore))
  const script = pastedScript(blocks.slice(0, last + 1))
  expect(() => runOnStandIns(script, [restore, ...waits])).toThrow(/Command failed/)
})

it('the block that sets the names of the tables can be repeated in another shell, because it changes no table', () => {
  const { arguments: commandArguments } = runOnStandIns(pastedScript(commandBlocks('Restore').slice(0, 1)))
  expect(commandArguments).not.toMatch(/^(put|update|restore)-/m)
})

it.each([
  ['versions of a function', 'Roll back', 'Environment.Variables.TABLE_NAME'],
  ['copies in the second region', 'Lost region', 'ResourceArn'],
])('the guide lists %s with their tables, because there are several after a restore', (_, title, field) => {
  const [, fields = ''] = /--query '\w+\[\]\.\[(.*?)\]'/.exec(guideSection(title)) ?? []
  expect(fields.split(',')).toContain(field)
})

it('the guide deletes only a stack whose creation failed, not the one that its variables name', () => {
  const { arguments: commandArguments } = runOnStandIns(
    pastedScript(commandBlocks('A failed first deployment')),
  )
  const stackCommands = commandArguments.matchAll(
    /^(?:.*-stack|update-termination-protection|stack-.*)\n(?:--no.*\n)?--stack-name\n(.*)$/gm,
  )
  // The stand-in of the query for failed stacks returns this name.
  expect([...stackCommands].map(([, stack]) => stack)).toEqual(['abc123', 'abc123', 'abc123'])
  expect(commandArguments).toContain("Stacks[?starts_with(StackStatus, 'ROLLBACK_')].StackId")
})

it('all commands of the guide run in order, and each variable has a value', () => {
  const scripts = [...operatingGuide.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, script]) => script)
  const { input } = runOnStandIns(scripts.join('\n'))
  for (const command of ['put-resource-policy', 'create-backup-plan', 'create-backup-selection'])
    expect(JSON.parse(input(command))).toEqual(expect.any(Object))
})

it('the runbook restores a table without losing, reviving or refusing anything', async () => {
  const client = await newClient()
  const createCustomer = (permissions: Synthesis, body: unknown = customerBody()) =>
    send(client, permissions, { endpoint: 'customers.create', path: '/api/customers', body })
  const newCustomerId = async (): Promise<string> => {
    const { json } = await createCustomer(own)
    return json.data.customer.id
  }
  const keptId = await newCustomerId()
  const erasedId = await newCustomerId()
  const backup = (await dynamodb().send(new ScanCommand({ TableName: liveTable }))) as ScanCommandOutput
  const erasure = await send(client, own, {
    endpoint: 'customers.update',
    path: `/api/customers/${erasedId}`,
  })
  expect(erasure.status).toBe(200)

  // The gateway stops writes, and the resource policy stops a write that was already in flight.
  const lateBody = customerBody()
  rates = ratesAfter([stopWrites])
  expect(await createCustomer(own, lateBody)).toMatchObject({ status: 429 })
  const { input } = runOnStandIns(pastedScript(commandBlocks('Restore')))
  resourcePolicy = forLiveTable(JSON.parse(input('put-resource-policy')).Statement)
  rates = methodSettings(own)
  expect(await createCustomer(own, lateBody)).toMatchObject({ status: 500 })
  rates = ratesAfter([stopWrites])

  // The restored table has the items of the backup, in which the customer is not erased.
  const copy = tableOf(restored)
  await prepareTable(process.env.TEST_ENGINE as string, copy)
  for (const Item of backup.Items!) await dynamodb().send(new PutCommand({ TableName: copy, Item }))
  role = forLiveTable(policyStatements('Permissions for incidents'))
  expect(await reapplyErasures(liveTable)).toMatchObject({ erased: 1 })
  role = undefined

  // During the deployment and during its rollback, functions of both versions run with the permissions of
  // both.
  for (const version of [own, restored])
    for (const permissions of [own, restored]) {
      process.env.TABLE_NAME = tableOf(version)
      const retrieve = { endpoint: 'customers.retrieve', path: `/api/customers/${erasedId}` }
      const retrieved = await send(client, permissions, retrieve)
      expect(retrieved.status).toBe(200)
      expect(retrieved.json.data.customer.email).toMatch(/\.invalid$/)
      const list = { endpoint: 'customers.list', path: '/api/customers?include=external_id' }
      const listed = await send(client, permissions, list)
      expect(listed.status).toBe(200)
      const ids: string[] = listed.json.data.customers.map(({ id }: { id: string }) => id)
      expect(ids.sort()).toEqual([keptId, erasedId].sort())
    }

  rates = ratesAfter([stopWrites, allowWrites])
  process.env.TABLE_NAME = tableOf(restored)
  expect(await createCustomer(restored, lateBody)).toMatchObject({ status: 200 })
  process.env.TABLE_NAME = tableOf(own)
  expect(await createCustomer(own)).toMatchObject({ status: 500 })
})
