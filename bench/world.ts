import { randomUUID } from 'node:crypto'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { catalogue } from '../shared/catalogue.ts'
import type { Endpoint } from '../shared/contract/endpoint.ts'
import { setLogSink } from '../shared/log.ts'
import type { Spread } from '../shared/spread.ts'
import { documents } from '../shared/store/aws/client.ts'
import type { Credentials } from '../tools/applications/api-keys.ts'
import { createApplication, scaleApplication } from '../tools/applications/applications.ts'
import { prepareTable, useDatabase } from '../tools/local/database.ts'
import { type Engine, startEngine } from '../tools/local/engine.ts'
import { sourceHandlers } from '../tools/local/server.ts'

/** A request of the API. */
export interface Call {
  /** `<plural>.<operation>` */
  readonly endpoint: string
  readonly id?: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A command that the SDK sent: its marshalled input, and the capacity units that the engine counted. */
export interface Sent {
  readonly command: string
  readonly input: Record<string, unknown>
  readonly units: number
}

/** The answer of a request, its commands to DynamoDB, and its log line. */
export interface Observed {
  readonly body: Json
  readonly bytes: number
  readonly sent: readonly Sent[]
  /** The capacity units of all its commands. */
  readonly units: number
  readonly logged: string
}

// biome-ignore lint/suspicious/noExplicitAny: answers of our own service, whose shape the tests check
export type Json = any

/** A table with one application, and the handlers of the sources on it. */
export interface World {
  readonly endpoint: string
  readonly table: string
  readonly credentials: Credentials
  /** The shards of the application's lists. */
  readonly spread: Spread
  /** The environment variables with which a process finds the engine, like a deployed function DynamoDB. */
  readonly env: NodeJS.ProcessEnv
  event(call: Call): APIGatewayProxyEvent
  observe(call: Call): Promise<Observed>
  /** Points the store of this process at this world's table. */
  use(): void
}

const endpointOf = (call: Call): Endpoint => catalogue.find(({ id }) => id === call.endpoint)!

const eventFor = ({ app_id, api_key }: Credentials, call: Call): APIGatewayProxyEvent => {
  const endpoint = endpointOf(call)
  return {
    resource: endpoint.path,
    path: endpoint.path.replace('{id}', call.id ?? ''),
    httpMethod: endpoint.method,
    headers: {
      Authorization: `Bearer ${api_key}`,
      'x-app-id': app_id,
      'Content-Type': 'application/json',
      Accept: 'application/json',
    },
    queryStringParameters: call.query ?? null,
    pathParameters: call.id === undefined ? null : { id: call.id },
    body: call.body === undefined ? null : JSON.stringify(call.body),
    isBase64Encoded: false,
    requestContext: { requestId: '6f1b1f5e-0000-4000-8000-000000000000' },
  } as unknown as APIGatewayProxyEvent
}

interface Capacity {
  readonly CapacityUnits?: number
}
const unitsOf = (capacity: Capacity | readonly Capacity[] | undefined): number =>
  [capacity ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0)

const sent: Sent[] = []
const lines: string[] = []

/** Records the marshalled commands of this process's document client, and their capacity units. */
const watch = ({ middlewareStack }: Pick<DynamoDBClient, 'middlewareStack'>): void => {
  const records = new WeakMap<object, Sent>()
  middlewareStack.add(
    (next, context) => async (args) => {
      const input = { ...args.input, ReturnConsumedCapacity: 'TOTAL' }
      const result = await next({ ...args, input: input as never })
      const { ConsumedCapacity } = result.output as { ConsumedCapacity?: Capacity | Capacity[] }
      Object.assign(records.get(context)!, { units: unitsOf(ConsumedCapacity) })
      return result
    },
    { step: 'initialize', name: 'benchUnits' },
  )
  middlewareStack.add(
    (next, context) => (args) => {
      const { ReturnConsumedCapacity: _, ...input } = args.input as Record<string, unknown>
      const record = { command: String(context.commandName), input, units: 0 }
      records.set(context, record)
      sent.push(record)
      return next(args)
    },
    { step: 'build', name: 'benchInput' },
  )
}

const observe = async (credentials: Credentials, call: Call): Promise<Observed> => {
  const handler = await sourceHandlers(endpointOf(call))
  sent.length = 0
  lines.length = 0
  const context = { getRemainingTimeInMillis: () => 6_000 } as never
  const { statusCode, body } = await handler(eventFor(credentials, call), context)
  if (statusCode !== 200) throw new Error(`${call.endpoint} answered ${statusCode}: ${body}`)
  return {
    body: JSON.parse(body),
    bytes: Buffer.byteLength(body),
    sent: [...sent],
    units: sent.reduce((sum, { units }) => sum + units, 0),
    logged: lines.join('\n'),
  }
}

let engine: Promise<Engine> | undefined

const sharedEngine = async (): Promise<Engine> => {
  const started = await startEngine()
  useDatabase(started.endpoint, '-')
  // Set as on Lambda, so that log lines have the same length.
  process.env._X_AMZN_TRACE_ID = 'Root=1-5759e988-bd862e3fe1be46a994272793'
  watch(documents())
  setLogSink((line) => lines.push(line))
  return started
}

/** Stops the engine, which all worlds share. */
export const stopEngine = async (): Promise<void> => (await engine)?.stop()

/** Creates a table on the shared engine, with an application whose lists have this many shards. */
export const newWorld = async (shards = 1): Promise<World> => {
  engine ??= sharedEngine()
  const { endpoint } = await engine
  const table = `bench-${randomUUID()}`
  await prepareTable(endpoint, table)
  const credentials = await createApplication('Bench')
  await scaleApplication(credentials.app_id, shards, async () => undefined)
  const env = {
    PATH: process.env.PATH,
    TABLE_NAME: table,
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  }
  const use = () => useDatabase(endpoint, table)
  return {
    table,
    endpoint,
    credentials,
    env,
    use,
    spread: { shards, before: shards },
    event: (call) => eventFor(credentials, call),
    observe: (call) => {
      use()
      return observe(credentials, call)
    },
  }
}
