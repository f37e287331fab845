import type { Endpoint } from '../contract/endpoint.ts'
import { clientId } from '../contract/fields.ts'
import { errorKinds } from '../errors.ts'
import { catalogue } from './catalogue.ts'
import { operationId, requestName, successName, tagName } from './openapi-components.ts'
import { errorName } from './openapi-errors.ts'
import { type Examples, exampleIds, requestExamples, successExamples } from './openapi-examples.ts'
import { type Json, ref } from './openapi-schemas.ts'
import { errorsOf } from './openapi-statuses.ts'
import { endpointTexts, operationTexts, parameterTexts } from './openapi-texts.ts'

const media = (name: string, examples: Examples): Json => ({
  'application/json': { schema: ref('schemas', name), examples },
})

const includeParameter = ({ include }: Endpoint): Json => ({
  name: 'include',
  in: 'query',
  description: parameterTexts.include,
  style: 'form',
  explode: false,
  schema: { type: ['array', 'null'], items: { type: 'string', enum: Object.keys(include) }, default: null },
})

const { minLength, maxLength } = clientId

const idParameter = ({ resource }: Endpoint): Json => ({
  name: 'id',
  in: 'path',
  required: true,
  description: parameterTexts.id,
  schema: { type: 'string', minLength, maxLength, pattern: '^[^\\x00-\\x1F\\x7F-\\x9F]*$' },
  example: String(exampleIds[resource.plural]),
})

const queryParameters = (endpoint: Endpoint): Json[] => [
  ...(endpoint.operation === 'list' ? [ref('parameters', 'Limit'), ref('parameters', 'Cursor')] : []),
  ...(Object.keys(endpoint.include).length > 0 ? [includeParameter(endpoint)] : []),
]

/** What can be done next with the id of a created entity. */
const links = (endpoint: Endpoint): Json => {
  if (endpoint.operation !== 'create') return {}
  const { name } = endpoint.resource
  const next = catalogue.filter(
    ({ resource, path }) => resource === endpoint.resource && path.includes('{id}'),
  )
  const parameters = { id: `$response.body#/data/${name}/id` }
  return {
    links: Object.fromEntries(
      next.map((each) => [operationId(each), { operationId: operationId(each), parameters }]),
    ),
  }
}

const responses = (endpoint: Endpoint): Json => ({
  200: {
    description: endpoint.operation === 'list' ? 'A page of the list.' : `The ${endpoint.resource.name}.`,
    headers: { 'x-request-id': ref('headers', 'RequestId') },
    content: media(successName(endpoint), successExamples(endpoint)),
    ...links(endpoint),
  },
  ...Object.fromEntries(
    errorsOf(endpoint).map((kind) => [errorKinds[kind].status, ref('responses', errorName(kind))]),
  ),
})

const operation = (endpoint: Endpoint): Json => {
  const description = [endpointTexts[endpoint.id], operationTexts[endpoint.operation]]
    .filter(Boolean)
    .join('\n\n')
  const parameters = queryParameters(endpoint)
  return {
    operationId: operationId(endpoint),
    tags: [tagName(endpoint.resource)],
    summary: endpoint.summary,
    description,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.body
      ? {
          requestBody: {
            required: !endpoint.bodyMayBeAbsent,
            content: media(requestName(endpoint), requestExamples(endpoint)),
          },
        }
      : {}),
    responses: responses(endpoint),
  }
}

/** The operations by path and method. */
export const paths = (): Json =>
  Object.fromEntries(
    [...Map.groupBy(catalogue, ({ path }) => path)].map(([path, endpoints]) => [
      path,
      {
        parameters: [
          ...(path.includes('{id}') ? endpoints.slice(0, 1).map(idParameter) : []),
          ref('parameters', 'RequestId'),
        ],
        ...Object.fromEntries(
          endpoints.map((endpoint) => [endpoint.method.toLowerCase(), operation(endpoint)]),
        ),
      },
    ]),
  )
