import type { Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ENTRY_FILE } from '../../lib/bundle/bundle.ts'
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/budget.ts'
import { catalogue } from '../../shared/catalogue.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { exampleId } from '../../shared/openapi/examples.ts'
import { tableName } from '../../shared/store/service.ts'
import { listen } from '../../tools/local/http-server.ts'
import { createGateway } from '../../tools/local/server.ts'
import { allBundles, bundleFolder } from '../bundles/all-bundles.ts'
import { inWorker, lambdaEnvironment } from '../bundles/running-function.ts'
import { discountBody, invoiceBody } from '../support/requests/bodies.ts'
import { recordExamples } from '../support/requests/examples.ts'
import { type Call, type Client, clientAt, newClient, serveForTests } from '../support/requests/service.ts'
import { createExisting, existingIds, writeOperations } from '../support/requests/write-operations.ts'

/** Every other test runs the sources. These send one request after the other to the sources and to the bundles of the functions. */

serveForTests()

const workers = new Map<string, ReturnType<typeof inWorker>>()
let server: Server
let sources: Client
let bundles: Client

/** Starts the gateway with the bundles of all endpoints, each in a worker, on the table of this test. */
const serveBundles = async (): Promise<string> => {
  await allBundles()
  const environment = {
    ...lambdaEnvironment(process.env.TEST_ENGINE as string),
    TABLE_NAME: tableName(),
    HOLD_BACK_SECONDS: '0',
  }
  server = createGateway(async ({ id }) => {
    const file = join(await bundleFolder(id), ENTRY_FILE)
    const settings = { file, environment, timeoutMillis: FUNCTION_TIMEOUT_MILLIS }
    const worker = workers.get(id) ?? inWorker(settings, () => undefined)
    workers.set(id, worker)
    return worker.handler
  })
  return listen(server, { host: '127.0.0.1', port: 0 })
}

beforeAll(async () => {
  sources = await newClient()
  await recordExamples(sources)
  await createExisting(sources)
  await sources.create('/api/discounts', discountBody({ id: 'one' }))
  for (const id of ['one', 'two', 'three'])
    await sources.create(
      '/api/invoices',
      invoiceBody({ id, subscription_id: 'one', customer_id: existingIds.customer }),
    )
  bundles = clientAt(await serveBundles(), sources.credentials)
  // A list of changes leaves out the current second, which would end between two responses.
  await pause(1_000)
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await Promise.all([...workers.values()].map((worker) => worker.stop()))
})

/** A request: its path, with its query, and its body if it has one. */
type Request = readonly [path: string, call?: Call]

/** The values of each kind of query parameter: good and bad ones. */
const parameterValues: Readonly<Record<Endpoint['parameters'][number]['kind'], readonly string[]>> = {
  limit: ['1', '', '0', '101', 'x'],
  cursor: ['', 'x'],
  changed_since: ['2020-01-01', '0', '', 'yesterday'],
  include: ['', 'nothing'],
  filter: ['the customer', 'the product', 'nobody', ''],
  option: ['true', 'false', 'update', '', 'x'],
}

/** Returns the queries of an endpoint: without parameters, an unknown one, and each parameter with each value. */
const queriesOf = ({ parameters, include }: Endpoint): string[] => {
  const included = ['', ...Object.keys(include), Object.keys(include).join()]
  const queries = included.map((names) => `include=${names}`)
  for (const { name, kind } of parameters)
    queries.push(...parameterValues[kind].map((value) => `${name}=${encodeURIComponent(value)}`))
  return ['', 'nothing=1', ...queries]
}

/** Returns the bodies of an endpoint: a good one, bad JSON, no body, an unknown field, and an invalid value of each field. */
const callsOf = ({ id }: Endpoint): Call[] => {
  const { body, fields } = writeOperations[id]!
  const invalid = Object.entries(fields).map(([name, values]) => body({ [name]: values.invalid[0] }))
  const bodies = [body({}), body({ nothing: 1 }), {}, [], null, ...invalid]
  return [...bodies.map((sent) => ({ body: sent })), { raw: '{' }]
}

/** Returns the requests of an endpoint: each id and each body without a query, and each query with the first id and a good body. */
const requestsOf = (endpoint: Endpoint): Request[] => {
  const ids = [exampleId(endpoint.resource), 'one', 'unknown', '%', ' ']
  const isUpdate = endpoint.operation === 'update'
  const paths = endpoint.path.includes('{id}')
    ? (isUpdate ? [existingIds.updatedCustomer, 'unknown'] : ids).map((id) =>
        endpoint.path.replace('{id}', id === '%' ? id : encodeURIComponent(id)),
      )
    : [endpoint.path]
  const queries = queriesOf(endpoint).map((query) => (query ? `?${query}` : ''))
  const [first] = paths as [string]
  if (!endpoint.body) {
    const everyInclude = `?include=${Object.keys(endpoint.include)}`
    return [
      ...paths.flatMap((path): Request[] => [[path], [path + everyInclude]]),
      ...queries.map((query): Request => [first + query]),
    ]
  }
  const { body } = writeOperations[endpoint.id]!
  return [
    ...paths.flatMap((path) => callsOf(endpoint).map((call): Request => [path, call])),
    ...queries.map((query): Request => [first + query, { body: body({}) }]),
  ]
}

/** Returns what a response says, without the time at which it was sent and the ids of new objects. */
const contentOf = async (client: Client, { method }: Endpoint, [path, call]: Request) => {
  const { status, headers, json } = await client.call(method, path, call)
  return { status, allow: headers.get('allow'), json }
}

/** Lists come first, because a list of changes would show what a create has just recorded in only one of the two responses. */
const listsFirst = [true, false].flatMap((isList) =>
  catalogue.filter(({ operation }) => (operation === 'list') === isList),
)

it.each(listsFirst)(
  'responds from the bundle of $id as from its source, to good and bad requests',
  async (endpoint) => {
    const statuses = new Set<number>()
    for (const request of requestsOf(endpoint)) {
      const fromSource = await contentOf(sources, endpoint, request)
      const fromBundle = await contentOf(bundles, endpoint, request)
      expect({ request, ...fromBundle }).toEqual({ request, ...fromSource })
      statuses.add(fromSource.status)
    }
    expect([...statuses]).toEqual(expect.arrayContaining([200, 422]))
  },
)

it.each(catalogue)(
  'refuses a request without credentials in the bundle of $id as in its source',
  async (endpoint) => {
    const request: Request = [
      endpoint.path.replace('{id}', 'one'),
      { headers: { authorization: 'Bearer x' } },
    ]
    const fromSource = await contentOf(sources, endpoint, request)
    expect(fromSource.status).toBe(401)
    expect(await contentOf(bundles, endpoint, request)).toEqual(fromSource)
  },
)
