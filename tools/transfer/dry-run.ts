import { createHash } from 'node:crypto'
import { BillingApiError } from '../../client/error.ts'
import { resources } from '../../shared/catalogue.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { contentOf, placeholdersOf } from '../../shared/contract/field.ts'
import { ApiError } from '../../shared/errors.ts'
import { readBody } from '../../shared/http/body.ts'
import { errorResponse } from '../../shared/http/responses.ts'
import { stateOf } from '../../shared/http/state.ts'
import { validate } from '../../shared/http/validate.ts'
import { serverIdFor } from '../../shared/ids.ts'
import { type Resolved, resolveReferences } from '../../shared/store/references.ts'
import { creates } from './creates.ts'
import type { DiskMap } from './disk-map.ts'
import { knownEntities } from './known-entities.ts'
import type { Row } from './row.ts'
import type { Reply, Service } from './service.ts'

type Body = Readonly<Record<string, unknown>>

const related = Object.fromEntries(resources)

/** Parses and validates a body as the service does. Throws ApiError. */
const validated = async (endpoint: Endpoint, appId: string, { body, isErased }: Row): Promise<Body> => {
  const queryStringParameters = isErased ? { erased: 'true' } : null
  const event = { body, headers: {}, queryStringParameters }
  const request = { event, internal: { app: { id: appId, cursorSecret: '' } } }
  for (const step of [readBody(endpoint), validate(endpoint, related)]) await step.before?.(request as never)
  return stateOf(request).call?.body as unknown as Body
}

const sortKeys = (_key: string, value: unknown): unknown =>
  Object(value) === value && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value as Body).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** Equal for equal content, whatever the order of its keys. */
const hashOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content, sortKeys)).digest('base64url')

const reply = ({ resource: { name } }: Endpoint, id: string, isReplayed: boolean): Reply => ({
  data: { data: { [name]: { id } } },
  headers: { get: () => (isReplayed ? 'true' : null) },
})

const conflict = ({ resource }: Endpoint, clientId: unknown, id: string): ApiError =>
  new ApiError(
    'conflict',
    `id must be unused, or sent with the values of its create: ${JSON.stringify(String(clientId))} is already the id of ${resource.name} ${id}, created with other values.`,
  )

/** The entities that a create derives besides its own, such as an invoice's subscription: ids and fields. */
const derivedBy = ({ resource }: Endpoint, { body, found }: Resolved): [string, Body][] =>
  Object.entries(resource.fields).flatMap(([field, { reference }]): [string, Body][] => {
    if (!reference?.mayBegin || found.has(field)) return []
    const { sharing = '' } = reference
    return [[body[field] as string, { [sharing]: body[sharing] }]]
  })

/** Throws an error of the service as the client does. */
const asClientError = (error: unknown): never => {
  if (!(error instanceof ApiError)) throw error
  const { statusCode, body } = errorResponse(error, 'dry-run')
  throw new BillingApiError(error.message, { status: statusCode, errors: JSON.parse(body).errors })
}

/**
 * Returns a service that records nothing and answers as the given one would in a run: with the service's own validators,
 * from what is recorded and what the rows so far would have created. What it must remember is kept in `entries`.
 */
export const dryRun = (service: Service, entries: DiskMap): Service => {
  const { appId: app } = service
  const entities = knownEntities(service, entries)
  const create = async (row: Row): Promise<Reply> => {
    const endpoint = creates.get(row.type as string)!
    const { fields, prefix } = endpoint.resource
    const body = await validated(endpoint, app, row)
    const resolved = await resolveReferences({ app, endpoint, related, body }, entities.readItems)
    const id = serverIdFor(app, prefix, body.id as string)
    const erased = row.isErased ? { ...placeholdersOf(fields), isErased: true } : {}
    const hash = hashOf({ ...contentOf(fields, resolved.body, id), ...erased })
    const known = await entities.read(id)
    const derived = derivedBy(endpoint, resolved)
    if (known.state === 'absent') {
      entities.set(id, { state: 'new', externalId: String(body.id), hash })
      for (const [other, data] of derived) entities.set(other, { state: 'new', data })
      return reply(endpoint, id, false)
    }
    if (known.hash === hash) return reply(endpoint, id, true)
    const named = [...resolved.found.values()].map((entity) => entities.find(entity.id))
    // A recorded entity cannot refer to a new one, so the content differs.
    if (known.state === 'new' || derived.length > 0 || named.some((each) => each?.state === 'new'))
      throw conflict(endpoint, body.id, id)
    // Only the service knows what the first create said. A create of an id that is recorded writes nothing.
    return service.create(row)
  }
  return { ...service, create: (row) => create(row).catch(asClientError) }
}
