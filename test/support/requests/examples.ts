import { catalogue } from '../../../shared/catalogue.ts'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import { exampleId, requestExamples } from '../../../shared/openapi/examples.ts'
import { type ApiResponse, type Call, type Client, newClient } from './service.ts'

export const firstExampleBody = (endpoint: Endpoint): Record<string, unknown> =>
  Object.values(requestExamples(endpoint))[0]?.value as Record<string, unknown>

/** By default for the entity of the examples. */
export const examplePath = ({ path, resource }: Endpoint, id: unknown = exampleId(resource)): string =>
  path.replace('{id}', encodeURIComponent(String(id)))

/** Without a body if the endpoint does not accept one. `call` replaces parts of the request. */
export const sendExample = (client: Client, endpoint: Endpoint, call: Call = {}): Promise<ApiResponse> =>
  client.call(endpoint.method, examplePath(endpoint), {
    ...(endpoint.body ? { body: firstExampleBody(endpoint) } : {}),
    ...call,
  })

export const recordExamples = async (client: Client): Promise<void> => {
  for (const endpoint of catalogue.filter(({ operation }) => operation === 'create'))
    expect((await sendExample(client, endpoint)).status).toBe(200)
}

export const clientWithExamples = async (): Promise<Client> => {
  const client = await newClient()
  await recordExamples(client)
  return client
}

/** Of the first field that is no reference. */
export const otherContent = (endpoint: Endpoint): object => {
  const body = firstExampleBody(endpoint)
  const [name] = Object.entries(endpoint.resource.fields).find(([, { reference }]) => !reference)!
  return { ...body, [name]: typeof body[name] === 'number' ? body[name] + 1 : 'Other' }
}
