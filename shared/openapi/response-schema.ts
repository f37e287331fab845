import { includesOf, resourceNamed } from '../catalogue.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { Field, Fields } from '../contract/field.ts'
import { parentField, serverIdSchema } from '../contract/identifiers.ts'
import type { Include, ResponseSchemas } from '../contract/include.ts'
import { MAX_LIMIT } from '../contract/query.ts'
import type { Resource } from '../contract/resource.ts'
import {
  arraySchema,
  completeObjectSchema,
  nullableSchema,
  type ObjectSchema,
  objectSchema,
  type Schema,
  typesOf,
} from '../contract/schema.ts'
import { MAX_DETAILS } from '../errors.ts'
import { pascalCase } from './names.ts'

/** The schemas of responses, closed. `component` is the name by which the document refers to one. */

/** The objects of a list become a component, whose name ends with `itemSuffix`. */
const documented = (schema: Schema, { about, items }: Field, itemSuffix = ''): Schema => {
  const described = about ? { ...schema, description: about.description } : schema
  if (!items) return described
  const { name, fields } = items
  const itemSchema = documentedObject(schema.items as ObjectSchema, fields, {
    component: pascalCase(name) + itemSuffix,
  })
  return { ...described, items: { ...itemSchema, meaning: `One ${name.replaceAll('_', ' ')}.` } }
}

/** The result is a component. `itemSuffix` ends the names of the components of listed objects. */
export const documentedObject = (
  schema: ObjectSchema,
  fields: Fields,
  { component, itemSuffix }: { readonly component: string; readonly itemSuffix?: string },
): ObjectSchema => {
  const properties: Record<string, Schema> = {}
  for (const [name, property] of Object.entries(schema.properties)) {
    const field = fields[name]
    properties[name] = field ? documented(property, field, itemSuffix) : property
  }
  return { ...schema, component, properties }
}

/** A reference is an id of its target. */
const responseSchema = ({ reference, response }: Field): Schema => {
  if (!reference) return response
  const id = serverIdSchema(resourceNamed(reference.target).prefix)
  if (reference.many) return { ...response, items: id }
  return typesOf(response).includes('null') ? nullableSchema(id) : id
}

/** The schema of an entity in a response: all of its visible fields and no others. */
export const entitySchema = ({ name, prefix, fields, about }: Resource): ObjectSchema => {
  const visible = Object.entries(fields).filter(([, field]) => field.visible)
  const properties = {
    id: { ...serverIdSchema(prefix), description: `The id of the ${name} that the service assigned.` },
    ...Object.fromEntries(visible.map(([key, field]) => [key, responseSchema(field)])),
  }
  const schema = documentedObject(completeObjectSchema(properties), fields, { component: pascalCase(name) })
  return { ...schema, meaning: about?.description }
}

const ownIdSchema = (name: string): Schema => ({
  type: 'string',
  description: `Your own id of the ${name}, as text.`,
})

/** The schema of an embedded entity, with the client's own id, which a request can include. */
const embeddedEntity = (name: string): ObjectSchema => {
  const { properties, required, component, meaning } = entitySchema(resourceNamed(name))
  return {
    ...objectSchema({ ...properties, external_id: ownIdSchema(name) }, required),
    component: `Embedded${component}`,
    meaning,
  }
}

const embeddedWithParent = (name: string): ObjectSchema => {
  const { properties, required, component, meaning } = embeddedEntity(name)
  const { fields } = resourceNamed(name)
  const { about, reference } = fields[parentField(fields)!]!
  const parent = reference!.target
  const { description } = about!
  return {
    ...objectSchema({ ...properties, [parent]: { ...embeddedEntity(parent), description } }, [
      ...required,
      parent,
    ]),
    component: `${component}With${pascalCase(parent)}`,
    meaning,
  }
}

