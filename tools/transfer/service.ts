import { BillingApiError } from '../../client/error.ts'
import type { ApiResponse } from '../../client/operations.ts'
import type { Pace } from '../../client/pace.ts'
import { type Send, type SendOptions, sender } from '../../client/transport.ts'
import { StartError } from '../local/settings.ts'
import { creates } from './creates.ts'
import type { Row } from './row.ts'

/** The address of the API, of which a path is kept, and the credentials. */
export interface Access {
  readonly baseUrl: string
  readonly appId: string
  readonly apiKey: string
}

/** The part of a response that an import needs: the parsed body and the headers. */
export type Reply = Pick<ApiResponse<unknown>, 'data' | 'headers'>

/** An entity as the service returns it. */
type Entity = Readonly<Record<string, unknown>> & { readonly id: string }

/** The entity in a response, by the name of its resource. */
export const entityIn = ({ data }: Reply, name: string): Entity =>
  (data as { readonly data: Readonly<Record<string, Entity>> }).data[name] as Entity

/**
 * The service that rows are sent to. Its requests are repeated after transient failures. They reject with BillingApiError,
 * or with the error that stopped the pace.
 */
export interface Service {
  /** For messages. */
  readonly name: string
  readonly appId: string
  get(path: string): Promise<Reply>
  /** Sends a row's body as it is in the file. */
  create(row: Row): Promise<Reply>
}

/** Slightly more than the gateway's timeout. */
const TIMEOUT_MILLIS = 30_000
/** How long a request is repeated, in milliseconds. */
const RETRY_MILLIS = 660_000
const UNREACHABLE_MILLIS = 5_000

/** Checks that the service responds and accepts the credentials. Throws StartError. */
const checkService = async (name: string, request: () => Promise<unknown>): Promise<void> => {
  try {
    await request()
  } catch (cause) {
    if (!(cause instanceof BillingApiError)) throw cause
    if (cause.status === 401)
      throw new StartError(`${name} refuses the application id and the API key`, { cause })
    throw new StartError(`${name} does not respond as this service does (${cause.message})`, { cause })
  }
}

const senderTo = (access: Access): Send => {
  try {
    return sender({ ...access, application: 'import', timeout: TIMEOUT_MILLIS })
  } catch (cause) {
    throw new StartError((cause as TypeError).message, { cause })
  }
}

const queryOf = ({ isErased, updates }: Row): string => {
  if (isErased) return '?erased=true'
  return updates ? '?on_conflict=update' : ''
}

/** Connects to the API. All requests share the pace. Throws StartError if it cannot be used. */
export const connect = async (access: Access, pace: Pace): Promise<Service> => {
  const { baseUrl: name, appId } = access
  const send = senderTo(access)
  const options: SendOptions = { pace, retries: Infinity, retryFor: RETRY_MILLIS }
  const get = (path: string, more: SendOptions = {}) =>
    send({ method: 'GET', path, body: null }, { ...options, ...more })
  await checkService(name, () => get('/api/products?limit=1', { retryFor: UNREACHABLE_MILLIS }))
  const create = (row: Row) => {
    const path = creates.get(row.type as string)!.path + queryOf(row)
    return send({ method: 'POST', path, body: row.body }, options)
  }
  return { name, appId, get: (path) => get(path), create }
}
