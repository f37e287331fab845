import { catalogue } from '../catalogue.ts'
import { createMayUpdate, type Endpoint } from '../contract/endpoint.ts'
import { externalIdSchema } from '../contract/identifiers.ts'
import type { QueryParameter } from '../contract/query.ts'
import { errorKinds } from '../errors.ts'
import {
  operationId,
  parameterComponentName,
  requestComponentName,
  successComponentName,
  tagName,
} from './components.ts'
import { errorKindsOf } from './errors.ts'
import { exampleId, requestExamples, successExamples } from './examples.ts'
import { pascalCase } from './names.ts'
import { componentRef, type JsonObject, jsonContent, portablePattern } from './schemas.ts'

const { minLength, maxLength, pattern } = externalIdSchema
/** The schema of an id in a path or a query, which is always text. */
const idSchema = { type: 'string', minLength, maxLength, ...portablePattern(pattern) }

const queryParameter = ({ include, options }: Endpoint, parameter: QueryParameter): JsonObject => {
  const { name, kind, about } = parameter
  const inQuery = { name, in: 'query', description: about?.description }
  if (kind === 'option') {
    const { type, enum: words } = options[name]!.request
    return { ...inQuery, schema: { type, ...(words ? { enum: words } : {}) } }
  }
  if (kind === 'filter') return { ...inQuery, schema: idSchema }
  if (kind !== 'include') return componentRef('parameters', parameterComponentName(parameter))
  // Inline: as components, names that several resources share would be declared twice in Go.
  const schema = { type: 'array', items: { type: 'string', enum: Object.keys(include) } }
  return { ...inQuery, style: 'form', explode: false, schema }
}

const idParameter = ({ resource }: Endpoint): JsonObject => ({
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id that the service assigned, or your own, percent-encoded.',
  schema: idSchema,
  example: String(exampleId(resource)),
})

/** Returns the links from a created entity's id to further operations. */
const links = (endpoint: Endpoint): JsonObject => {
  if (endpoint.operation !== 'create') return {}
  const { name } = endpoint.resource
  const next = catalogue.filter(
    ({ resource, path }) => resource === endpoint.resource && path.includes('{id}'),
  )
  const parameters = { id: `$response.body#/data/${name}/id` }
  return {
    links: Object.fromEntries(next.map(operationId).map((id) => [id, { operationId: id, parameters }])),
  }
}

const responses = (endpoint: Endpoint): JsonObject => ({
  200: {
    description: endpoint.operation === 'list' ? 'A page of the list.' : `The ${endpoint.resource.name}.`,
    headers: {
      'x-request-id': componentRef('headers', 'RequestId'),
      ...(endpoint.operation === 'create'
        ? { 'idempotent-replayed': componentRef('headers', 'Replayed') }
        : {}),
      ...(endpoint.operation === 'list'
        ? {
            'changes-held-back': componentRef('headers', 'ChangesHeldBack'),
            'application-name': componentRef('headers', 'ApplicationName'),
          }
        : {}),
      ...(createMayUpdate(endpoint) ? { 'create-outcome': componentRef('headers', 'CreateOutcome') } : {}),
    },
    content: jsonContent(successComponentName(endpoint), successExamples(endpoint)),
    ...links(endpoint),
  },
  ...Object.fromEntries(
    errorKindsOf(endpoint).map((kind) => [
      errorKinds[kind].status,
      componentRef('responses', pascalCase(kind)),
    ]),
  ),
})

const IDEMPOTENT =
  'Idempotent: the same id with the same content returns the existing entity; with other content, the response is `409`.'

const operation = (endpoint: Endpoint): JsonObject => {
  const words = [endpoint.about?.description, endpoint.operation === 'create' ? IDEMPOTENT : '']
  const description = words.filter(Boolean).join('\n\n')
  const parameters = endpoint.parameters.map((parameter) => queryParameter(endpoint, parameter))
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
            content: jsonContent(requestComponentName(endpoint), requestExamples(endpoint)),
          },
        }
      : {}),
    responses: responses(endpoint),
  }
}

/** The operations by path and method. */
export const openApiPaths = (): JsonObject =>
  Object.fromEntries(
    [...Map.groupBy(catalogue, ({ path }) => path)].map(([path, endpoints]) => [
      path,
      {
        parameters: [
          ...(path.includes('{id}') ? endpoints.slice(0, 1).map(idParameter) : []),
          componentRef('parameters', 'RequestId'),
        ],
        ...Object.fromEntries(
          endpoints.map((endpoint) => [endpoint.method.toLowerCase(), operation(endpoint)]),
        ),
      },
    ]),
  )
