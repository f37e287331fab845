import { catalogue } from '../../../shared/catalogue.ts'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import { exampleId, requestExamples } from '../../../shared/openapi/examples.ts'
import { type ApiResponse, type Call, type Client, newClient } from './service.ts'

/** Requests that send the examples of the OpenAPI document. */

/** Returns the body of an endpoint's first example. */
export const firstExampleBody = (endpoint: Endpoint): Record<string, unknown> =>
  Object.values(requestExamples(endpoint))[0]?.value as Record<string, unknown>

/** Returns the path of an endpoint for the entity with this id, by default for the entity of the examples. */
export const examplePath = ({ path, resource }: Endpoint, id: unknown = exampleId(resource)): string =>
  path.replace('{id}', encodeURIComponent(String(id)))

/** Sends the first example of an endpoint, or a request without a body if the endpoint does not accept one. `call` replaces parts of it. */
export const sendExample = (client: Client, endpoint: Endpoint, call: Call = {}): Promise<ApiResponse> =>
  client.call(endpoint.method, examplePath(endpoint), {
    ...(endpoint.body ? { body: firstExampleBody(endpoint) } : {}),
    ...call,
  })

/** Returns a client of a new application that has recorded the first example of each create. */
export const clientWithExamples = async (): Promise<Client> => {
  const client = await newClient()
  for (const endpoint of catalogue.filter(({ operation }) => operation === 'create'))
    expect((await sendExample(client, endpoint)).status).toBe(200)
  return client
}

/** Returns the endpoint's first example with another value of its first field that is no reference. */
export const otherContent = (endpoint: Endpoint): object => {
  const body = firstExampleBody(endpoint)
  const [name] = Object.entries(endpoint.resource.fields).find(([, { reference }]) => !reference)!
  return { ...body, [name]: typeof body[name] === 'number' ? body[name] + 1 : 'Other' }
}
