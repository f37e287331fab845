import { FORMER_ACTION, grantsOf } from '../../lib/functions/grants.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { type Endpoint, mayUpdate } from '../../shared/contract/endpoint.ts'
import { serverIdFor } from '../../shared/ids.ts'
import { exampleBody } from '../../shared/openapi/examples.ts'
import { forgetApplications } from '../../shared/store/authorisation.ts'
import { clientWithExamples, otherContent, pathOf } from '../openapi/provocations.ts'
import { type DatabaseCall, recordCalls } from '../support/meter.ts'
import { rightsFor } from '../support/rights.ts'
import { type Client, serveForTests } from '../support/service.ts'

serveForTests()

let sent: DatabaseCall[]
beforeAll(() => {
  sent = recordCalls()
})

/** Returns requests that make an endpoint do everything it can: find something and nothing, replay, change, embed all. */
const requestsOf = (client: Client, endpoint: Endpoint): (() => Promise<unknown>) => {
  const { resource, operation, include, filter, path } = endpoint
  const collection = `/api/${resource.plural}`
  const query = `?include=${Object.keys(include).join(',')}`
  const body = exampleBody(resource)
  return {
    list: async () => {
      await client.get(collection + query)
      await client.get(`${collection}?changed_since=0`)
      if (filter !== undefined) await client.get(`${collection}?${filter}=${body[filter]}`)
    },
    retrieve: async () => {
      await client.get(pathOf(endpoint) + query)
      await client.get(path.replace('{id}', 'nothing'))
    },
    create: async () => {
      await client.create(collection, { ...body, id: 'another' })
      await client.create(collection, body)
      await client.post(collection, otherContent(endpoint))
      const assigned = serverIdFor(client.credentials.app_id, resource.prefix, body.id as string)
      await client.post(collection, { ...body, id: assigned })
      if (mayUpdate(endpoint)) await client.post(`${collection}?on_conflict=update`, otherContent(endpoint))
    },
    update: async () => {
      await client.put(pathOf(endpoint), { id: body.id, name: 'New' })
      await client.put(pathOf(endpoint), { id: 'another', name: 'New' })
      await client.put(pathOf(endpoint))
    },
  }[operation]
}

it.each(catalogue.map((endpoint) => [endpoint.id, endpoint] as const))(
  'the function of %s is granted exactly what it uses',
  async (_, endpoint) => {
    const run = requestsOf(await clientWithExamples(), endpoint)
    sent.length = 0
    forgetApplications()
    await run()
    const { table, indexes } = grantsOf(endpoint)
    const mayChange = endpoint.operation === 'update' || mayUpdate(endpoint)
    expect(table.includes(FORMER_ACTION)).toBe(mayChange)
    expect([...new Set(sent.flatMap(rightsFor))].sort()).toEqual(
      [
        ...table.filter((action) => action !== FORMER_ACTION),
        ...indexes.map((name) => `dynamodb:Query on ${name}`),
      ].sort(),
    )
  },
)
