import { catalogue, resourcesByName } from '../../shared/catalogue.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { type ErrorKind, errorKinds } from '../../shared/errors.ts'
import {
  type DocumentedError,
  errorDetails,
  errorExample,
  errorKindsOf,
} from '../../shared/openapi/errors.ts'
import { requestExamples, successExamples } from '../../shared/openapi/examples.ts'
import { serveWithFaults } from '../support/database/fault-proxy.ts'
import { overtakeEachWrite } from '../support/database/overtaking.ts'
import { endpointNamed } from '../support/requests/endpoints.ts'
import { clientWithExamples, examplePath, recordExamples, sendExample } from '../support/requests/examples.ts'
import {
  documentedOperation,
  resolvedResponse,
  validatorOfMedia,
} from '../support/requests/openapi-document.ts'
import { type ApiResponse, type Client, clientForTests } from '../support/requests/service.ts'
import { provocations } from './provocations.ts'

/** Because of its firewall and its rate limits. */
const gatewayErrorsOf = ({ method }: Endpoint): readonly ErrorKind[] =>
  method === 'GET' ? ['forbidden', 'too_many_requests'] : ['too_many_requests']
const gatewayExamples = ['forbidden firewall', 'too_many_requests limit']

const proxy = serveWithFaults()

let sharedClient: Client
beforeAll(async () => {
  // Makes every pause between retries 0 ms.
  jest.spyOn(Math, 'random').mockReturnValue(0)
  sharedClient = await clientWithExamples()
})

/** An endpoint that changes the examples has an application of its own. */
const clientFor = async ({ operation }: Endpoint): Promise<Client> =>
  operation === 'update' ? clientWithExamples() : sharedClient

const serverId = new RegExp(
  `\\b(${[...resourcesByName.values()].map(({ prefix }) => prefix).join('|')}|li)_\\w+`,
  'g',
)

/** They differ between applications. */
const comparable = (response: unknown): unknown => {
  const withoutCursor = JSON.stringify(response, (key, value) => (key === 'next_cursor' ? null : value))
  return JSON.parse(withoutCursor.replaceAll(serverId, '$1_…'))
}

describe('the service', () => {
  it.each(catalogue)(
    'returns every status that $id declares, except the statuses that only the gateway returns',
    async (endpoint) => {
      const client = await clientFor(endpoint)
      const { responses } = documentedOperation(endpoint.method, endpoint.path)
      const returned = new Set<number>()
      const validateAndCollect = ({ status, json }: ApiResponse): void => {
        const validate = validatorOfMedia(resolvedResponse(responses[status]!).content['application/json'])
        validate(json)
        expect(validate.errors).toBeNull()
        returned.add(status)
      }
      validateAndCollect(await sendExample(client, endpoint))
      const gatewayErrors = gatewayErrorsOf(endpoint)
      const possible = errorKindsOf(endpoint).filter((kind) => !gatewayErrors.includes(kind))
      for (const kind of possible) validateAndCollect(await provocations[kind]!(client, endpoint, proxy))
      const byGateway = gatewayErrors.map((kind) => errorKinds[kind].status)
      const declared = Object.keys(responses).map(Number)
      expect(declared.filter((status) => !returned.has(status))).toEqual(byGateway)
    },
  )
})

describe('the service, given the example of a request', () => {
  const examples = catalogue.flatMap((endpoint) =>
    Object.entries(requestExamples(endpoint)).map(([name, { value }]) => ({ endpoint, name, value })),
  )
  const client = clientForTests()
  beforeAll(() => recordExamples(client))
  it.each(examples)(
    'accepts the example of a request, $name of $endpoint.id',
    async ({ endpoint, value }) => {
      expect((await client.call(endpoint.method, examplePath(endpoint), { body: value })).details).toEqual([])
    },
  )
})

describe('the example of a response', () => {
  const requestOf = async (client: Client, endpoint: Endpoint, name: string): Promise<ApiResponse> => {
    if (name === 'anonymised') return client.put(examplePath(endpoint))
    if (endpoint.method !== 'GET') return sendExample(client, endpoint)
    const include = name === 'with_includes' ? `include=${Object.keys(endpoint.include).join(',')}` : ''
    return client.get(`${examplePath(endpoint)}?${include}`)
  }
  const examples = catalogue.flatMap((endpoint) =>
    Object.entries(successExamples(endpoint)).map(([name, { value }]) => ({ endpoint, name, value })),
  )
  it.each(examples)(
    'returns the example of a response, $name of $endpoint.id',
    async ({ endpoint, name, value }) => {
      const { json } = await requestOf(await clientFor(endpoint), endpoint, name)
      const shown = value as { data: unknown }
      expect(comparable(json.data)).toEqual(comparable(shown.data))
    },
  )

  const provoke = (kind: ErrorKind, id: string) => (client: Client) =>
    provocations[kind]!(client, endpointNamed(id), proxy)
  const errors: readonly [DocumentedError, string, (client: Client) => Promise<ApiResponse>][] = [
    ['conflict', 'other_id', provoke('conflict', 'customers.update')],
    ['invalid', 'body', (client) => client.post('/api/products', { id: 1, nmae: 'Pro plan' })],
    ['invalid', 'query', (client) => client.get('/api/products?limit=500')],
    ['entity_not_found', 'unknown_id', (client) => client.get('/api/products/plan-x')],
    ['unreadable_body', 'not_json', provoke('unreadable_body', 'products.create')],
    ['unauthorized', 'credentials', provoke('unauthorized', 'products.create')],
    ['forbidden', 'read_only_key', provoke('forbidden', 'products.create')],
    ['conflict', 'other_content', provoke('conflict', 'products.create')],
    ['body_too_large', 'too_large', provoke('body_too_large', 'products.create')],
    ['unsupported_media_type', 'not_json', provoke('unsupported_media_type', 'products.create')],
    ['internal', 'fault', provoke('internal', 'products.create')],
    ['unavailable', 'busy', provoke('unavailable', 'products.create')],
    [
      'too_many_requests',
      'updates',
      (client) => {
        overtakeEachWrite()
        return sendExample(client, endpointNamed('customers.update'))
      },
    ],
  ]
  it.each(errors)('returns the example of an error, %s: %s', async (kind, name, response) => {
    const { json } = await response(sharedClient)
    expect(comparable(json)).toEqual(comparable(errorExample(kind, errorDetails[kind][name]!)))
  })

  it('documents an example of every kind of error, compared here unless the gateway returns it', () => {
    const all = Object.entries(errorDetails).flatMap(([kind, examples]) =>
      Object.keys(examples).map((name) => `${kind} ${name}`),
    )
    const provoked = errors.map(([kind, name]) => `${kind} ${name}`)
    expect([...provoked, ...gatewayExamples].sort()).toEqual(all.sort())
  })
})
