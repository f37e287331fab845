import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { ErrorKind } from '../../shared/errors.ts'
import { newApiKey } from '../../shared/store/credentials.ts'
import { addApiKey } from '../../tools/applications/api-keys.ts'
import type { FaultProxy } from '../support/database/fault-proxy.ts'
import { wireFault } from '../support/database/wire-faults.ts'
import { examplePath, otherContent, sendExample } from '../support/requests/examples.ts'
import type { ApiResponse, Client } from '../support/requests/service.ts'

type Provocation = (client: Client, endpoint: Endpoint, proxy: FaultProxy) => Promise<ApiResponse>

const duringFault =
  (name: string): Provocation =>
  async (client, endpoint, proxy) => {
    const { app_id } = client.credentials
    proxy.inject(app_id, { label: '*', fault: wireFault(name), calls: Number.POSITIVE_INFINITY })
    try {
      return await sendExample(client, endpoint)
    } finally {
      proxy.heal(app_id)
    }
  }

/** Except the errors that only the gateway makes. */
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
    client.call(
      endpoint.method,
      examplePath(endpoint, 'plan-x'),
      endpoint.body ? { body: { id: 'plan-x' } } : {},
    ),
  conflict: (client, endpoint) =>
    sendExample(client, endpoint, {
      body: endpoint.operation === 'update' ? { id: '1043' } : otherContent(endpoint),
    }),
  body_too_large: (client, endpoint) => sendExample(client, endpoint, { raw: '0'.repeat(300_000) }),
  unsupported_media_type: (client, endpoint) =>
    sendExample(client, endpoint, { headers: { 'content-type': 'text/plain' } }),
  invalid: (client, endpoint) =>
    client.call(endpoint.method, `${examplePath(endpoint)}?curser=x`, endpoint.body ? { body: {} } : {}),
  internal: duringFault('access denied'),
  unavailable: duringFault('service unavailable'),
}
