import { request } from 'undici'
import { outcomeOf } from '../../../client/create-all.ts'
import { BillingApiError } from '../../../client/error.ts'
import { createLimiter, type Limiter } from '../../../client/limiter.ts'
import type { ClientOptions, Fetch } from '../../../client/options.ts'
import { createSender, type SendOptions } from '../../../client/transport.ts'
import { catalogue, resourcesByName } from '../../../shared/catalogue.ts'
import type { Resource } from '../../../shared/contract/resource.ts'
import { isReadOnlyKey } from '../../../shared/store/credentials.ts'
import { CommandError } from '../../cli/command.ts'
import { creates } from '../creates.ts'
import type { Row, RowResult } from '../row.ts'

type Entity = Readonly<Record<string, unknown>> & { readonly id: string }

/** Returns the entity in the body of a response, by the name of its resource. */
const entityIn = (body: unknown, name: string): Entity =>
  (body as { readonly data: Readonly<Record<string, Entity>> }).data[name]!

/**
 * The service that rows are sent to. It retries requests after transient failures. They reject with BillingApiError, or with
 * the error that stopped the limiter.
 */
export interface Service {
  readonly name: string
  readonly appId: string
  readonly limiter: Limiter
  /** Retrieves an entity by either id, with these includes; undefined if there is none. */
  find(resource: Resource, id: string, include: readonly string[]): Promise<Entity | undefined>
  /** Returns whether an entity is recorded, by the client's id. */
  isRecorded(type: string, id: string): Promise<boolean>
  /** Sends the body of a row as it is in the file. */
  create(row: Row): Promise<RowResult>
}

/** Slightly more than the gateway's timeout. */
const TIMEOUT_MILLIS = 30_000
const RETRY_FOR_MILLIS = 660_000
/** How long the first request is retried, so that a wrong address is reported soon. */
const FIRST_RETRY_FOR_MILLIS = 5_000

/** Checks that the service responds and accepts the credentials. Throws CommandError. */
const checkService = async (name: string, request: () => Promise<unknown>): Promise<void> => {
  try {
    await request()
  } catch (cause) {
    if (!(cause instanceof BillingApiError)) throw cause
    if (cause.status === 401)
      throw new CommandError(`${name} refuses the application id and the API key`, { cause })
    throw new CommandError(`${name} does not respond as this service does (${cause.message})`, { cause })
  }
}

/** Sends a request like `fetch`, but takes less processor time. Does not follow redirects. */
const lightFetch: Fetch = async (url, { method, headers, body, signal }) => {
  const response = await request(url, { method, headers, body, signal })
  return {
    status: response.statusCode,
    headers: {
      get: (name) => {
        const value = response.headers[name]
        return (Array.isArray(value) ? value[0] : value) ?? null
      },
    },
    text: () => response.body.text(),
  }
}

const retrievePaths = new Map(
  catalogue
    .filter(({ operation }) => operation === 'retrieve')
    .map(({ resource, path }) => [resource.name, path] as const),
)

const queryOf = ({ isErased, updates }: Row): string => {
  if (isErased) return '?erased=true'
  return updates ? '?on_conflict=update' : ''
}

const withInclude = (path: string, include: readonly string[]): string =>
  include.length > 0 ? `${path}?include=${include.join()}` : path

/**
 * Connects to the API, with at most `concurrency` requests at a time. Throws CommandError if the API cannot be used, or not for
 * more than a dry run.
 */
export const connect = async (
  access: ClientOptions,
  { concurrency, isDryRun }: { readonly concurrency: number; readonly isDryRun: boolean },
): Promise<Service> => {
  const { baseUrl: name, appId } = access
  const isReadOnly = isReadOnlyKey(access.apiKey)
  if (isReadOnly && !isDryRun)
    throw new CommandError(
      'the API key is read-only ("bdr_…"), enough for --dry-run: an import needs one that begins with "bdk_"',
    )
  const limiter = createLimiter(concurrency)
  const send = createSender({ ...access, application: 'import', timeout: TIMEOUT_MILLIS, fetch: lightFetch })
  const options: SendOptions = { limiter, retries: Infinity, retryFor: RETRY_FOR_MILLIS }
  const get = (path: string, retryFor = RETRY_FOR_MILLIS) =>
    send({ method: 'GET', path, body: null }, { ...options, retryFor })
  await checkService(name, () => get('/api/products?limit=1', FIRST_RETRY_FOR_MILLIS))
  const find: Service['find'] = async (resource, id, include) => {
    const path = retrievePaths.get(resource.name)!.replace('{id}', encodeURIComponent(id))
    try {
      return entityIn((await get(withInclude(path, include))).data, resource.name)
    } catch (error) {
      if (error instanceof BillingApiError && error.status === 404) return undefined
      throw error
    }
  }
  const create: Service['create'] = async (row) => {
    const type = row.type as string
    const path = creates.get(type)!.path + queryOf(row)
    const { data, headers } = await send({ method: 'POST', path, body: row.body }, options)
    return { outcome: outcomeOf(headers), server_id: entityIn(data, type).id, errors: [] }
  }
  const isRecorded: Service['isRecorded'] = async (type, id) =>
    (await find(resourcesByName.get(type)!, id, [])) !== undefined
  return { name, appId, limiter, find, isRecorded, create }
}
