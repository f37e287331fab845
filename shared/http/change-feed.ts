import { isDeepStrictEqual } from 'node:util'
import type { Endpoint } from '../contract/endpoint.ts'
import { parseSince, SINCE_EXPECTS } from '../contract/query.ts'
import { type Checked, type Violation, valid } from '../contract/rules.ts'
import type { ChangeFeed, Position } from '../pagination/page.ts'
import { settledUntil } from '../store/changes.ts'
import { currentService } from '../store/service.ts'
import { wrongValue } from './validation/violations.ts'

/** The parameters of a list that concern its change feed. */
interface FeedQuery {
  readonly changedSince: string | undefined
  readonly filter: string | undefined
  /** The position of the cursor. */
  readonly position: Position | undefined
  /** The names of the includes; undefined if the query does not have the parameter. */
  readonly include: readonly string[] | undefined
}

const SINCE = 'changed_since'

/** The second in `changed_since`; undefined without it. */
const readSince = (
  { changedSince, filter }: FeedQuery,
  { filter: filterField, resource }: Endpoint,
): Checked<number | undefined> => {
  if (changedSince === undefined) return valid(undefined)
  const violations: Violation[] = []
  const value = parseSince(changedSince)
  if (value === undefined) violations.push(wrongValue(SINCE, `be ${SINCE_EXPECTS}`, changedSince))
  if (filter !== undefined && resource.isMutable) {
    const reason = `${resource.plural} can change, and no index has the changes that belong to one ${filterField}`
    violations.push({
      path: SINCE,
      problem: `must not be combined with ${filterField} in this list: ${reason}`,
    })
  }
  return { value, violations }
}

/** A parameter differs from the first page of the cursor's list. */
const firstPageViolation = (path: string, first: string | number): Violation => ({
  path,
  problem: `must be absent with this cursor, or the same as for its first page: ${first}`,
})

/** `feed` is that of the cursor; undefined for a list by creation. */
const cursorViolations = (
  feed: ChangeFeed | undefined,
  since: number | undefined,
  include: readonly string[] | undefined,
): Violation[] => {
  const violations: Violation[] = []
  if (since !== undefined && since !== feed?.since)
    violations.push(firstPageViolation(SINCE, feed?.since ?? 'none'))
  if (feed && include && !isDeepStrictEqual(new Set(include), new Set(feed.include)))
    violations.push(firstPageViolation('include', feed.include.join() || 'none'))
  return violations
}

/**
 * The feed that a query starts, or that its cursor continues; undefined for a list by creation. With a cursor,
 * `changed_since` and `include` must be absent or the same as for the first page.
 */
export const readFeed = (query: FeedQuery, endpoint: Endpoint): Checked<ChangeFeed | undefined> => {
  const { position, include } = query
  const { value: since, violations } = readSince(query, endpoint)
  if (position) {
    const { feed } = position
    return { value: feed, violations: [...violations, ...cursorViolations(feed, since, include)] }
  }
  const feed =
    since === undefined ? undefined : { since, until: settledUntil(currentService()), include: include ?? [] }
  return { value: feed, violations }
}
