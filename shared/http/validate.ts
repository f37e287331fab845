import type { APIGatewayProxyEvent } from 'aws-lambda'
import { schemaErrors } from '#validators'
import { resourceNamed } from '../catalogue.ts'
import type { Call } from '../contract/call.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { type Fields, nullForFillers } from '../contract/field.ts'
import { externalIdSchema, isValidId } from '../contract/identifiers.ts'
import { type Checked, type Violation, valid } from '../contract/rules.ts'
import { isRecord, type ObjectSchema, type Schema, type Values } from '../contract/schema.ts'
import { ApiError } from '../errors.ts'
import { candidateIds } from '../ids.ts'
import type { CursorScope } from '../pagination/page.ts'
import type { Application } from '../store/service.ts'
import type { Body } from './body.ts'
import { readQuery } from './query.ts'
import { queryValues } from './request.ts'
import { textViolations } from './validation/exact-json.ts'
import { quoted } from './validation/quoted.ts'
import { firstOfEachPath, schemaViolations, violationDetail } from './validation/violations.ts'

const MAX_KEYS = 200

/** The part within the limits, and the size of the whole; undefined if it does not exceed them. */
const partWithinLimits = ({ maxItems = Infinity, maxProperties = Infinity }: Schema, value: unknown) => {
  if (Array.isArray(value))
    return value.length > maxItems ? { part: value.slice(0, maxItems), size: `${value.length}` } : undefined
  if (!isRecord(value)) return undefined
  const keys = Object.keys(value)
  if (keys.length <= maxProperties) return undefined
  const part = Object.fromEntries(keys.slice(0, maxProperties).map((key) => [key, value[key]]))
  return { part, size: `${keys.length} keys` }
}

/** A body whose lists and objects are truncated to their limits, so that the rest is not validated. */
const truncateToLimits = (schema: ObjectSchema, body: Values): Checked<Values> => {
  const truncated: Record<string, unknown> = { ...body }
  const violations: Violation[] = []
  for (const [name, property] of Object.entries(schema.properties)) {
    const withinLimits = partWithinLimits(property, body[name])
    if (!withinLimits) continue
    const { part, size } = withinLimits
    truncated[name] = part
    violations.push({ path: name, problem: `must be ${property.expects} (got ${size})` })
  }
  return { value: truncated, violations }
}

/** The violations of the rules of single fields that JSON Schema cannot express. */
const fieldViolations = (fields: Fields, body: Values): Violation[] => {
  const violations: Violation[] = []
  for (const [path, field] of Object.entries(fields)) {
    const problem = field.problem?.(body[path], field.required)
    if (problem !== undefined) violations.push({ path, problem })
  }
  return violations
}

/** The violations of the rules of the options that a request has, such as `erased`. */
const optionViolations = (endpoint: Endpoint, body: Values, options: Values): Violation[] => {
  const violations: Violation[] = []
  for (const [name, { rule }] of Object.entries(endpoint.options))
    if (rule && options[name]) violations.push(...rule(body, options))
  return violations
}

/** A body with null instead of fillers; undefined or incomplete if there are violations. */
type CheckedContent = Checked<Values | undefined>

/** Validates a body that is sent with these options. */
const checkBody = (endpoint: Endpoint, { text, value: body }: Body, options: Values): CheckedContent => {
  const schema = endpoint.body!
  const { fields, rules = [] } = endpoint.resource
  if (!isRecord(body))
    return { value: undefined, violations: schemaViolations(schema, body, schemaErrors(endpoint, body)) }
  const { length } = Object.keys(body)
  if (length > MAX_KEYS) {
    const problem = `must have at most ${MAX_KEYS} fields (got ${length})`
    return { value: undefined, violations: [{ path: 'body', problem }] }
  }
  const truncated = truncateToLimits(schema, body)
  const content = nullForFillers(fields, truncated.value)
  const violations = [
    ...textViolations(text, schema),
    ...truncated.violations,
    // Errors show the values that were sent, not the nulls in place of fillers.
    ...schemaViolations(schema, truncated.value, schemaErrors(endpoint, content)),
    ...fieldViolations(fields, content),
    ...rules.flatMap((rule) => rule(content)),
    ...optionViolations(endpoint, content, options),
  ]
  return { value: content, violations: firstOfEachPath(violations) }
}

const throwViolations = (violations: readonly Violation[]): void => {
  if (violations.length > 0) throw new ApiError('invalid', violations.map(violationDetail))
}

/** The body with null instead of fillers. Throws ApiError `invalid` with all violations. */
export const validContent = (endpoint: Endpoint, body: Body, options: Values): Values => {
  const { value, violations } = checkBody(endpoint, body, options)
  throwViolations(violations)
  return value!
}

/** A percent-encoded id, decoded; undefined if no entity can have it. */
const decodedId = (encoded: string): string | undefined => {
  try {
    const id = decodeURIComponent(encoded)
    return isValidId(id) ? id : undefined
  } catch {
    return undefined
  }
}

/** The id is empty if the path has none. Throws ApiError `entity_not_found` if no entity can have it. */
const requireId = ({ returnsPage, path, resource }: Endpoint, event: APIGatewayProxyEvent): string => {
  // The gateway ignores a slash at the end of a path, so that the retrieve of an empty id would return the
  // list.
  if (returnsPage && event.path?.endsWith('/'))
    throw new ApiError('entity_not_found', `The id after ${path}/ is empty; the list is at ${path}.`)
  if (!path.includes('{id}')) return ''
  // The gateway passes path parameters on percent-encoded.
  const encoded = event.pathParameters?.id ?? ''
  const id = decodedId(encoded)
  if (id !== undefined) return id
  const rule = `1 to ${externalIdSchema.maxLength} characters without control characters, percent-encoded UTF-8`
  throw new ApiError(
    'entity_not_found',
    `No ${resource.name} matches the id ${quoted(encoded)}; an id is ${rule}.`,
  )
}

/**
 * The name of an application's list in the scope of its cursors. It is the same whichever id of an entity
 * filters the list, unless a client id has the form of a server id.
 */
const listName = (
  { id, resource, filter: field }: Endpoint,
  app: string,
  filter: string | undefined,
): string => {
  if (filter === undefined) return id
  const { target } = resource.fields[field!]!.reference!
  const [entityId] = candidateIds(app, resourceNamed(target).prefix, filter)
  return `${id}?${field}=${entityId}`
}

/** A request of an authenticated application with its parsed body. */
interface ParsedRequest {
  readonly event: APIGatewayProxyEvent
  readonly app: Application
  readonly body: Body | undefined
}

/** A valid call, and the scope of its list's cursors. */
export interface ValidCall<E extends Endpoint = Endpoint> {
  readonly call: Call<E>
  readonly scope: CursorScope
}

/** Validates path, query and body. Throws ApiError `invalid` with all violations, or `entity_not_found`. */
export const validate = <E extends Endpoint>(
  endpoint: E,
  { event, app, body }: ParsedRequest,
): ValidCall<E> => {
  const scopeOf = (filter: string | undefined) => ({
    app: app.id,
    list: listName(endpoint, app.id, filter),
    secret: app.cursorSecret,
  })
  const { query, scope, violations } = readQuery(queryValues(event), endpoint, scopeOf)
  const checked = body ? checkBody(endpoint, body, query.options) : valid(undefined)
  throwViolations([...violations, ...checked.violations])
  const id = requireId(endpoint, event)
  const content = checked.value as Call<E>['body']
  const options = query.options as Call<E>['options']
  return { call: { endpoint, app: app.id, spread: app.spread, id, ...query, options, body: content }, scope }
}
