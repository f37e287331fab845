import type { Endpoint, Include } from '../contract/endpoint.ts'
import { serverId } from '../contract/fields.ts'
import type { Resource } from '../contract/resource.ts'
import { array, object, type Properties, type Schema } from '../contract/schema.ts'
import { MAX_LIMIT } from '../http/query.ts'

/** The schema of an entity as it is shown: exactly its fields, always all of them (S1). */
export const entitySchema = ({ prefix, fields }: Resource): Schema => {
  const all: Properties = { id: serverId(prefix), ...fields }
  return object(all, Object.keys(all))
}

const embeddedSchema = (include: Include): Schema => {
  if (include.from === 'kept') return include.schema
  return include.from === 'children'
    ? array(entitySchema(include.resource), include.max)
    : entitySchema(include.resource)
}

/** The schema of an endpoint's entity, with what may be embedded into it (S4). */
export const shownSchema = ({ resource, include }: Endpoint): Schema => {
  const embedded = Object.entries(include).map(([name, how]) => [name, embeddedSchema(how)])
  const { properties = {}, required = [] } = entitySchema(resource)
  return object({ ...properties, ...Object.fromEntries(embedded) }, required)
}

const cursor = { type: ['string', 'null'], expects: 'an opaque cursor, or null' } as const

/** The schema of a list's `pagination` (§1). */
export const pagination = object(
  { has_more: { type: 'boolean' }, next_cursor: cursor, previous_cursor: cursor },
  ['has_more', 'next_cursor', 'previous_cursor'],
)

/** The schema of an endpoint's 200 (§1). */
export const successSchema = (endpoint: Endpoint): Schema => {
  const shown = shownSchema(endpoint)
  const { name, plural } = endpoint.resource
  if (endpoint.operation !== 'list') return object({ data: object({ [name]: shown }, [name]) }, ['data'])
  return object({ data: object({ [plural]: array(shown, MAX_LIMIT) }, [plural]), pagination }, [
    'data',
    'pagination',
  ])
}

/** The schema of every error (§1, S2). */
export const errorSchema: Schema = object(
  {
    errors: {
      type: 'array',
      minItems: 1,
      maxItems: 50,
      items: object({ code: { type: 'integer' }, title: { type: 'string' }, detail: { type: 'string' } }, [
        'code',
        'title',
        'detail',
      ]),
    },
  },
  ['errors'],
)
