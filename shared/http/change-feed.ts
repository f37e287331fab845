import { isDeepStrictEqual } from 'node:util'
import type { Endpoint } from '../contract/endpoint.ts'
import { parseSince, SINCE_EXPECTS } from '../contract/query.ts'
import type { Violation } from '../contract/rules.ts'
import type { ChangeFeed, Position } from '../pagination/cursor.ts'
import { settledUntil } from '../store/changes.ts'
import { quoted } from './quoted.ts'

interface FeedQuery {
  readonly changedSince: string | undefined
  readonly filter: string | undefined
  readonly position: Position | undefined
  /** The names of the includes; undefined if the query has none. */
  readonly include: readonly string[] | undefined
}

/** Returns the second that a feed starts with; undefined without `changed_since`. */
const readStart = (
  { changedSince: text, filter }: FeedQuery,
  { filter: field, resource }: Endpoint,
  violations: Violation[],
): number | undefined => {
  if (text === undefined) return undefined
  const since = parseSince(text)
  const path = 'changed_since'
  if (since === undefined)
    violations.push({ path, problem: `must be ${SINCE_EXPECTS} (got ${quoted(text)})` })
  if (filter !== undefined && resource.isMutable) {
    const why = `${resource.plural} can change, and no index has the changes that belong to one ${field}`
    violations.push({ path, problem: `must not be combined with ${field} in this list: ${why}` })
  }
  return since
}

/**
 * Returns the feed that a query starts, or that its cursor continues. With a cursor, `changed_since` and `include` must be
 * absent or the same as for the first page. Adds the violations to `violations`.
 */
export const readFeed = (
  query: FeedQuery,
  endpoint: Endpoint,
  violations: Violation[],
): ChangeFeed | undefined => {
  const { position, include } = query
  const since = readStart(query, endpoint, violations)
  if (!position)
    return since === undefined ? undefined : { since, until: settledUntil(), include: include ?? [] }
  const { feed } = position
  const refuse = (path: string, first: unknown) =>
    violations.push({
      path,
      problem: `must be absent with this cursor, or the same as for its first page: ${first}`,
    })
  if (since !== undefined && since !== feed?.since) refuse('changed_since', feed?.since ?? 'none')
  if (feed && include && !isDeepStrictEqual(new Set(include), new Set(feed.include)))
    refuse('include', feed.include.join() || 'none')
  return feed
}
