import { catalogue } from '../../shared/catalogue.ts'
import { endpointNamed } from '../support/requests/endpoints.ts'
import { rawCallAs } from '../support/requests/raw-http.ts'
import { clientForTests, serveForTests } from '../support/requests/service.ts'
import { createExisting, existingIds, writeOperations } from '../support/requests/write-operations.ts'
import { runs } from '../support/runs.ts'
import { hostileBodies } from './hostile-bodies.ts'

serveForTests()

const client = clientForTests()
beforeAll(async () => {
  await createExisting(client)
})

type Fields = Record<string, unknown>

/**
 * Matches texts that no response may contain: stacks, file names, the database and its keys, errors of
 * libraries.
 */
const internalText =
  /dynamo|node_modules|\.[cm]?[jt]s:\d+:\d+|\\n\s*at |stack|test-[0-9a-f]{8}-|ECONN|Error:|Exception|first_data|under|undefined/i

const prototypes: readonly object[] = [
  Object.prototype,
  Array.prototype,
  String.prototype,
  Number.prototype,
  Function.prototype,
  Map.prototype,
  Promise.prototype,
]
const prototypeProperties = () => prototypes.map((prototype) => Object.getOwnPropertyNames(prototype))
const originalProperties = prototypeProperties()

/** A response shows these exactly as they were sent. */
const exactFields = ['name', 'email', 'title', 'metadata', 'price', 'total', 'amount_off']

const asJson = (fields: readonly string[], object: Fields) =>
  Object.fromEntries(fields.map((field) => [field, JSON.stringify(object[field])]))

const expectStoredExactly = (sentBody: string, shown: Fields): void => {
  const sent = JSON.parse(sentBody) as Fields
  const fields = exactFields.filter((field) => Object.hasOwn(sent, field) && Object.hasOwn(shown, field))
  expect(asJson(fields, shown)).toEqual(asJson(fields, sent))
}

const operationsWithBody = catalogue.filter(({ body }) => body).map(({ id }) => id)

/** In long runs all, otherwise the operation with most fields of the body. */
const operationsFor = (name: string): string[] => {
  const beginning = String(hostileBodies[name]!('{}')).slice(0, 100)
  const isForCustomers = /"(?:metadata|description|name|title)"/.test(beginning)
  return runs([isForCustomers ? 'customers.update' : 'invoices.create'], operationsWithBody)
}

const rows = Object.keys(hostileBodies).flatMap((name) =>
  operationsFor(name).map((operation) => ({ name, operation })),
)

it.each(rows)(
  '$operation refuses a hostile body or stores it exactly, and serves the next request: $name',
  async ({ name, operation }) => {
    const endpoint = endpointNamed(operation)
    const path = endpoint.path.replace('{id}', encodeURIComponent(existingIds.updatedCustomer))
    const body = hostileBodies[name]!(JSON.stringify(writeOperations[operation]!.body({})))
    const response = await rawCallAs(client, {
      method: endpoint.method,
      path,
      headers: ['content-type', 'application/json'],
      body,
    })
    if (response.status === 200) {
      const [entity] = Object.values<Fields>(JSON.parse(response.text).data)
      expectStoredExactly(String(body), entity!)
    } else {
      expect([400, 409, 413, 422]).toContain(response.status)
      // The gateway itself refuses more than 10 MB, as plain text.
      if (name !== 'more than 10 MB') expect(JSON.parse(response.text)).toEqual({ errors: expect.any(Array) })
      expect(response.text.length).toBeLessThan(50_000)
      expect(response.text).not.toMatch(internalText)
    }
    expect(prototypeProperties()).toEqual(originalProperties)
    expect((await client.get(`/api/products/${encodeURIComponent(existingIds.product)}`)).status).toBe(200)
  },
)
