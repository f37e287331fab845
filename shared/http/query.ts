import type { Endpoint } from '../contract/endpoint.ts'
import { eitherIdSchema, isValidId } from '../contract/identifiers.ts'
import { DEFAULT_LIMIT, MAX_LIMIT } from '../contract/query.ts'
import type { Violation } from '../contract/rules.ts'
import { type CursorScope, decodeCursor, type Position } from '../pagination/page.ts'
import { readFeed } from './change-feed.ts'
import { quoted, truncated } from './validation/quoted.ts'
import { suggestion } from './validation/suggest.ts'

/** Each function that reads a parameter adds its violations to `violations`. */
interface QueryContext {
  readonly endpoint: Endpoint
  /** The scope of the list's cursors, with or without a filter. */
  readonly scopeOf: (filter: string | undefined) => CursorScope
  readonly violations: Violation[]
}

const readLimit = (text: string | undefined, { violations }: QueryContext): number => {
  if (text === undefined) return DEFAULT_LIMIT
  const limit = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= MAX_LIMIT) return limit
  violations.push({
    path: 'limit',
    problem: `must be an integer from 1 to ${MAX_LIMIT} (got ${quoted(text)})`,
  })
  return DEFAULT_LIMIT
}

const readCursor = (
  text: string | undefined,
  scope: CursorScope,
  { violations }: QueryContext,
): Position | undefined => {
  if (text === undefined) return undefined
  const position = decodeCursor(scope, text)
  if (!position)
    violations.push({
      path: 'cursor',
      problem: `must be a next_cursor or previous_cursor that this list gave this application (got ${quoted(text)})`,
    })
  return position
}

const readInclude = (text: string | undefined, { endpoint, violations }: QueryContext): string[] => {
  if (!text) return []
  const possibleNames = Object.keys(endpoint.include)
  const names = [...new Set(text.split(','))]
  for (const name of names.filter((sent) => !possibleNames.includes(sent)))
    violations.push({
      path: 'include',
      problem: `must name only ${possibleNames.join(', ')} (got ${quoted(name)})`,
    })
  for (const name of names) {
    const list = endpoint.include[name]?.path?.within
    if (list !== undefined && !names.includes(list))
      violations.push({
        path: 'include',
        problem: `must also name ${list}, since ${name} is embedded into it`,
      })
  }
  return names
}

/** It must not be empty or null: ignoring it would return the records of all customers. */
const readFilter = (text: string | undefined, { endpoint, violations }: QueryContext): string | undefined => {
  if (text === undefined || (text !== 'null' && isValidId(text))) return text
  violations.push({
    path: endpoint.filter!,
    problem: `must be ${eitherIdSchema.expects} (got ${quoted(text)})`,
  })
  return undefined
}

const readOptions = (texts: ReadonlyMap<string, string>, { endpoint, violations }: QueryContext) => {
  const options: Record<string, unknown> = {}
  for (const [path, { request }] of Object.entries(endpoint.options)) {
    const text = texts.get(path)
    if (text === undefined) continue
    const allowedValues = request.enum ?? [true, false]
    const value = allowedValues.find((allowed) => String(allowed) === text)
    if (value === undefined)
      violations.push({ path, problem: `must be ${request.expects} (got ${quoted(text)})` })
    else options[path] = value
  }
  return options
}

/** The parameters that count as absent if their value is empty or `null`. */
const canBeEmpty: ReadonlySet<string> = new Set(['limit', 'cursor', 'include'])

/** Empty names in an `include`, as after a last comma, are ignored. */
const nonEmptyValues = (name: string, values: string[]): string[] => {
  if (!canBeEmpty.has(name)) return values
  const given = values.filter((value) => value !== '' && value !== 'null')
  if (name !== 'include') return given
  const names = given.flatMap((value) => value.split(','))
  return names.map((part) => part.trim()).filter((part) => part !== '')
}

/** Refuses unknown parameters, and several values of one parameter. */
const textsOf = (
  parameters: readonly [string, string[]][],
  { endpoint, violations }: QueryContext,
): ReadonlyMap<string, string> => {
  const parameterNames = endpoint.parameters.map(({ name }) => name)
  const texts = new Map<string, string>()
  for (const [name, values] of parameters) {
    const given = nonEmptyValues(name, values)
    // Several values of one parameter are refused below even if all of them are empty, except for `include`.
    const isEmpty = given.length === 0 && canBeEmpty.has(name) && values.length < 2
    if (isEmpty) continue
    if (!parameterNames.includes(name)) {
      const advice = parameterNames.length > 0 ? suggestion(name, parameterNames) : '; there are none'
      violations.push({
        path: truncated(name) || 'query',
        problem: `is not a query parameter of this operation${advice}`,
      })
    } else if (name === 'include') texts.set(name, given.join())
    else if (values.length > 1)
      violations.push({ path: name, problem: `must be given once (got ${values.length} values)` })
    else texts.set(name, given[0]!)
  }
  return texts
}

/** `parameters` has all values of each. Adds the violations to `context.violations`. */
export const readQuery = (parameters: readonly [string, string[]][], context: QueryContext) => {
  const { endpoint, violations } = context
  const texts = textsOf(parameters, context)
  const filter = readFilter(texts.get(endpoint.filter ?? ''), context)
  const scope = context.scopeOf(filter)
  const limit = readLimit(texts.get('limit'), context)
  const position = readCursor(texts.get('cursor'), scope, context)
  const include = readInclude(texts.get('include'), context)
  const changedSince = texts.get('changed_since')
  const feedQuery = { changedSince, filter, position, include: texts.has('include') ? include : undefined }
  const hasFeed = changedSince !== undefined || position?.feed !== undefined
  const feed = hasFeed ? readFeed(feedQuery, endpoint, violations) : undefined
  return {
    page: { limit, position, feed },
    include: feed?.include ?? include,
    filter,
    options: readOptions(texts, context),
    scope,
  }
}
