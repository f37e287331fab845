import { createAll, outcomeOf } from './create-all.ts'
import * as api from './generated.ts'
import { all, changes } from './iterate.ts'
import type {
  AnyMetadata,
  ApiResponse,
  Call,
  CallOptions,
  Creates,
  ListOptions,
  Lists,
  Page,
  Retrieves,
  Updates,
  Upserts,
} from './operations.ts'
import type { Attempt, ClientOptions } from './options.ts'
import { encodedId, jsonFrom, queryFrom } from './request.ts'
import { type Send, type SendOptions, sender } from './transport.ts'

interface Envelope {
  readonly data: Readonly<Record<string, unknown>>
  readonly pagination?: object
}

type Headers = ApiResponse<unknown>['headers']

interface Content {
  readonly id?: unknown
  readonly body?: unknown
}

/** Starts a call. Its promise of the data does not reject unhandled if only `withResponse` is awaited. */
const callOf = <T>(start: () => Promise<ApiResponse<T>>): Call<T> => {
  const response = start()
  const result = response.then(({ data }) => data)
  const withResponse = () => {
    result.catch(() => undefined)
    return response
  }
  return Object.assign(result, { withResponse })
}

/** The methods of each operation that a resource may have. */
interface Operations {
  readonly list: Lists<unknown, object>
  readonly create: Creates<unknown, unknown>
  readonly retrieve: Retrieves<unknown, object>
  readonly update: Updates<unknown, unknown>
  readonly upsert: Upserts<unknown, unknown>
}

const operationsOf = (send: Send, plural: string, name: string): Operations => {
  const call = <T>(
    method: Attempt['method'],
    content: Content,
    options: SendOptions = {},
    read = ({ data }: Envelope, _: Headers): unknown => data[name],
  ) =>
    // Arguments are checked inside the promise, so that a mistake rejects the call instead of throwing.
    callOf<T>(async () => {
      // All other options are query parameters.
      const { signal, timeout, retries, retryFor, headers, requestId, limiter, ...query } = options
      const id = 'id' in content ? `/${encodedId(content.id, `${name} id`)}` : ''
      const path = `/api/${plural}${id}${queryFrom(query)}`
      const body = 'body' in content ? jsonFrom(content) : null
      const { data, ...response } = await send({ method, path, body }, options)
      return { ...response, data: read(data as Envelope, response.headers) as T }
    })
  const list = (options?: ListOptions<readonly string[]>): Call<Page<never>> =>
    call('GET', {}, options, ({ data, pagination }) => ({ items: data[plural], ...pagination }))
  const create = (body: unknown, options?: CallOptions): Call<unknown> => call('POST', { body }, options)
  return {
    list: { list, all: (options = {}) => all(list, options), changes: (options) => changes(list, options) },
    create: { create, createAll: (bodies, options = {}) => createAll(create, bodies, options) },
    retrieve: { retrieve: (id, options) => call('GET', { id }, options) },
    update: {
      // Always sends a body, so that no update becomes an erasure.
      update: (id, changes, options) => call('PUT', { id, body: changes }, options),
      anonymise: (id, options) => call('PUT', { id }, options),
    },
    upsert: {
      upsert: (body, options) =>
        call('POST', { body }, { ...options, ...{ on_conflict: 'update' } }, ({ data }, headers) => ({
          outcome: outcomeOf(headers),
          entity: data[name],
        })),
    },
  }
}

/**
 * Creates a client of the API. `Metadata` is the type of your customers' metadata. Throws TypeError for an unknown option,
 * or for a base URL, application id or API key that is missing or invalid.
 * @example const billing = createClient({ baseUrl: 'https://billing.example.org', appId: 'app_1', apiKey: 'bdk_1' })
 */
export const createClient = <Metadata extends object = AnyMetadata>(
  options: ClientOptions,
): api.Client<Metadata> => {
  const send = sender(options)
  const members = Object.entries(api.resources).map(([plural, { name, operations }]) => {
    const known = operationsOf(send, plural, name)
    return [plural, Object.assign({}, ...operations.map((operation) => known[operation]))]
  })
  return Object.fromEntries(members)
}
