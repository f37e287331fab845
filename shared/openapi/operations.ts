import { catalogue } from '../catalogue.ts'
import { type Endpoint, mayUpdate } from '../contract/endpoint.ts'
import { externalIdSchema } from '../contract/identifiers.ts'
import type { Parameter } from '../contract/query.ts'
import { errorKinds } from '../errors.ts'
import { operationId, parameterName, requestName, successName, tagName } from './components.ts'
import { errorsOf } from './errors.ts'
import { exampleId, requestExamples, successExamples } from './examples.ts'
import { pascal } from './names.ts'
import { type Json, media, portable, ref } from './schemas.ts'

const { minLength, maxLength, pattern } = externalIdSchema
/** The schema of an id in a path or a query, which is always text. */
const idSchema = { type: 'string', minLength, maxLength, ...portable(pattern) }

const queryParameter = ({ include, options }: Endpoint, parameter: Parameter): Json => {
  const { name, kind, about } = parameter
  const inQuery = { name, in: 'query', description: about?.description }
  if (kind === 'option') {
    const { type, enum: words } = options[name]!.request
    return { ...inQuery, schema: { type, ...(words ? { enum: words } : {}) } }
  }
  if (kind === 'filter') return { ...inQuery, schema: idSchema }
  if (kind !== 'include') return ref('parameters', parameterName(parameter))
  // Inline: as components, names that several resources share would be declared twice in Go.
  const schema = { type: 'array', items: { type: 'string', enum: Object.keys(include) } }
  return { ...inQuery, style: 'form', explode: false, schema }
}

const idParameter = ({ resource }: Endpoint): Json => ({
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id that the service assigned, or your own, percent-encoded.',
  schema: idSchema,
  example: String(exampleId(resource)),
})

/** Returns the links from a created entity's id to further operations. */
const links = (endpoint: Endpoint): Json => {
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

const responses = (endpoint: Endpoint): Json => ({
  200: {
    description: endpoint.operation === 'list' ? 'A page of the list.' : `The ${endpoint.resource.name}.`,
    headers: {
      'x-request-id': ref('headers', 'RequestId'),
      ...(endpoint.operation === 'create' ? { 'idempotent-replayed': ref('headers', 'Replayed') } : {}),
      ...(endpoint.operation === 'list'
        ? {
            'changes-held-back': ref('headers', 'ChangesHeldBack'),
            'application-name': ref('headers', 'ApplicationName'),
          }
        : {}),
      ...(mayUpdate(endpoint) ? { 'create-outcome': ref('headers', 'CreateOutcome') } : {}),
    },
    content: media(successName(endpoint), successExamples(endpoint)),
    ...links(endpoint),
  },
  ...Object.fromEntries(
    errorsOf(endpoint).map((kind) => [errorKinds[kind].status, ref('responses', pascal(kind))]),
  ),
})

const IDEMPOTENT =
  'Idempotent: the same id with the same content returns the existing entity; with other content, the response is `409`.'

const operation = (endpoint: Endpoint): Json => {
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
