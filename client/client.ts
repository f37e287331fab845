import { createAll, outcomeOf } from './create-all.ts'
import * as api from './generated.ts'
import { iterateAll, iterateChanges } from './iterate.ts'
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
import type { ClientOptions } from './options.ts'
import { encodedId, jsonFrom, queryFrom } from './request.ts'
import { createSender, type Request, type Send, type SendOptions } from './transport.ts'

/** The parsed body of a response. */
interface Envelope {
  readonly data: Readonly<Record<string, unknown>>
  readonly pagination?: object
}

type Headers = ApiResponse<unknown>['headers']

/**
 * Starts a call. If the caller awaits only `withResponse`, a failure rejects only that promise: the promise of the call itself does
 * not cause an unhandled rejection.
 */
const startCall = <T>(start: () => Promise<ApiResponse<T>>): Call<T> => {
  const response = start()
  const result = response.then(({ data }) => data)
  const withResponse = () => {
    result.catch(() => undefined)
    return response
  }
  return Object.assign(result, { withResponse })
}

/** The methods of the operations that a resource can have, by operation. */
interface Operations {
  readonly list: Lists<unknown, object>
  readonly create: Creates<unknown, unknown>
  readonly retrieve: Retrieves<unknown, object>
  readonly update: Updates<unknown, unknown>
  readonly upsert: Upserts<unknown, unknown>
}

/** Returns the query of a call: its options except those for sending the request. */
const queryOf = (options: SendOptions): string => {
  const { signal, timeout, retries, retryFor, headers, requestId, limiter, ...parameters } = options
  return queryFrom(parameters)
}

/** Returns the methods of a resource, which has a plural, as in paths, and a name, as in responses. */
const operationsOf = (send: Send, plural: string, name: string): Operations => {
  const collection = `/api/${plural}`
  const pathOf = (id: unknown) => `${collection}/${encodedId(id, `${name} id`)}`
  const entityIn = ({ data }: Envelope): unknown => data[name]
  const call = <T>(
    request: () => Request,
    options: SendOptions = {},
    read: (body: Envelope, headers: Headers) => unknown = entityIn,
  ) =>
    // Arguments are validated inside the promise, so that an invalid one rejects the call instead of throwing.
    startCall<T>(async () => {
      const { method, path, body } = request()
      const response = await send({ method, path: path + queryOf(options), body }, options)
      return { ...response, data: read(response.data as Envelope, response.headers) as T }
    })

  const list = (options?: ListOptions<readonly string[]>): Call<Page<never>> =>
    call(
      () => ({ method: 'GET', path: collection, body: null }),
      options,
      ({ data, pagination }) => ({ items: data[plural], ...pagination }),
    )
  const post = (body: unknown) => (): Request => ({ method: 'POST', path: collection, body: jsonFrom(body) })
  const create = (body: unknown, options?: CallOptions): Call<unknown> => call(post(body), options)
  return {
    list: {
      list,
      all: (options = {}) => iterateAll(list, options),
      changes: (options) => iterateChanges(list, options),
    },
    create: {
      create,
      createAll: (bodies, options = {}) => createAll(create, bodies, options),
    },
    retrieve: {
      retrieve: (id, options) => call(() => ({ method: 'GET', path: pathOf(id), body: null }), options),
    },
    update: {
      // Always sends a body, because a request without a body is an erasure.
      update: (id, changes, options) =>
        call(() => ({ method: 'PUT', path: pathOf(id), body: jsonFrom(changes, { id }) }), options),
      anonymise: (id, options) => call(() => ({ method: 'PUT', path: pathOf(id), body: null }), options),
    },
    upsert: {
      upsert: (body, options) => {
        const updateOptions: CallOptions & { on_conflict: 'update' } = { ...options, on_conflict: 'update' }
        return call(post(body), updateOptions, (response, headers) => ({
          outcome: outcomeOf(headers),
          entity: entityIn(response),
        }))
      },
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
  const send = createSender(options)
  const members = Object.entries(api.resources).map(([plural, { name, operations }]) => {
    const methods = operationsOf(send, plural, name)
    return [plural, Object.assign({}, ...operations.map((operation) => methods[operation]))]
  })
  return Object.fromEntries(members)
}
