import type { Endpoint } from '../contract/endpoint.ts'
import type { Resource } from '../contract/resource.ts'
import type { Schema } from '../contract/schema.ts'
import { DEFAULT_LIMIT, MAX_LIMIT } from '../http/query.ts'
import { lineItemRequest, lineItemResponse } from '../resources/line-item.ts'
import { catalogue } from './catalogue.ts'
import { errorResponses } from './openapi-errors.ts'
import { formatSchemas, type Json, type Side, type Translator, translate } from './openapi-schemas.ts'
import { parameterTexts } from './openapi-texts.ts'
import { entitySchema, errorSchema, pagination, shownSchema, successSchema } from './response-schema.ts'

const pascal = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The tag of a resource's operations. */
export const tagName = ({ plural }: Resource): string => pascal(plural)

/** What code generators call an operation's method: `listPrices`, `createPrice`. */
export const operationId = ({ operation, resource }: Endpoint): string =>
  `${operation}${pascal(operation === 'list' ? resource.plural : resource.name)}`

/** The component of an endpoint's request body. */
export const requestName = (endpoint: Endpoint): string => `${pascal(operationId(endpoint))}Request`

const shownName = ({ resource, include }: Endpoint): string =>
  pascal(resource.name) + (Object.keys(include).length > 0 ? 'WithIncludes' : '')

/** The component of an endpoint's 200. */
export const successName = (endpoint: Endpoint): string =>
  endpoint.operation === 'list' ? `${pascal(endpoint.resource.name)}List` : `${shownName(endpoint)}Response`

const resources = (): Resource[] => [...new Set(catalogue.map(({ resource }) => resource))]

const named: Readonly<Record<Side, () => [string, Schema][]>> = {
  request: () => [
    ...catalogue.flatMap((endpoint): [string, Schema][] =>
      endpoint.body ? [[requestName(endpoint), endpoint.body]] : [],
    ),
    ['LineItemRequest', lineItemRequest],
  ],
  response: () => [
    ...resources().map((resource): [string, Schema] => [pascal(resource.name), entitySchema(resource)]),
    ...catalogue.map((endpoint): [string, Schema] => [shownName(endpoint), shownSchema(endpoint)]),
    ...catalogue.map((endpoint): [string, Schema] => [successName(endpoint), successSchema(endpoint)]),
    ['LineItem', lineItemResponse],
    ['Pagination', pagination],
    ['ErrorResponse', errorSchema],
  ],
}

/** Translates the schemas of one side; a schema that is equal to a component's becomes a reference to it. */
const schemasOf = (side: Side): Record<string, Json> => {
  const components = named[side]()
  const names = new Map(components.map(([name, schema]) => [JSON.stringify(schema), name]))
  const by: Translator = { side, naming: (schema) => names.get(JSON.stringify(schema)) }
  return Object.fromEntries(components.map(([name, schema]) => [name, translate(schema, name, by)]))
}

const text = (description: string, schema: Json, more: Json = {}): Json => ({ description, schema, ...more })

const parameters = (): Record<string, Json> => {
  const inQuery = (name: keyof typeof parameterTexts, schema: Json): Json => ({
    name,
    in: 'query',
    ...text(parameterTexts[name], schema),
  })
  return {
    Limit: inQuery('limit', {
      type: ['integer', 'null'],
      minimum: 1,
      maximum: MAX_LIMIT,
      default: DEFAULT_LIMIT,
    }),
    Cursor: inQuery('cursor', { type: ['string', 'null'], default: null }),
    RequestId: {
      name: 'x-request-id',
      in: 'header',
      ...text(parameterTexts.requestId, { type: 'string' }),
    },
  }
}

const headers: Record<string, Json> = {
  RequestId: text('The id of this request: yours if you sent one, else one that we made.', {
    type: 'string',
  }),
  Authenticate: text('How to authenticate.', { type: 'string', const: 'Bearer' }),
  RetryAfter: text('After how many seconds to try again.', { type: 'integer', minimum: 1 }),
}

/** Everything that operations refer to by name. */
export const components = (): Json => ({
  securitySchemes: {
    apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the application.' },
    appId: { type: 'apiKey', in: 'header', name: 'x-app-id', description: 'The id of the application.' },
  },
  parameters: parameters(),
  headers,
  responses: errorResponses(),
  schemas: { ...schemasOf('response'), ...schemasOf('request'), ...formatSchemas() },
})
