import { randomUUID } from 'node:crypto'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { catalogue } from '../shared/catalogue.ts'
import type { Endpoint } from '../shared/contract/endpoint.ts'
import { exampleBody } from '../shared/openapi/examples.ts'
import { customer } from '../shared/resources/customer.ts'
import type { Credentials } from '../shared/store/credentials.ts'
import { currentService } from '../shared/store/service.ts'
import { type DatabaseCall, databaseCallsOf } from '../test/support/database/database-calls.ts'
import { createApplication, scaleApplication } from '../tools/applications/applications.ts'
import { prepareTable, useDatabase } from '../tools/local/database.ts'
import { type Engine, startEngine } from '../tools/local/engine.ts'
import { sourceHandlers } from '../tools/local/server.ts'

export interface BenchCall {
  readonly endpoint: string
  readonly id?: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A table with one application, and the handlers of the sources on it. */
export interface Fixture {
  readonly endpoint: string
  readonly table: string
  /** With these, a process finds the engine as a deployed function finds DynamoDB. */
  readonly env: NodeJS.ProcessEnv
  event(call: BenchCall): APIGatewayProxyEvent
  /** Throws Error unless the response is a 200. */
  // biome-ignore lint/suspicious/noExplicitAny: responses of our own service, whose shape the tests check
  send(call: BenchCall): Promise<any>
  /** The calls of DynamoDB that a request causes. */
  observe(call: BenchCall): Promise<DatabaseCall[]>
}

/** The example of the OpenAPI document, with this id. */
export const customerBody = (id: string) => ({ ...exampleBody(customer, ({ name }) => name), id })

const endpointOf = (call: BenchCall): Endpoint => catalogue.find(({ id }) => id === call.endpoint)!

const eventFor = ({ app_id, api_key }: Credentials, call: BenchCall): APIGatewayProxyEvent => {
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

const responseTo = async (credentials: Credentials, call: BenchCall) => {
  const handler = await sourceHandlers(endpointOf(call))
  const context = { getRemainingTimeInMillis: () => 6_000 } as never
  const { statusCode, body } = await handler(eventFor(credentials, call), context)
  if (statusCode !== 200) throw new Error(`${call.endpoint} responded with ${statusCode}: ${body}`)
  return JSON.parse(body)
}

let engine: Promise<Engine> | undefined

/** Stops the engine, which all fixtures share. */
export const stopEngine = async (): Promise<void> => (await engine)?.stop()

/** Creates a table on the shared engine, with an application whose lists have this many shards. */
export const createFixture = async (shards = 1): Promise<Fixture> => {
  currentService().log = () => undefined
  engine ??= startEngine()
  const { endpoint } = await engine
  const table = `bench-${randomUUID()}`
  await prepareTable(endpoint, table)
  const credentials = await createApplication('Bench')
  await scaleApplication(credentials.app_id, shards, async () => undefined)
  const send = (call: BenchCall) => {
    useDatabase(endpoint, table)
    return responseTo(credentials, call)
  }
  return {
    endpoint,
    table,
    env: {
      PATH: process.env.PATH,
      TABLE_NAME: table,
      AWS_REGION: 'local',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    },
    event: (call) => eventFor(credentials, call),
    send,
    observe: (call) => databaseCallsOf(() => send(call)),
  }
}
