import { request } from 'undici'
import { outcomeOf } from '../../../client/create-all.ts'
import { BillingApiError } from '../../../client/error.ts'
import { createLimiter, type Limiter } from '../../../client/limiter.ts'
import type { ClientOptions, Fetch } from '../../../client/options.ts'
import { createSender, type SendOptions } from '../../../client/transport.ts'
import { catalogue, resourceNamed } from '../../../shared/catalogue.ts'
import type { Resource } from '../../../shared/contract/resource.ts'
import type { Values } from '../../../shared/contract/schema.ts'
import { isReadOnlyKey } from '../../../shared/store/credentials.ts'
import { CommandError } from '../../cli/command.ts'
import { createEndpoints } from '../create-endpoints.ts'
import { bodyOf, type Result, type Row } from '../row.ts'

export type ShownEntity = Values & { readonly id: string }

/**
 * The service that rows are sent to. It retries requests after transient failures. Its functions reject with BillingApiError, or
 * with the error that stopped the limiter.
 */
export interface ImportService {
  /** For messages. */
  readonly url: string
  readonly appId: string
  readonly limiter: Limiter
  /** By either id. Resolves with undefined if there is no such entity. */
  find(resource: Resource, id: string, include: readonly string[]): Promise<ShownEntity | undefined>
  /** `type` is the name of the entity's resource, `id` the client's id. */
  isRecorded(type: string, id: string): Promise<boolean>
  create(row: Row): Promise<Result>
}

/** Slightly more than the gateway's timeout. */
const TIMEOUT_MILLIS = 30_000
const RETRY_FOR_MILLIS = 660_000
/** How long the first request is retried: not for long, so that a wrong address is reported soon. */
const FIRST_RETRY_FOR_MILLIS = 5_000

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

const retrievePath = (resource: Resource, id: string, include: readonly string[]): string => {
  const path = retrievePaths.get(resource.name)!.replace('{id}', encodeURIComponent(id))
  return include.length > 0 ? `${path}?include=${include.join()}` : path
}

const createPath = (type: string, { isErased, isUpdate }: Row): string => {
  const { path } = createEndpoints.get(type)!
  if (isErased) return `${path}?erased=true`
  return isUpdate ? `${path}?on_conflict=update` : path
}

const entityIn = (body: unknown, type: string): ShownEntity =>
  (body as { readonly data: Readonly<Record<string, ShownEntity>> }).data[type]!

const unusableService = (url: string, cause: BillingApiError): CommandError => {
  const problem =
    cause.status === 401
      ? `${url} refuses the application id and the API key`
      : `${url} does not respond like this API (${cause.message})`
  return new CommandError(problem, { cause })
}

/**
 * Connects to the API, with at most `concurrency` requests at a time. Throws CommandError if the API does not respond, refuses
 * the credentials, or the key is read-only and it is not a dry run.
 */
export const connect = async (
  access: ClientOptions,
  { concurrency, isDryRun }: { readonly concurrency: number; readonly isDryRun: boolean },
): Promise<ImportService> => {
  const { baseUrl: url, appId } = access
  if (isReadOnlyKey(access.apiKey) && !isDryRun)
    throw new CommandError(
      'the API key is read-only ("bdr_…"), which is sufficient only for --dry-run: an import needs a key that begins with "bdk_"',
    )
  const limiter = createLimiter(concurrency)
  const send = createSender({ ...access, application: 'import', timeout: TIMEOUT_MILLIS, fetch: lightFetch })
  const options: SendOptions = { limiter, retries: Infinity, retryFor: RETRY_FOR_MILLIS }
  const get = (path: string, retryFor = RETRY_FOR_MILLIS) =>
    send({ method: 'GET', path, body: null }, { ...options, retryFor })
  const find: ImportService['find'] = async (resource, id, include) => {
    try {
      return entityIn((await get(retrievePath(resource, id, include))).data, resource.name)
    } catch (error) {
      if (error instanceof BillingApiError && error.status === 404) return undefined
      throw error
    }
  }
  const create: ImportService['create'] = async (row) => {
    const type = row.type as string
    const path = createPath(type, row)
    const { data, headers } = await send({ method: 'POST', path, body: bodyOf(row) }, options)
    return { outcome: outcomeOf(headers), server_id: entityIn(data, type).id, errors: [] }
  }
  const isRecorded: ImportService['isRecorded'] = async (type, id) =>
    (await find(resourceNamed(type), id, [])) !== undefined
  await get('/api/products?limit=1', FIRST_RETRY_FOR_MILLIS).catch((error: unknown) => {
    throw error instanceof BillingApiError ? unusableService(url, error) : error
  })
  return { url, appId, limiter, find, isRecorded, create }
}
