import { createHash } from 'node:crypto'
import { catalogue, resources } from '../../shared/catalogue.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { contentOf, placeholdersOf } from '../../shared/contract/field.ts'
import { ApiError } from '../../shared/errors.ts'
import { readBody } from '../../shared/http/body.ts'
import { errorResponse } from '../../shared/http/responses.ts'
import { stateOf } from '../../shared/http/state.ts'
import { validate } from '../../shared/http/validate.ts'
import { candidateIds, serverIdFor } from '../../shared/ids.ts'
import { type Resolved, resolveReferences } from '../../shared/store/references.ts'
import { route, targetOf } from '../local/gateway.ts'
import { openDiskMap } from './disk-map.ts'
import { type KnownEntities, knownEntities, TransientAnswer } from './known-entities.ts'
import type { Answer, Target } from './target.ts'

type Body = Readonly<Record<string, unknown>>

const related = Object.fromEntries(resources)

/** Parses and validates a body as the service does. Throws ApiError. */
const validated = async (endpoint: Endpoint, appId: string, text: string): Promise<Body> => {
  const request = { event: { body: text, headers: {} }, internal: { app: { id: appId, cursorSecret: '' } } }
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

const ok = ({ resource: { name } }: Endpoint, entity: Body, replayed: boolean): Answer => ({
  status: 200,
  headers: replayed ? { 'idempotent-replayed': 'true' } : {},
  text: JSON.stringify({ data: { [name]: entity } }),
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

/** What a retrieve of a new entity returns. An import retrieves only what can be anonymised. */
const shownOf = ({ resource }: Endpoint, id: string, content: Body): Body =>
  Object.keys(placeholdersOf(resource.fields)).length > 0 ? { id, ...content } : { id }

/** Returns a function that answers a create. */
const creating =
  (target: Target, entities: KnownEntities) =>
  async (endpoint: Endpoint, text: string): Promise<Answer> => {
    const { appId: app } = target
    const { resource } = endpoint
    const body = await validated(endpoint, app, text)
    const resolved = await resolveReferences({ app, endpoint, related, body }, entities.readItems)
    const id = serverIdFor(app, resource.prefix, body.id as string)
    const content = contentOf(resource.fields, resolved.body, id)
    const hash = hashOf(content)
    const known = await entities.read(id)
    const derived = derivedBy(endpoint, resolved)
    if (known.state === 'absent') {
      const shown = shownOf(endpoint, id, content)
      entities.set(id, { state: 'new', hash, shown })
      for (const [other, data] of derived) entities.set(other, { state: 'new', data })
      return ok(endpoint, shown, false)
    }
    if (known.hash === hash && !known.isErased) return ok(endpoint, known.shown!, true)
    const named = [...resolved.found.values()].map((entity) => entities.find(entity.id))
    // A recorded entity cannot refer to a new one, so the content differs.
    if (known.state === 'new' || derived.length > 0 || named.some((each) => each?.state === 'new'))
      throw conflict(endpoint, body.id, id)
    // Only the service knows what the first create said (I4). A create of a recorded entity writes nothing.
    return target.send('POST', endpoint.path, text)
  }

/** Returns a function that answers the requests of an import without recording anything. */
const answering = (target: Target, entities: KnownEntities): Target['send'] => {
  const create = creating(target, entities)
  const anonymise = ({ resource }: Endpoint, id: string): Body => {
    const known = entities.find(id)!
    const shown = { ...known.shown, ...placeholdersOf(resource.fields) }
    entities.set(id, { ...known, shown, isErased: true })
    return shown
  }
  return async (method, url, text = '') => {
    const matched = route(catalogue, { method, path: targetOf(url).path, requestId: '-' })
    if ('statusCode' in matched) return target.send(method, url)
    const { endpoint, id } = matched
    if (endpoint.operation === 'create') return create(endpoint, text)
    const ids = candidateIds(target.appId, endpoint.resource.prefix, decodeURIComponent(id))
    const newId = ids.find((each) => entities.find(each)?.state === 'new')
    if (endpoint.operation === 'update')
      return ok(endpoint, newId ? anonymise(endpoint, newId) : { id }, false)
    return newId ? ok(endpoint, entities.find(newId)!.shown!, false) : target.send(method, url)
  }
}

/**
 * Returns a target that records nothing and answers as the opened one would in a run: with the service's own validators, from
 * what is recorded and what the rows so far would have created.
 */
export const dryRun = async (openTarget: () => Promise<Target>): Promise<Target> => {
  const entries = await openDiskMap()
  const target = await openTarget()
  const answer = answering(target, knownEntities(target, entries))
  const send: Target['send'] = async (...request) => {
    try {
      return await answer(...request)
    } catch (error) {
      if (error instanceof TransientAnswer) return error.answer
      if (!(error instanceof ApiError)) throw error
      const { statusCode: status, headers, body } = errorResponse(error, 'dry-run')
      return { status, headers: headers as Record<string, string>, text: body }
    }
  }
  const close = () => {
    entries.close()
    return target.close()
  }
  return { ...target, send, close }
}
