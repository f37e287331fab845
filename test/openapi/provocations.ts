import { catalogue } from '../../shared/catalogue.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { ErrorKind } from '../../shared/errors.ts'
import { exampleId, requestExamples } from '../../shared/openapi/examples.ts'
import { newApiKey } from '../../shared/store/credentials.ts'
import { addApiKey } from '../../tools/applications/api-keys.ts'
import type { FaultProxy } from '../support/database/fault-proxy.ts'
import { wireFault } from '../support/database/wire-faults.ts'
import { type ApiResponse, type Call, type Client, newClient } from '../support/requests/service.ts'

/** The body of an endpoint's first example. */
export const exampleBody = (endpoint: Endpoint): Record<string, unknown> =>
  Object.values(requestExamples(endpoint))[0]?.value as Record<string, unknown>

/** The path of an endpoint, for the entity of the examples unless another id is given. */
export const pathOf = ({ path, resource }: Endpoint, id: unknown = exampleId(resource)): string =>
  path.replace('{id}', encodeURIComponent(String(id)))

/** Sends what the document gives as the example of a request. */
export const sendExample = (client: Client, endpoint: Endpoint, call: Call = {}): Promise<ApiResponse> =>
  client.call(endpoint.method, pathOf(endpoint), {
    ...(endpoint.body ? { body: exampleBody(endpoint) } : {}),
    ...call,
  })

/** A client of a new application that holds the first example of each create. */
export const clientWithExamples = async (): Promise<Client> => {
  const client = await newClient()
  for (const endpoint of catalogue.filter(({ operation }) => operation === 'create'))
    expect((await sendExample(client, endpoint)).status).toBe(200)
  return client
}

/** The endpoint's example with another value of its first field that is no reference. */
export const otherContent = (endpoint: Endpoint): object => {
  const body = exampleBody(endpoint)
  const [name] = Object.entries(endpoint.resource.fields).find(([, { reference }]) => !reference)!
  return { ...body, [name]: typeof body[name] === 'number' ? body[name] + 1 : 'Other' }
}

const underFault =
  (name: string) =>
  async (client: Client, endpoint: Endpoint, proxy: FaultProxy): Promise<ApiResponse> => {
    const { app_id } = client.credentials
    proxy.inject(app_id, { label: '*', fault: wireFault(name), calls: Number.POSITIVE_INFINITY })
    try {
      return await sendExample(client, endpoint)
    } finally {
      proxy.heal(app_id)
    }
  }

type Provocation = (client: Client, endpoint: Endpoint, proxy: FaultProxy) => Promise<ApiResponse>

/** How to get each kind of error out of an operation that declares it; those of the gateway can't be had here. */
export const provocations: Readonly<Partial<Record<ErrorKind, Provocation>>> = {
  unreadable_body: (client, endpoint) => sendExample(client, endpoint, { raw: '{"id":' }),
  unauthorized: (client, endpoint) =>
    sendExample(client, endpoint, { headers: { authorization: 'Bearer wrong' } }),
  forbidden: async (client, endpoint) => {
    const readOnly = { apiKey: newApiKey({ isReadOnly: true }) }
    const { api_key } = await addApiKey(client.credentials.app_id, readOnly)
    return sendExample(client, endpoint, { headers: { authorization: `Bearer ${api_key}` } })
  },
  entity_not_found: (client, endpoint) =>
    client.call(endpoint.method, pathOf(endpoint, 'plan-x'), endpoint.body ? { body: { id: 'plan-x' } } : {}),
  conflict: (client, endpoint) =>
    sendExample(client, endpoint, {
      body: endpoint.operation === 'update' ? { id: '1043' } : otherContent(endpoint),
    }),
  body_too_large: (client, endpoint) => sendExample(client, endpoint, { raw: '0'.repeat(300_000) }),
  unsupported_media_type: (client, endpoint) =>
    sendExample(client, endpoint, { headers: { 'content-type': 'text/plain' } }),
  invalid: (client, endpoint) =>
    client.call(endpoint.method, `${pathOf(endpoint)}?curser=x`, endpoint.body ? { body: {} } : {}),
  internal: underFault('access denied'),
  unavailable: underFault('service unavailable'),
}
