import { includesOf, resourceNamed } from '../catalogue.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { Field, Fields } from '../contract/field.ts'
import { serverIdSchema } from '../contract/identifiers.ts'
import type { Include } from '../contract/include.ts'
import { MAX_LIMIT } from '../contract/query.ts'
import { fieldPathOf, parentField, referenceAt } from '../contract/references.ts'
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

/** The schemas of responses, closed, with their descriptions; `component` names a schema that the document refers to. */

/** A schema with a field's description; the objects of a list become a component of their own. */
const documented = (schema: Schema, field: Field, ending = ''): Schema => ({
  ...schema,
  ...(field.about ? { description: field.about.description } : {}),
  ...(field.items
    ? {
        items: {
          ...documentedObject(
            schema.items as ObjectSchema,
            field.items.fields,
            pascalCase(field.items.name) + ending,
          ),
          meaning: `One ${field.items.name.replaceAll('_', ' ')}.`,
        },
      }
    : {}),
})

/** An object schema with the descriptions of `fields`, as the component `name`. */
export const documentedObject = (schema: ObjectSchema, fields: Fields, name: string): ObjectSchema => ({
  ...schema,
  component: name,
  properties: Object.fromEntries(
    Object.entries(schema.properties).map(([key, property]) => [
      key,
      fields[key] ? documented(property, fields[key], /Request$/.exec(name)?.[0]) : property,
    ]),
  ),
})

const responseOf = ({ reference, response }: Field): Schema => {
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
    ...Object.fromEntries(visible.map(([key, field]) => [key, responseOf(field)])),
  }
  const schema = documentedObject(completeObjectSchema(properties), fields, pascalCase(name))
  return { ...schema, meaning: about?.description }
}

const externalId = (name: string): Schema => ({
  type: 'string',
  description: `Your own id of the ${name}, as text.`,
})

/** The schema of an embedded entity, with the client's own id on request. */
const embeddedEntity = (name: string): ObjectSchema => {
  const { properties, required, component, meaning } = entitySchema(resourceNamed(name))
  return {
    ...objectSchema({ ...properties, external_id: externalId(name) }, required),
    component: `Embedded${component}`,
    meaning,
  }
}

const embeddedWithParent = (name: string, parent: string): ObjectSchema => {
  const { properties, required, component, meaning } = embeddedEntity(name)
  const { fields } = resourceNamed(name)
  const { description } = fields[parentField(fields)!]!.about!
  return {
    ...objectSchema({ ...properties, [parent]: { ...embeddedEntity(parent), description } }, [
      ...required,
      parent,
    ]),
    component: `${component}With${pascalCase(parent)}`,
    meaning,
  }
}

/** Adds the embedded entities to the objects of a list. */
const withListed = (
  list: Schema,
  resource: Resource,
  listed: readonly (readonly [string, Include])[],
): Schema => {
  if (listed.length === 0) return list
  const { properties, ...items } = list.items as ObjectSchema
  const embedded = listed.map(([name, include]) => {
    return [name, { ...embeddedSchema(resource, include), type: ['object', 'null'] }]
  })
  return { ...list, items: { ...items, properties: { ...properties, ...Object.fromEntries(embedded) } } }
}

const embeddedSchema = ({ name, fields }: Resource, include: Include): Schema => {
  if (include.from === 'external_id') return externalId(name)
  if (include.from === 'field') {
    const field = fields[include.field] as Field
    return documented(responseOf(field), field)
  }
  const description = include.about ? { description: include.about.description } : {}
  if (include.from === 'children')
    return { type: 'array', items: embeddedEntity(include.target), expects: 'a list', ...description }
  const { target, many } = referenceAt(fields, fieldPathOf(include))
  if (include.from === 'listed') return { ...embeddedWithParent(target, include.parent), ...description }
  const entity = embeddedEntity(target)
  return {
    ...(many ? arraySchema(entity, fields[include.field]!.request.maxItems!) : entity),
    ...description,
  }
}

const changed: Schema = {
  type: 'integer',
  kind: 'time',
  minimum: 0,
  description:
    'When it was recorded or last changed, in seconds since the epoch. Only in responses to `changed_since`.',
}

/**
 * The schema of an endpoint's entity, with everything that can be embedded into it and the field that `changed_since` adds. One
 * schema serves all operations of a resource with includes, so generated clients have one type for it.
 */
export const shownSchema = ({ resource, include }: Endpoint): ObjectSchema => {
  const all = Object.keys(include).length > 0 ? Object.entries(includesOf(resource)) : []
  const embedded = new Map<string, Schema>()
  for (const [name, how] of all) {
    if (how.from === 'listed') continue
    const listed = all.filter(([, other]) => other.from === 'listed' && other.list === name)
    embedded.set(name, withListed(embeddedSchema(resource, how), resource, listed))
  }
  const { properties, required, component, meaning } = entitySchema(resource)
  if (embedded.size === 0) return { ...objectSchema(properties, required), component, meaning }
  return {
    ...objectSchema({ ...properties, ...Object.fromEntries(embedded), changed }, required),
    component: `${component}WithIncludes`,
    meaning,
  }
}

const cursor = (description: string) => ({
  type: ['string', 'null'],
  expects: 'an opaque cursor, or null',
  description,
})

const pagination: Schema = {
  ...completeObjectSchema({
    has_more: { type: 'boolean', description: 'Whether there is a next page.' },
    next_cursor: cursor('The cursor of the next page; null on the last page.'),
    previous_cursor: cursor('The cursor of the page before; null on the first page.'),
  }),
  component: 'Pagination',
  meaning: 'The cursors of the pages before and after this one.',
}

/** The schema of an endpoint's successful response. */
export const successSchema = (endpoint: Endpoint): ObjectSchema => {
  const shown = shownSchema(endpoint)
  const { name, plural } = endpoint.resource
  if (endpoint.operation !== 'list')
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
