import { setTimeout as pause } from 'node:timers/promises'
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { budget, pauseAfterConflict } from '../budget.ts'
import type { Moment } from '../clock.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import type { Values } from '../contract/schema.ts'
import { ApiError } from '../errors.ts'
import { candidateIds } from '../ids.ts'
import { changedAt, laterOf } from './changes.ts'
import { notFoundError, readItem } from './entities.ts'
import { entityOf, type Item, packFields } from './items.ts'
import { orderAt, serverIdOf } from './keys.ts'
import { getItem } from './read.ts'
import { send, unavailableError } from './send.ts'
import { currentService, remainingMillis, tableName } from './service.ts'
import { stampAfter, stampsAfter, wasExecuted } from './stamps.ts'

interface Change {
  readonly resource: Resource
  /** New values of some fields. Null clears a field. */
  readonly content: Values
  /** Whether this is an erasure, which also removes the content of the create. */
  readonly erase?: boolean
  /** A stamp that this change's stamp must exceed, in addition to the item's stamp. */
  readonly after?: string
  /** Throws if the change must not be made to `latest`, the item after another write. */
  readonly requireApplicable?: (latest: Item) => void
}

/**
 * The item after a change at `instant`, in microseconds. All other attributes are kept, also attributes of
 * another version. The first update stores the content of the create, by which a retry of the create is
 * recognised.
 */
const itemAfter = (
  item: Item,
  { resource, content, erase = false, after = '' }: Change,
  instant: number,
): Item & { readonly stamp: string } => {
  const { first_data = item.data, first_extra = item.extra, ...kept } = item
  const stamp = stampAfter(laterOf(after, item.stamp ?? item.order), instant)
  const position = item.changed ?? item.order
  return {
    ...kept,
    ...(erase ? { erased: stamp } : { first_data, first_extra }),
    ...changedAt(orderAt(instant, serverIdOf(item)), position, packFields(resource, item, content)),
    ...stampsAfter(item, stamp),
    stamp,
  }
}

/**
 * A conditional Put that fails if the item has changed since it was read, and then returns the existing item.
 */
const putAfter = (read: Item, next: Item) => {
  const stamped = read.stamp !== undefined
  return new PutCommand({
    TableName: tableName(),
    Item: next,
    ConditionExpression: `#order = :order AND ${stamped ? 'stamp = :stamp' : 'attribute_not_exists(stamp)'}`,
    ExpressionAttributeNames: { '#order': 'order' },
    ExpressionAttributeValues: { ':order': read.order, ...(stamped ? { ':stamp': read.stamp } : {}) },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  })
}

/** The 429 error for a change that was refused each time, because other changes of the entity came first. */
export const tooManyUpdatesError = ({ name }: Resource, cause: unknown): ApiError =>
  new ApiError(
    'too_many_requests',
    `Too many updates of this ${name} at once; this one changed nothing. Send it again a little later.`,
    { cause },
  )

/**
 * Waits after `writes` refused writes of a change that began at `start`. The pauses are random and grow, so
 * that fewer writers meet each time. Returns false at once if the change has used up its writes or its time.
 */
const waitForTurn = async (writes: number, start: Moment): Promise<boolean> => {
  const delay = pauseAfterConflict(writes)
  const isOver =
    currentService().clock.elapsedSince(start) + delay > budget.update ||
    remainingMillis() < delay + budget.connect
  if (writes === budget.maxUpdateWrites || isOver) return false
  await pause(delay)
  return true
}

/**
 * Changes the item `read` exactly once (see stamps.ts). If another write came first, waits for its turn and
 * repeats the change on the item as it then is. Returns the item after the change, or undefined if it is
 * gone. If only a retry shows that an earlier attempt was executed, the item may include later writes. Throws
 * ApiError `too_many_requests` if other writes came first too often, and ApiError `unavailable` if an earlier
 * attempt may have been followed by so many writes that the item has forgotten its stamp: a retry could undo
 * them.
 */
export const updateItem = async (change: Change, read: Item): Promise<Item | undefined> => {
  const start = currentService().clock.moment()
  let item = read
  for (let writes = 1; ; writes += 1) {
    const next = itemAfter(item, change, currentService().clock.recordingInstant())
    let doubtful = false
    const onDoubt = () => {
      doubtful = true
    }
    try {
      await send(putAfter(item, next), onDoubt)
      return next
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error
      if (!error.Item) return undefined
      const latest = unmarshall(error.Item) as Item
      const executed = wasExecuted(next.stamp, latest)
      if (executed) return latest
      if (executed === undefined && doubtful) throw unavailableError(error)
      change.requireApplicable?.(latest)
      if (!(await waitForTurn(writes, start))) throw tooManyUpdatesError(change.resource, error)
    }
    // Read after the pause: the item that refused the write is out of date by now, and would be refused
    // again.
    const current = await getItem<Item>({ pk: item.pk, sk: item.sk })
    if (!current) return undefined
    change.requireApplicable?.(current)
    item = current
  }
}

/** A change of the entity with the id in a path. `bodyId`, the id in the body, must be the same entity's. */
interface Update<R extends Resource> extends Change {
  readonly app: string
  readonly resource: R
  readonly id: string
  readonly bodyId?: string | number
}

/** The 409 error for an update whose body has the id of another entity than the path. */
export const wrongBodyIdError = ({ name }: Resource, id: string, bodyId: string | number): ApiError =>
  new ApiError(
    'conflict',
    `id must be that of ${name} ${id} and never changes (got ${JSON.stringify(String(bodyId))}).`,
  )

/**
 * Changes only the named fields of an entity, so that concurrent updates of different fields all survive.
 * Throws ApiError `entity_not_found`, `too_many_requests`, `unavailable`, or `conflict` if the body's id is
 * another entity's.
 */
export const updateEntity = async <R extends Resource>(update: Update<R>): Promise<Entity<R>> => {
  const { app, resource, id, bodyId } = update
  const current = await readItem(app, resource, id)
  if (bodyId !== undefined && !candidateIds(app, resource.prefix, bodyId).includes(serverIdOf(current)))
    throw wrongBodyIdError(resource, serverIdOf(current), bodyId)
  const item = await updateItem(update, current)
  if (!item) throw notFoundError(resource, id)
  return entityOf(resource, item)
}