/** The schema of a list whose objects embed the entities of the includes in `listed`. */
const withListed = (
  list: Schema,
  resource: Resource,
  listed: readonly (readonly [string, Include])[],
): Schema => {
  if (listed.length === 0) return list
  const { properties, ...items } = list.items as ObjectSchema
  const embedded = listed.map(([name, include]) => [
    name,
    { ...embeddedSchema(resource, include), type: ['object', 'null'] },
  ])
  return { ...list, items: { ...items, properties: { ...properties, ...Object.fromEntries(embedded) } } }
}

const responseSchemas: ResponseSchemas = {
  field: (field) => documented(responseSchema(field), field),
  externalId: ownIdSchema,
  entity: embeddedEntity,
  entityWithParent: embeddedWithParent,
}

const embeddedSchema = (resource: Resource, include: Include): Schema => ({
  ...include.schema(resource, responseSchemas),
  ...(include.about ? { description: include.about.description } : {}),
})

const changed: Schema = {
  type: 'integer',
  kind: 'time',
  minimum: 0,
  description:
    'When it was recorded or last changed, in seconds since the epoch. Only in responses to `changed_since`.',
}

/**
 * The schema of the entity in an endpoint's response, with all values that it can embed and the field that
 * `changed_since` adds. One schema serves all operations of a resource with includes, so generated clients
 * have one type for it.
 */
export const shownSchema = ({ resource, include }: Endpoint): ObjectSchema => {
  const { properties, required, component, meaning } = entitySchema(resource)
  if (Object.keys(include).length === 0) return { ...objectSchema(properties, required), component, meaning }
  const includes = Object.entries(includesOf(resource))
  const embedded: Record<string, Schema> = {}
  for (const [name, embeddedInclude] of includes) {
    if (embeddedInclude.path?.within !== undefined) continue
    const listed = includes.filter(([, { path }]) => path?.within === name)
    embedded[name] = withListed(embeddedSchema(resource, embeddedInclude), resource, listed)
  }
  return {
    ...objectSchema({ ...properties, ...embedded, changed }, required),
    component: `${component}WithIncludes`,
    meaning,
  }
}

const cursorSchema = (description: string): Schema => ({
  type: ['string', 'null'],
  expects: 'an opaque cursor, or null',
  description,
})

const pagination: Schema = {
  ...completeObjectSchema({
    has_more: { type: 'boolean', description: 'Whether there is a next page.' },
    next_cursor: cursorSchema('The cursor of the next page; null on the last page.'),
    previous_cursor: cursorSchema('The cursor of the page before; null on the first page.'),
  }),
  component: 'Pagination',
  meaning: 'The cursors of the pages before and after this one.',
}

export const successSchema = (endpoint: Endpoint): ObjectSchema => {
  const shown = shownSchema(endpoint)
  const { name, plural } = endpoint.resource
  if (!endpoint.returnsPage)
    return {
      ...completeObjectSchema({ data: completeObjectSchema({ [name]: shown }) }),
      component: `${shown.component}Response`,
      meaning: `The response with a single entity in \`data.${name}\`.`,
    }
  return {
    ...completeObjectSchema({
      data: completeObjectSchema({ [plural]: arraySchema(shown, MAX_LIMIT) }),
      pagination,
    }),
    component: `${pascalCase(name)}List`,
    meaning: `A page of ${plural}, newest first.`,
  }
}

const errorEntry: Schema = {
  ...completeObjectSchema({
    code: { type: 'integer', description: 'The HTTP status.' },
    title: { type: 'string', description: 'The kind of error; the same for all errors of a kind.' },
    detail: {
      type: 'string',
      description: 'The problem. It begins with the invalid field, if there is one.',
    },
  }),
  component: 'ErrorEntry',
  meaning: 'One error of a request, or one failure of the service.',
}

/** The schema of every error. */
export const errorSchema: ObjectSchema = {
  ...completeObjectSchema({
    errors: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_DETAILS,
      items: errorEntry,
      description: 'One entry for each error.',
    },
  }),
  component: 'ErrorResponse',
  meaning: 'The body of every error.',
}
