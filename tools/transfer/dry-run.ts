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

const ok = ({ resource: { name } }: Endpoint, entity: Body, replayed: boolean): Answer => ({
  status: 200,
  headers: replayed ? { 'idempotent-replayed': 'true' } : {},
  text: JSON.stringify({ data: { [name]: entity } }),
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

/** What a new entity shows, as far as an import asks: only customers are looked at again, to be anonymised. */
const shownOf = ({ resource }: Endpoint, id: string, content: Body): Body =>
  Object.keys(placeholdersOf(resource.fields)).length > 0 ? { id, ...content } : { id }

/** Answers requests for one application as the service would, and records nothing. */
class DryRun {
  readonly #target: Target
  readonly #knowledge: Knowledge

  constructor(target: Target, knowledge: Knowledge) {
    this.#target = target
    this.#knowledge = knowledge
  }

  async answer(...[method, url, text = '']: Parameters<Target['send']>): Promise<Answer> {
    const found = route(catalogue, { method, path: targetOf(url).path, requestId: '-' })
    if ('statusCode' in found) return this.#target.send(method, url)
    const { endpoint, id } = found
    if (endpoint.operation === 'create') return this.#create(endpoint, text)
    const { prefix } = endpoint.resource
    const ids = candidateIds(this.#target.appId, prefix, decodeURIComponent(id))
    const own = ids.find((each) => this.#knowledge.recalled(each)?.is === 'new')
    if (endpoint.operation === 'update') return ok(endpoint, own ? this.#erase(endpoint, own) : { id }, false)
    return own ? ok(endpoint, this.#knowledge.recalled(own)!.shown!, false) : this.#target.send(method, url)
  }

  #erase({ resource }: Endpoint, id: string): Body {
    const known = this.#knowledge.recalled(id)!
    const shown = { ...known.shown, ...placeholdersOf(resource.fields) }
    this.#knowledge.learn(id, { ...known, shown, isErased: true })
    return shown
  }

  async #create(endpoint: Endpoint, text: string): Promise<Answer> {
    const { resource } = endpoint
    const { appId: app } = this.#target
    const body = await checked(endpoint, app, text)
    const resolved = await resolveReferences({ app, endpoint, related, body }, this.#knowledge.read)
    const id = serverIdFor(app, resource.prefix, body.id as string)
    const content = contentOf(resource.fields, resolved.body, id)
    const hash = hashOf(content)
    const known = await this.#knowledge.of(id)
    const begun = begunBy(endpoint, resolved)
    if (known.is === 'absent') {
      const shown = shownOf(endpoint, id, content)
      this.#knowledge.learn(id, { is: 'new', content: hash, shown })
      for (const [other, data] of begun) this.#knowledge.learn(other, { is: 'new', data })
      return ok(endpoint, shown, false)
    }
    if (known.content === hash && !known.isErased) return ok(endpoint, known.shown!, true)
    const named = [...resolved.found.values()].map((entity) => this.#knowledge.recalled(entity.id))
    // What is there names nothing that is new.
    if (known.is === 'new' || begun.length > 0 || named.some((each) => each?.is === 'new'))
      throw taken(endpoint, body.id)
    // A create of what is there writes nothing, and only the service knows what was said then (I4).
    return this.#target.send('POST', endpoint.path, text)
  }
}

/**
 * A target that records nothing and answers as `target` would in a real run: by the service's own validators, with what
 * is there and what the rows before would have created.
 */
export const dryRun = async (target: Target): Promise<Target> => {
  const ledger = await openLedger()
  const run = new DryRun(target, new Knowledge(target, ledger))
  const send: Target['send'] = async (...request) => {
    try {
      return await run.answer(...request)
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
