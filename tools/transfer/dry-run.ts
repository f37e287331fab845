import { createHash } from 'node:crypto'
import { catalogue, resources } from '../../shared/catalogue.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { contentOf } from '../../shared/contract/field.ts'
import { ApiError } from '../../shared/errors.ts'
import { readBody } from '../../shared/http/body.ts'
import { errorResponse } from '../../shared/http/responses.ts'
import { stateOf } from '../../shared/http/state.ts'
import { validate } from '../../shared/http/validate.ts'
import { serverIdFor } from '../../shared/ids.ts'
import { type Resolved, resolveReferences } from '../../shared/store/references.ts'
import { Knowledge, Passing } from './knowledge.ts'
import { openLedger } from './ledger.ts'
import type { Answer, Target } from './target.ts'

type Body = Readonly<Record<string, unknown>>

const related = Object.fromEntries(resources)

/** A body as the first steps of the service read it. Throws ApiError as they do. */
const checked = async (endpoint: Endpoint, appId: string, text: string): Promise<Body> => {
  const request = { event: { body: text, headers: {} }, internal: { app: { id: appId, cursorSecret: '' } } }
  for (const step of [readBody(endpoint), validate(endpoint, related)]) await step.before?.(request as never)
  return stateOf(request).call?.body as unknown as Body
}

const sorted = (_key: string, value: unknown): unknown =>
  Object(value) === value && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value as Body).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** The same for equal content, whatever the order of its keys. */
const hashOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content, sorted)).digest('base64url')

const ok = ({ resource: { name } }: Endpoint, id: string, replayed: boolean): Answer => ({
  status: 200,
  headers: replayed ? { 'idempotent-replayed': 'true' } : {},
  text: JSON.stringify({ data: { [name]: { id } } }),
})

const taken = ({ resource }: Endpoint, id: unknown): ApiError =>
  new ApiError(
    'conflict',
    `id: ${JSON.stringify(String(id))} is the id of a ${resource.name} with other values.`,
  )

/** What a create would begin besides its own entity, such as the subscription of an invoice: id and fields. */
const begunBy = ({ resource }: Endpoint, { body, found }: Resolved): [string, Body][] =>
  Object.entries(resource.fields).flatMap(([field, { reference }]): [string, Body][] => {
    if (!reference?.mayBegin || found.has(field)) return []
    const { sharing = '' } = reference
    return [[body[field] as string, { [sharing]: body[sharing] }]]
  })

const pretend = async (
  endpoint: Endpoint,
  text: string,
  target: Target,
  knowledge: Knowledge,
): Promise<Answer> => {
  const { appId: app } = target
  const body = await checked(endpoint, app, text)
  const resolved = await resolveReferences({ app, endpoint, related, body }, knowledge.read)
  const id = serverIdFor(app, endpoint.resource.prefix, body.id as string)
  const content = hashOf(contentOf(endpoint.resource.fields, resolved.body, id))
  const own = await knowledge.of(id)
  const begun = begunBy(endpoint, resolved)
  if (own.is === 'absent') {
    knowledge.learn(id, { is: 'new', content })
    for (const [other, data] of begun) knowledge.learn(other, { is: 'new', data })
    return ok(endpoint, id, false)
  }
  if (own.is === 'new' && own.content === content) return ok(endpoint, id, true)
  const named = await Promise.all([...resolved.found.values()].map((entity) => knowledge.of(entity.id)))
  const isSettled = own.is === 'new' || begun.length > 0 || named.some(({ is }) => is === 'new')
  // What is there names nothing that is new.
  if (isSettled) throw taken(endpoint, body.id)
  // A create of what is there writes nothing, and only the service knows what was said then (I4).
  return target.send('POST', endpoint.path, text)
}

/**
 * A target that records nothing and answers as `target` would in a real run: by the service's own validators, with what
 * is there and what the rows before would have created.
 */
export const dryRun = async (target: Target): Promise<Target> => {
  const ledger = await openLedger()
  const knowledge = new Knowledge(target, ledger)
  const send: Target['send'] = async (method, path, text = '') => {
    const endpoint = catalogue.find((each) => each.method === method && each.path === path)
    if (method === 'GET' || !endpoint) return target.send(method, path)
    try {
      return await pretend(endpoint, text, target, knowledge)
    } catch (error) {
      if (error instanceof Passing) return error.answer
      if (!(error instanceof ApiError)) throw error
      const { statusCode: status, headers, body } = errorResponse(error, 'dry-run')
      return { status, headers: headers as Record<string, string>, text: body }
    }
  }
  const close = () => {
    ledger.close()
    return target.close()
  }
  return { ...target, send, close }
}
