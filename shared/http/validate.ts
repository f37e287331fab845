import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { schemaErrors } from '#validators'
import { resourceNamed } from '../catalogue.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { type Fields, withoutFillers } from '../contract/field.ts'
import { externalIdSchema, isIdText } from '../contract/identifiers.ts'
import type { Violation } from '../contract/rules.ts'
import { isRecord, type ObjectSchema, type Schema, type Values } from '../contract/schema.ts'
import { ApiError } from '../errors.ts'
import { candidateIds } from '../ids.ts'
import { textViolations } from './exact-json.ts'
import { readQuery } from './query.ts'
import { quoted } from './quoted.ts'
import { queryValues } from './request.ts'
import { type Body, requestState } from './state.ts'
import { firstOfEachPath, schemaViolations, violationDetail } from './violations.ts'

const MAX_KEYS = 200

/** Returns the part of a value within the limits of its schema, and the value's size; undefined if it exceeds none. */
const excessOf = ({ maxItems = Infinity, maxProperties = Infinity }: Schema, value: unknown) => {
  if (Array.isArray(value))
    return value.length > maxItems ? { kept: value.slice(0, maxItems), size: `${value.length}` } : undefined
  if (!isRecord(value)) return undefined
  const keys = Object.keys(value)
  if (keys.length <= maxProperties) return undefined
  const kept = Object.fromEntries(keys.slice(0, maxProperties).map((key) => [key, value[key]]))
  return { kept, size: `${keys.length} keys` }
}

/** Cuts lists and objects to their limits, so that the rest is not validated. Adds a violation for each to `violations`. */
const cutToLimits = (schema: ObjectSchema, body: Values, violations: Violation[]): Values => {
  const within: Record<string, unknown> = { ...body }
  for (const [name, property] of Object.entries(schema.properties)) {
    const cut = excessOf(property, body[name])
    if (!cut) continue
    within[name] = cut.kept
    violations.push({ path: name, problem: `must be ${property.expects} (got ${cut.size})` })
  }
  return within
}

/** Returns the violations of the rules of single fields that JSON Schema cannot express. */
const fieldViolations = (fields: Fields, body: Values): Violation[] => {
  const violations: Violation[] = []
  for (const [path, field] of Object.entries(fields)) {
    const problem = field.problem?.(body[path])
    if (problem !== undefined) violations.push({ path, problem })
  }
  return violations
}

/** Returns the violations of the rules of an endpoint's options, such as `erased`. */
const optionViolations = (endpoint: Endpoint, body: Values, options: Values): Violation[] => {
  const violations: Violation[] = []
  for (const [name, { rule }] of Object.entries(endpoint.options))
    if (rule && options[name]) violations.push(...rule(body, options))
  return violations
}

/** The result of checking a body: its violations, and the body with null instead of fillers, complete if there are no violations. */
interface CheckedBody {
  readonly violations: Violation[]
  readonly content?: Values
}

const checkBody = (endpoint: Endpoint, { text, value: body }: Body, options: Values): CheckedBody => {
  const schema = endpoint.body as ObjectSchema
  const { fields, rules = [] } = endpoint.resource
  if (!isRecord(body)) return { violations: schemaViolations(schema, body, schemaErrors(endpoint, body)) }
  const { length } = Object.keys(body)
  if (length > MAX_KEYS)
    return { violations: [{ path: 'body', problem: `must have at most ${MAX_KEYS} fields (got ${length})` }] }
  const violations = textViolations(text, schema)
  const asSent = cutToLimits(schema, body, violations)
  const content = withoutFillers(fields, asSent)
  violations.push(
    ...schemaViolations(schema, asSent, schemaErrors(endpoint, content)),
    ...fieldViolations(fields, content),
    ...rules.flatMap((rule) => rule(content)),
    ...optionViolations(endpoint, content, options),
  )
  return { violations: firstOfEachPath(violations), content }
}

const requireNone = (violations: readonly Violation[]): void => {
  if (violations.length > 0) throw new ApiError('invalid', violations.map(violationDetail))
}

/**
 * Returns the content of a body that is sent with these options: the body with null instead of fillers. Throws ApiError
 * `invalid` with all errors at once.
 */
export const validContent = (endpoint: Endpoint, body: Body, options: Values): Values => {
  const { violations, content } = checkBody(endpoint, body, options)
  requireNone(violations)
  return content!
}

/** Returns the id in the path; undefined if no entity can have it. */
const readId = (sent: string): string | undefined => {
  try {
    // The gateway passes path parameters on percent-encoded.
    const id = decodeURIComponent(sent)
    return isIdText(id) ? id : undefined
  } catch {
    return undefined
  }
}

/** Returns the id in the path of a request; empty if the path has none. Throws ApiError `entity_not_found`. */
const requireId = ({ path, resource }: Endpoint, event: APIGatewayProxyEvent): string => {
  if (!path.includes('{id}')) return ''
  const sent = event.pathParameters?.id ?? ''
  const id = readId(sent)
  if (id !== undefined) return id
  const rule = `1 to ${externalIdSchema.maxLength} characters without control characters, percent-encoded UTF-8`
  throw new ApiError(
    'entity_not_found',
    `No ${resource.name} matches the id ${quoted(sent)}; an id is ${rule}.`,
  )
}

/** Returns the part of a cursor's scope that names the filter: the same for either id, unless the client's has the form of a server id. */
const filterScope = (
  { resource, filter: field }: Endpoint,
  { app, filter }: { readonly app: string; readonly filter: string | undefined },
): string => {
  if (filter === undefined) return ''
  const { target } = resource.fields[field!]!.reference!
  return `?${field}=${candidateIds(app, resourceNamed(target).prefix, filter)[0]}`
}

/** The middleware that validates path, query and body. Throws ApiError `invalid` with all errors at once. */
export const validate = (endpoint: Endpoint): MiddlewareObj<APIGatewayProxyEvent> => ({
  before: (request) => {
    const state = requestState(request)
    const { event } = request
    const app = state.app!
    const violations: Violation[] = []
    const scopeOf = (filter: string | undefined) => ({
      app: app.id,
      list: endpoint.id + filterScope(endpoint, { app: app.id, filter }),
      secret: app.cursorSecret,
    })
    const { scope, ...query } = readQuery(queryValues(event), { endpoint, scopeOf, violations })
    const sent = state.body ? checkBody(endpoint, state.body, query.options) : { violations: [] }
    violations.push(...sent.violations)
    requireNone(violations)
    const id = requireId(endpoint, event)
    state.scope = scope
    state.call = { endpoint, app: app.id, spread: app.spread, id, body: sent.content as never, ...query }
  },
})
