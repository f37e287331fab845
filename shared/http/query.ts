import type { Endpoint } from '../contract/endpoint.ts'
import { eitherIdSchema, isValidId } from '../contract/identifiers.ts'
import { DEFAULT_LIMIT, MAX_LIMIT } from '../contract/query.ts'
import { type Checked, type Violation, valid } from '../contract/rules.ts'
import { type CursorScope, decodeCursor, type Position } from '../pagination/page.ts'
import { readFeed } from './change-feed.ts'
import { truncated } from './validation/quoted.ts'
import { suggestion } from './validation/suggest.ts'
import { wrongValue } from './validation/violations.ts'

/** What parameters must be, as their errors say it. */
const rules = {
  limit: `be an integer from 1 to ${MAX_LIMIT}`,
  cursor: 'be a next_cursor or previous_cursor that this list gave this application',
  filter: `be ${eitherIdSchema.expects}`,
} as const

const readLimit = (text: string | undefined): Checked<number> => {
  if (text === undefined) return valid(DEFAULT_LIMIT)
  const value = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 0
  if (value >= 1 && value <= MAX_LIMIT) return valid(value)
  return { value: DEFAULT_LIMIT, violations: [wrongValue('limit', rules.limit, text)] }
}

const readCursor = (text: string | undefined, scope: CursorScope): Checked<Position | undefined> => {
  const value = text === undefined ? undefined : decodeCursor(scope, text)
  if (value || text === undefined) return valid(value)
  return { value, violations: [wrongValue('cursor', rules.cursor, text)] }
}

const readInclude = (text: string | undefined, { include: includes }: Endpoint): Checked<string[]> => {
  if (!text) return valid([])
  const possibleNames = Object.keys(includes)
  const names = [...new Set(text.split(','))]
  const violations = names
    .filter((name) => !possibleNames.includes(name))
    .map((name) => wrongValue('include', `name only ${possibleNames.join(', ')}`, name))
  for (const name of names) {
    const list = includes[name]?.path?.within
    if (list === undefined || names.includes(list)) continue
    const problem = `must also name ${list}, since ${name} is embedded into it`
    violations.push({ path: 'include', problem })
  }
  return { value: names, violations }
}

/** It must not be empty or null: ignoring it would return the records of all customers. */
const readFilter = (field: string, text: string | undefined): Checked<string | undefined> => {
  if (text === undefined || (text !== 'null' && isValidId(text))) return valid(text)
  return { value: undefined, violations: [wrongValue(field, rules.filter, text)] }
}

const readOptions = (
  texts: ReadonlyMap<string, string>,
  { options }: Endpoint,
): Checked<Record<string, unknown>> => {
  const values: Record<string, unknown> = {}
  const violations: Violation[] = []
  for (const [path, { request }] of Object.entries(options)) {
    const text = texts.get(path)
    if (text === undefined) continue
    const allowedValues = request.enum ?? [true, false]
    const value = allowedValues.find((allowed) => String(allowed) === text)
    if (value === undefined) violations.push(wrongValue(path, `be ${request.expects}`, text))
    else values[path] = value
  }
  return { value: values, violations }
}

/** The parameters that count as absent if their value is empty or `null`. */
const canBeEmpty: ReadonlySet<string> = new Set(['limit', 'cursor', 'include'])

/** Empty names in an `include`, as after a last comma, are ignored. */
const nonEmptyValues = (name: string, values: string[]): string[] => {
  if (!canBeEmpty.has(name)) return values
  const nonEmpty = values.filter((value) => value !== '' && value !== 'null')
  if (name !== 'include') return nonEmpty
  const names = nonEmpty.flatMap((value) => value.split(','))
  return names.map((part) => part.trim()).filter((part) => part !== '')
}

/** Refuses unknown parameters, and several values of one parameter. */
const textsOf = (
  parameters: readonly [string, string[]][],
  endpoint: Endpoint,
): Checked<ReadonlyMap<string, string>> => {
  const violations: Violation[] = []
  const parameterNames = endpoint.parameters.map(({ name }) => name)
  const texts = new Map<string, string>()
  for (const [name, values] of parameters) {
    const nonEmpty = nonEmptyValues(name, values)
    // Several values of one parameter are refused below even if all of them are empty, except for `include`.
    const isEmpty = nonEmpty.length === 0 && canBeEmpty.has(name) && values.length < 2
    if (isEmpty) continue
    if (!parameterNames.includes(name)) {
      const advice = parameterNames.length > 0 ? suggestion(name, parameterNames) : '; there are none'
      violations.push({
        path: truncated(name) || 'query',
        problem: `is not a query parameter of this operation${advice}`,
      })
    } else if (name === 'include') texts.set(name, nonEmpty.join())
    else if (values.length > 1)
      violations.push({ path: name, problem: `must be given once (got ${values.length} values)` })
    else texts.set(name, nonEmpty[0]!)
  }
  return { value: texts, violations }
}

/** Reads a query, given as all values of each parameter. `scopeOf` gives the scope of a list with a filter. */
export const readQuery = (
  parameters: readonly [string, string[]][],
  endpoint: Endpoint,
  scopeOf: (filter: string | undefined) => CursorScope,
) => {
  const texts = textsOf(parameters, endpoint)
  const text = (name: string) => texts.value.get(name)
  const filter = endpoint.filter ? readFilter(endpoint.filter, text(endpoint.filter)) : valid(undefined)
  const scope = scopeOf(filter.value)
  const limit = readLimit(text('limit'))
  const cursor = readCursor(text('cursor'), scope)
  const include = readInclude(text('include'), endpoint)
  const feedQuery = {
    changedSince: text('changed_since'),
    filter: filter.value,
    position: cursor.value,
    include: text('include') === undefined ? undefined : include.value,
  }
  const hasFeed = feedQuery.changedSince !== undefined || cursor.value?.feed !== undefined
  const feed = hasFeed ? readFeed(feedQuery, endpoint) : valid(undefined)
  const options = readOptions(texts.value, endpoint)
  return {
    query: {
      page: { limit: limit.value, position: cursor.value, feed: feed.value },
      include: feed.value?.include ?? include.value,
      filter: filter.value,
      options: options.value,
    },
    scope,
    violations: [texts, filter, limit, cursor, include, feed, options].flatMap((read) => read.violations),
  }
}
