import { catalogue } from '../catalogue.ts'
import { createMayUpdate, type Endpoint, type Operation, withArticle } from '../contract/endpoint.ts'
import { externalIdSchema } from '../contract/identifiers.ts'
import type { QueryParameter } from '../contract/query.ts'
import type { Resource } from '../contract/resource.ts'
import { errorKinds } from '../errors.ts'
import {
  operationId,
  parameterComponentName,
  requestComponentName,
  successComponentName,
  tagName,
} from './components.ts'
import { componentRef, type JsonObject, jsonContent } from './document-parts.ts'
import { errorKindsOf } from './errors.ts'
import { exampleId, requestExamples, successExamples } from './examples.ts'
import { pascalCase } from './names.ts'
import { portablePattern } from './patterns.ts'

const { minLength, maxLength, pattern } = externalIdSchema
/** The schema of an id in a path or a query, which is always text. */
const idSchema = { type: 'string', minLength, maxLength, ...portablePattern(pattern) }

const queryParameter = ({ include, options }: Endpoint, parameter: QueryParameter): JsonObject => {
  const { name, kind, about } = parameter
  const start = { name, in: 'query', description: about?.description }
  if (kind === 'option') {
    const { type, enum: words } = options[name]!.request
    return { ...start, schema: { type, ...(words ? { enum: words } : {}) } }
  }
  if (kind === 'filter') return { ...start, schema: idSchema }
  if (kind === 'include') {
    // Inline, because components with names that several resources share would be declared twice in Go.
    const schema = { type: 'array', items: { type: 'string', enum: Object.keys(include) } }
    return { ...start, style: 'form', explode: false, schema }
  }
  return componentRef('parameters', parameterComponentName(parameter))
}

const idParameter = ({ resource }: Endpoint): JsonObject => ({
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id that the service assigned, or your own, percent-encoded.',
  schema: idSchema,
  example: String(exampleId(resource)),
})

/** The links from the id of a created entity to the operations that take it. */
const linksOf = ({ resource }: Endpoint): JsonObject => {
  const endpoints = catalogue.filter(
    (endpoint) => endpoint.resource === resource && endpoint.path.includes('{id}'),
  )
  const parameters = { id: `$response.body#/data/${resource.name}/id` }
  const ids = endpoints.map(operationId)
  return Object.fromEntries(ids.map((id) => [id, { operationId: id, parameters }]))
}

/** What every endpoint of an operation has. */
interface OperationFacts {
  summary(resource: Resource): string
  /** Added to the endpoint's description. */
  readonly paragraph?: string
  /** The components of the headers of its successful response. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the id in its response leads to the operations that take it. */
  readonly hasLinks?: true
}

const operationFacts: Readonly<Record<Operation, OperationFacts>> = {
  list: {
    summary: ({ plural }) => `List ${plural}, newest first`,
    headers: { 'changes-held-back': 'ChangesHeldBack', 'application-name': 'ApplicationName' },
  },
  create: {
    summary: (resource) => `Create ${withArticle(resource)}`,
    paragraph:
      'Idempotent: the same id with the same content returns the existing entity; with other content, the response is `409`.',
    headers: { 'idempotent-replayed': 'Replayed' },
    hasLinks: true,
  },
  retrieve: { summary: (resource) => `Retrieve ${withArticle(resource)}` },
  update: {
    summary: (resource) => `Update ${withArticle(resource)}, or anonymise it when no body is sent`,
  },
}

export const summaryOf = ({ operation, resource }: Endpoint): string =>
  operationFacts[operation].summary(resource)

const successHeaders = (endpoint: Endpoint): JsonObject => {
  const components: Record<string, string> = {
    'x-request-id': 'RequestId',
    ...operationFacts[endpoint.operation].headers,
    ...(createMayUpdate(endpoint) ? { 'create-outcome': 'CreateOutcome' } : {}),
  }
  return Object.fromEntries(
    Object.entries(components).map(([header, name]) => [header, componentRef('headers', name)]),
  )
}

const responsesOf = (endpoint: Endpoint): JsonObject => {
  const { operation, resource, returnsPage } = endpoint
  const errors = errorKindsOf(endpoint).map((kind) => [
    errorKinds[kind].status,
    componentRef('responses', pascalCase(kind)),
  ])
  return {
    200: {
      description: returnsPage ? 'A page of the list.' : `The ${resource.name}.`,
      headers: successHeaders(endpoint),
      content: jsonContent(successComponentName(endpoint), successExamples(endpoint)),
      ...(operationFacts[operation].hasLinks ? { links: linksOf(endpoint) } : {}),
    },
    ...Object.fromEntries(errors),
  }
}

const requestBodyOf = (endpoint: Endpoint): JsonObject => ({
  required: !endpoint.bodyMayBeAbsent,
  content: jsonContent(requestComponentName(endpoint), requestExamples(endpoint)),
})

const operationOf = (endpoint: Endpoint): JsonObject => {
  const { about, body, operation, resource } = endpoint
  const paragraphs = [about?.description, operationFacts[operation].paragraph]
  const parameters = endpoint.parameters.map((parameter) => queryParameter(endpoint, parameter))
  return {
    operationId: operationId(endpoint),
    tags: [tagName(resource)],
    summary: summaryOf(endpoint),
    description: paragraphs.filter(Boolean).join('\n\n'),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: requestBodyOf(endpoint) } : {}),
    responses: responsesOf(endpoint),
  }
}

const pathItem = (path: string, endpoints: readonly Endpoint[]): JsonObject => {
  const idParameters = path.includes('{id}') ? [idParameter(endpoints[0]!)] : []
  const operations = endpoints.map((endpoint) => [endpoint.method.toLowerCase(), operationOf(endpoint)])
  return {
    parameters: [...idParameters, componentRef('parameters', 'RequestId')],
    ...Object.fromEntries(operations),
  }
}

/** The path items of endpoints that belong to no resource, by path. */
const otherPaths: Readonly<Record<string, JsonObject>> = {}

export const openApiPaths = (): JsonObject => {
  const endpointsByPath = Map.groupBy(catalogue, ({ path }) => path)
  const items = [...endpointsByPath].map(([path, endpoints]) => [path, pathItem(path, endpoints)])
  return { ...Object.fromEntries(items), ...otherPaths }
}
