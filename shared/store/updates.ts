import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { UpdateCommand, type UpdateCommandOutput } from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { recordingInstant } from '../clock.ts'
import { config } from '../config.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import { ApiError } from '../errors.ts'
import { candidateIds } from '../ids.ts'
import { laterOf } from './changes.ts'
import { notFound } from './entities.ts'
import { getItem } from './get-item.ts'
import { entityOf, type Item } from './items.ts'
import { entityKey, orderAt } from './keys.ts'
import { pauseToRetry, send, unavailable } from './send.ts'
import { stampAfter, wasDone } from './stamps.ts'
import { type Changes, changeExpression } from './update-expression.ts'

/** A change of an item. */
interface Write {
  readonly app: string
  readonly resource: Resource
  readonly changes: Changes
  /** The stamp that this write's stamp must exceed. */
  readonly after?: string
  /** Throws if the write must not be repeated on the changed item `latest`. */
  readonly requireApplicable?: (latest: Item) => void
}

/** A change of the entity with the id in a path. `ownId`, the id in the body, must be the same entity's. */
export interface Update extends Write {
  readonly id: string
  readonly ownId?: string | number
}

/** Waits before attempt number `number` after refusals. Two concurrent writers need no pause, many do. */
const pauseInCrowd = async (number: number, cause: unknown): Promise<void> => {
  if (number > 1 && !(await pauseToRetry(number - 1))) throw unavailable(cause)
}

/**
 * Writes the changes exactly once (see stamps.ts). Returns the item after them, or undefined if none has the id. If only
 * a retry shows that an earlier attempt was carried out, the item may include later writes. Throws ApiError `unavailable`
 * if an earlier attempt may have been followed by so many writes that the item has forgotten it: a retry could undo them.
 */
export const updateItem = async (
  { app, resource, changes, after, requireApplicable }: Write,
  id: string,
): Promise<Item | undefined> => {
  const input = {
    TableName: config().table,
    Key: entityKey(app, id),
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const
  let erased: string | undefined
  let changedBefore = ''
  for (let newest = after, number = 1; ; number += 1) {
    const instant = recordingInstant()
    const stamp = stampAfter(newest, instant)
    const changed = laterOf(changedBefore, orderAt(instant, id))
    let doubtful = false
    const mayBeDone = () => {
      doubtful = true
    }
    try {
      const command = new UpdateCommand({
        ...input,
        ...changeExpression(resource, changes, { stamp, changed, erased }),
      })
      return (await send<UpdateCommandOutput>(command, mayBeDone)).Attributes as Item
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error
      if (!error.Item) return undefined
      const item = unmarshall(error.Item) as Item
      const done = wasDone(stamp, item)
      if (done) return item
      if (done === undefined && doubtful) throw unavailable(error)
      requireApplicable?.(item)
      erased = item.erased
      newest = laterOf(newest ?? '', item.stamp ?? item.order)
      changedBefore = item.changed ?? item.order
      await pauseInCrowd(number, error)
    }
  }
}

/**
 * Changes an entity in one write of only the named fields, so that concurrent updates of different fields all survive.
 * Throws ApiError `entity_not_found`, or `conflict` if the body's id is another entity's.
 */
export const updateEntity = async <R extends Resource>(
  update: Update & { readonly resource: R },
): Promise<Entity<R>> => {
  const { app, resource, id, ownId } = update
  for (const candidate of candidateIds(app, resource.prefix, id)) {
    if (ownId !== undefined && !candidateIds(app, resource.prefix, ownId).includes(candidate)) {
      if (!(await getItem(entityKey(app, candidate)))) continue
      throw new ApiError(
        'conflict',
        `id must be that of ${resource.name} ${candidate} and never changes (got ${JSON.stringify(String(ownId))}).`,
      )
    }
    const item = await updateItem(update, candidate)
    if (item) return entityOf(resource, item)
  }
  throw notFound(resource, id)
}
