import { resourceNamed } from '../catalogue.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { erasurePlaceholders, type Fields, storedChanges, storedContent } from '../contract/field.ts'
import { mapIds, referencesOf } from '../contract/identifiers.ts'
import type { ReadEntities } from '../contract/include.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import type { Values } from '../contract/schema.ts'
import { present } from '../http/success-body.ts'
import { serverIdFor } from '../ids.ts'
import { encodeCursor } from '../pagination/page.ts'

/** Examples by name. The code of the service generates the example responses. */
type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>

const APP_ID = 'example'

/** The client's own id of the example. */
export const exampleId = ({ about }: Resource): string | number => about?.example as string | number

/** The id of the example of a resource. */
type IdOf = (resource: Resource) => unknown

/** What a request sends. `idOf` returns the ids of references. */
const exampleFields = (fields: Fields, idOf: IdOf): Values => {
  const values: Record<string, unknown> = {}
  for (const [name, { about, items, reference }] of Object.entries(fields)) {
    if (items) {
      values[name] = [exampleFields(items.fields, idOf)]
    } else if (about?.example !== undefined && reference) {
      const id = idOf(resourceNamed(reference.target))
      values[name] = reference.many ? [id] : id
    } else if (about?.example !== undefined) {
      values[name] = about.example
    }
  }
  return values
}

/** `idOf` returns its id and the ids of references. */
export const exampleBody = (resource: Resource, idOf: IdOf = exampleId): Values => ({
  id: idOf(resource),
  ...exampleFields(resource.fields, idOf),
})

export const requestExamples = ({ resource, examples }: Endpoint): Examples => {
  const bodies: Record<string, Examples[string]> = {}
  for (const [key, example] of Object.entries(examples)) {
    if (!example) continue
    const values = Object.entries({ ...exampleBody(resource), ...example.changes })
    const value = Object.fromEntries(values.filter(([, sent]) => sent !== undefined))
    bodies[key] = { summary: example.summary, value }
  }
  return bodies
}

const exampleServerId = ({ prefix }: Resource, id: unknown): string =>
  serverIdFor(APP_ID, prefix, id as string)

/** A body with the server ids of the entities that it refers to. */
const withServerIds = (fields: Fields, body: Values): Values => {
  let resolved = body
  for (const field of referencesOf(fields)) {
    const resource = resourceNamed(field.reference.target)
    resolved = mapIds(field, resolved, (id) => exampleServerId(resource, id))
  }
  return resolved
}

const exampleEntity = (resource: Resource): Entity => {
  const { id: externalId, ...body } = exampleBody(resource)
  const id = exampleServerId(resource, externalId)
  const resolved = withServerIds(resource.fields, body)
  const content = storedContent(resource.fields, resolved, `li_${id.slice(-22)}`)
  return { resource, id, externalId: String(externalId), order: String(externalId), list: '', content }
}

const exampleNamed = (name: string): Entity => exampleEntity(resourceNamed(name))

/** Returns what the includes of an endpoint embed in the example of its resource: other examples. */
const embeddedValues = ({ include: includes }: Endpoint, entity: Entity): Values => {
  const values: Record<string, unknown> = {}
  for (const [name, include] of Object.entries(includes)) {
    const childrenOf = () => (include.children ? [exampleNamed(include.children.resource)] : [])
    const examples: ReadEntities = { find: exampleNamed, childrenOf }
    values[name] = include.embed(entity, examples)
  }
  return values
}

/** The body of the response with an entity: alone or, from a list, on a page. */
const exampleResponse = (endpoint: Endpoint, entity: Entity, embedded: Values = {}): unknown => {
  const shown = present(endpoint, { entity, embedded })
  if (!endpoint.returnsPage) return { data: { [endpoint.resource.name]: shown } }
  const scope = { app: APP_ID, list: endpoint.id, secret: '' }
  const next_cursor = encodeCursor(scope, { direction: 'next', order: entity.order })
  return {
    data: { [endpoint.resource.plural]: [shown] },
    pagination: { has_more: true, next_cursor, previous_cursor: null },
  }
}

const updateExamples = (endpoint: Endpoint, entity: Entity): Examples => {
  const { fields } = endpoint.resource
  const responseAfter = (changes: object) =>
    exampleResponse(endpoint, { ...entity, content: { ...entity.content, ...changes } })
  const [request] = Object.values(requestExamples(endpoint))
  const changes = storedChanges(fields, request?.value as object, entity.id)
  return {
    updated: { summary: 'Updated', value: responseAfter(changes) },
    anonymised: { summary: 'Anonymised', value: responseAfter(erasurePlaceholders(fields)) },
  }
}

export const successExamples = (endpoint: Endpoint): Examples => {
  const entity = exampleEntity(endpoint.resource)
  if (endpoint.bodyMayBeAbsent) return updateExamples(endpoint, entity)
  const names = Object.keys(endpoint.include)
  const plain = { summary: 'As it is recorded', value: exampleResponse(endpoint, entity) }
  if (names.length === 0) return { plain }
  const value = exampleResponse(endpoint, entity, embeddedValues(endpoint, entity))
  return { plain, with_includes: { summary: `With include=${names.join(',')}`, value } }
}
