import { resourceNamed } from '../catalogue.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { changesOf, contentOf, type Fields, placeholdersOf } from '../contract/field.ts'
import { mapIds, referenceAt, referencesOf } from '../contract/references.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import { present } from '../http/present.ts'
import { serverIdFor } from '../ids.ts'
import { encodeCursor } from '../pagination/cursor.ts'

/** Examples by name. Answers are made by the code that makes the real ones. */
export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>

type Body = Readonly<Record<string, unknown>>

const app = 'example'

/** The client's own id of the example of a resource. */
export const exampleId = ({ about }: Resource): string | number => about?.example as string | number

type IdOf = (resource: Resource) => unknown

/** The examples of fields, as a request sends them; references name the entities that `idOf` names. */
const sentOf = (fields: Fields, idOf: IdOf): Body =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { about, items, reference }]) => {
      if (items) return [[name, [sentOf(items.fields, idOf)]]]
      if (about?.example === undefined) return []
      const id = reference && idOf(resourceNamed(reference.target))
      return [[name, reference ? (reference.many ? [id] : id) : about.example]]
    }),
  )

/** The request body that creates the example of a resource. `idOf` gives its id and those of the entities it refers to. */
export const exampleBody = (resource: Resource, idOf: IdOf = exampleId): Body => ({
  id: idOf(resource),
  ...sentOf(resource.fields, idOf),
})

/** Returns example bodies that the endpoint accepts. */
export const requestExamples = ({ resource, examples }: Endpoint): Examples =>
  Object.fromEntries(
    Object.entries(examples).flatMap(([key, example]) => {
      if (!example) return []
      const all = Object.entries({ ...exampleBody(resource), ...example.changes })
      const value = Object.fromEntries(all.filter(([, sent]) => sent !== undefined))
      return [[key, { summary: example.summary, value }]]
    }),
  )

const exampleServerId = ({ prefix }: Resource, id: unknown): string => serverIdFor(app, prefix, id as string)

/** A body with the server's ids in place of the client's. */
const resolved = (fields: Fields, body: Body): Body =>
  referencesOf(fields).reduce(
    (sent, place) => mapIds(place, sent, (id) => exampleServerId(resourceNamed(place.reference.target), id)),
    body,
  )

const entityOf = (resource: Resource): Entity => {
  const { id: clientId, ...body } = exampleBody(resource)
  const id = exampleServerId(resource, clientId)
  const content = contentOf(resource.fields, resolved(resource.fields, body), `li_${id.slice(-22)}`)
  return { resource, id, externalId: String(clientId), order: String(clientId), list: '', content }
}

const embeddedIn = ({ resource, include }: Endpoint, entity: Entity): Body =>
  Object.fromEntries(
    Object.entries(include).map(([name, how]) => {
      if (how.from === 'field') return [name, entity.content[how.field]]
      if (how.from === 'external_id') return [name, entity.externalId]
      if (how.from === 'children') return [name, [{ entity: entityOf(resourceNamed(how.target)) }]]
      const { target, many } = referenceAt(resource.fields, how)
      const inner = Object.keys(how.embeds ?? {}).map((each) => [
        each,
        { entity: entityOf(resourceNamed(each)) },
      ])
      const named = { entity: entityOf(resourceNamed(target)), embedded: Object.fromEntries(inner) }
      // The example of a list of objects has one.
      return [name, many || how.within !== undefined ? [named] : named]
    }),
  )

const enveloped = (endpoint: Endpoint, entity: Entity, embedded: Body = {}): unknown => {
  const shown = present(endpoint, { entity, embedded })
  if (endpoint.operation !== 'list') return { data: { [endpoint.resource.name]: shown } }
  const scope = { app, list: endpoint.id, secret: '' }
  const next_cursor = encodeCursor(scope, { direction: 'next', order: entity.order })
  return {
    data: { [endpoint.resource.plural]: [shown] },
    pagination: { has_more: true, next_cursor, previous_cursor: null },
  }
}

const updateExamples = (endpoint: Endpoint, entity: Entity): Examples => {
  const { fields } = endpoint.resource
  const after = (changes: object) =>
    enveloped(endpoint, { ...entity, content: { ...entity.content, ...changes } })
  const [sent] = Object.values(requestExamples(endpoint))
  return {
    updated: { summary: 'Updated', value: after(changesOf(fields, sent?.value as object, entity.id)) },
    anonymised: { summary: 'Anonymised', value: after(placeholdersOf(fields)) },
  }
}

/** Returns example answers with the status 200. */
export const successExamples = (endpoint: Endpoint): Examples => {
  const entity = entityOf(endpoint.resource)
  if (endpoint.operation === 'update') return updateExamples(endpoint, entity)
  const names = Object.keys(endpoint.include)
  const plain = { summary: 'As it is recorded', value: enveloped(endpoint, entity) }
  if (names.length === 0) return { plain }
  const value = enveloped(endpoint, entity, embeddedIn(endpoint, entity))
  return { plain, with_includes: { summary: `With include=${names.join(',')}`, value } }
}
