import { catalogue } from '../catalogue.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { DEFAULT_LIMIT, MAX_LIMIT, pageParameters, type QueryParameter } from '../contract/query.ts'
import type { Resource } from '../contract/resource.ts'
import type { ObjectSchema } from '../contract/schema.ts'
import type { JsonObject } from './document-parts.ts'
import { errorResponses } from './errors.ts'
import { pascalCase } from './names.ts'
import { sinceSchema } from './patterns.ts'
import { documentedObject, errorSchema, successSchema } from './response-schema.ts'
import { Translator } from './schemas.ts'

export const tagName = ({ plural }: Resource): string => pascalCase(plural)

/** The name that code generators give to the method of an operation: `listPrices`, `createPrice`. */
export const operationId = ({ operation, resource, returnsPage }: Endpoint): string =>
  `${operation}${pascalCase(returnsPage ? resource.plural : resource.name)}`

export const requestComponentName = (endpoint: Endpoint): string =>
  `${pascalCase(operationId(endpoint))}Request`

export const successComponentName = (endpoint: Endpoint): string =>
  successSchema(endpoint).component as string

/** The descriptions of the id in a body, by operation. */
const idDescriptions: Readonly<Partial<Record<Endpoint['operation'], (name: string) => string>>> = {
  create: (name) => `Your own id of the ${name}. It never changes.`,
  update: (name) => `The id of the ${name} in the path: your own, or the id that the service assigned.`,
}

/** The schema of a body with its descriptions, as a component. */
export const requestComponent = (endpoint: Endpoint, body: ObjectSchema): ObjectSchema => {
  const { fields, name } = endpoint.resource
  const { properties, ...schema } = documentedObject(body, fields, {
    component: requestComponentName(endpoint),
    itemSuffix: 'Request',
  })
  const id = { ...properties.id, description: idDescriptions[endpoint.operation]?.(name) }
  const meaning = `The body of \`${operationId(endpoint)}\`.`
  return { ...schema, meaning, properties: { ...properties, id } }
}

const schemas = (): Record<string, JsonObject> => {
  const request = new Translator('request')
  const response = new Translator('response')
  for (const endpoint of catalogue) {
    response.translate(successSchema(endpoint))
    if (endpoint.body) request.translate(requestComponent(endpoint, endpoint.body))
  }
  response.translate(errorSchema)
  return { ...response.components, ...request.components }
}

const parameterSchemas: Readonly<Record<string, JsonObject>> = {
  limit: { type: ['integer', 'null'], minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
  cursor: { type: ['string', 'null'], default: null },
  changed_since: sinceSchema,
}

export const parameterComponentName = ({ name }: QueryParameter): string => pascalCase(name)

const parameters = (): Record<string, JsonObject> => ({
  ...Object.fromEntries(
    pageParameters.map((parameter) => [
      parameterComponentName(parameter),
      {
        name: parameter.name,
        in: 'query',
        description: parameter.about?.description,
        schema: parameterSchemas[parameter.name],
      },
    ]),
  ),
  RequestId: {
    name: 'x-request-id',
    in: 'header',
    description:
      'Your own id of this request: up to 128 letters, digits, `_`, `.`, `:` and `-`. The response and the logs of the service contain it.',
    schema: { type: 'string' },
  },
})

const header = (description: string, schema: JsonObject): JsonObject => ({ description, schema })

const headers: Record<string, JsonObject> = {
  RequestId: header(
    'The id of this request: the id that you sent, or one that the service generated. Responses of the gateway itself have its own id.',
    { type: 'string' },
  ),
  Authenticate: header('How to authenticate.', { type: 'string', const: 'Bearer' }),
  Replayed: header('Present if an earlier request recorded the entity and this one recorded nothing.', {
    type: 'string',
    const: 'true',
  }),
  CreateOutcome: header(
    'The outcome of a create that may update. Present only if the request allows updates.',
    {
      type: 'string',
      enum: ['created', 'updated', 'unchanged'],
    },
  ),
  ChangesHeldBack: header(
    'Present with `changed_since`: the delay of changes, in seconds. Changes of this most recent interval may be missing.',
    { type: 'integer', minimum: 0 },
  ),
  ApplicationName: header(
    'Present with `changed_since`: the name of the application, percent-encoded. Absent for an API key that a release before 0.5.0 created.',
    { type: 'string' },
  ),
  RetryAfter: header('The seconds to wait before the next attempt.', { type: 'integer', minimum: 1 }),
}

/** The components of the document: everything that operations refer to by name. */
export const openApiComponents = (): JsonObject => ({
  securitySchemes: {
    apiKey: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key of the application, as `Authorization: Bearer <API key>`.',
    },
    appId: { type: 'apiKey', in: 'header', name: 'x-app-id', description: 'The id of the application.' },
  },
  parameters: parameters(),
  headers,
  responses: errorResponses(),
  schemas: schemas(),
})
