import { catalogue } from '../../shared/catalogue.ts'
import { endpointNamed } from '../support/requests/endpoints.ts'
import { rawCallAs } from '../support/requests/raw-http.ts'
import { type Client, newClient, serveForTests } from '../support/requests/service.ts'
import { createExisting, existingIds, writeOperations } from '../support/requests/write-operations.ts'
import { runs } from '../support/runs.ts'
import { hostile } from './hostile-bodies.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
  await createExisting(client)
})

type Fields = Record<string, unknown>
const json = ['content-type', 'application/json']

/** Texts that no response may contain: stacks, file names, the database and its keys, errors of libraries. */
const internals =
  /dynamo|node_modules|\.[cm]?[jt]s:\d+:\d+|\\n\s*at |stack|test-[0-9a-f]{8}-|ECONN|Error:|Exception|first_data|under|undefined/i

const prototypes = [Object, Array, String, Number, Function, Map, Promise].map(
  (each) => each.prototype as object,
)
const state = () => JSON.stringify(prototypes.map((each) => Object.getOwnPropertyNames(each)))
const untouched = state()

/** Returns the part of a response that shows what was sent, as JSON text. */
const kept = (sent: string, shown: Fields): [unknown, unknown] => {
  const body = JSON.parse(sent) as Fields
  const names = ['name', 'email', 'title', 'metadata', 'price', 'total', 'amount_off'].filter(
    (name) => Object.hasOwn(body, name) && Object.hasOwn(shown, name),
  )
  return [names.map((name) => JSON.stringify(body[name])), names.map((name) => JSON.stringify(shown[name]))]
}

const names = catalogue.filter(({ body }) => body).map(({ id }) => id)

/** Returns the operations to send a body to: all in the long form, otherwise the one that shares most fields with it. */
const tried = (name: string): string[] => {
  const ofCustomers = /"(?:metadata|description|name|title)"/.test(String(hostile[name]!('{}')).slice(0, 100))
  return runs([ofCustomers ? 'customers.update' : 'invoices.create'], names)
}

const pairs = Object.keys(hostile).flatMap((name) => tried(name).map((operation) => ({ name, operation })))

it.each(pairs)(
  '$operation refuses a hostile body or stores it exactly, and serves the next request: $name',
  async ({ name, operation }) => {
    const endpoint = endpointNamed(operation)
    const path = endpoint.path.replace('{id}', encodeURIComponent(existingIds.updatedCustomer))
    const body = hostile[name]!(JSON.stringify(writeOperations[operation]!.body({})))
    const response = await rawCallAs(client, { method: endpoint.method, path, headers: json, body })
    if (response.status === 200) {
      const [sent, shown] = kept(String(body), Object.values(JSON.parse(response.text).data)[0] as Fields)
      expect(shown).toEqual(sent)
    } else {
      expect([400, 409, 413, 422]).toContain(response.status)
      // The gateway itself refuses more than 10 MB, as plain text.
      if (name !== 'more than 10 MB') expect(JSON.parse(response.text)).toEqual({ errors: expect.any(Array) })
      expect(response.text.length).toBeLessThan(50_000)
      expect(response.text).not.toMatch(internals)
    }
    expect(state()).toBe(untouched)
    expect((await client.get('/api/products/the%20product')).status).toBe(200)
  },
)
