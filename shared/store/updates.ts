import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import {
  GetCommand,
  type GetCommandOutput,
  UpdateCommand,
  type UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { config } from '../config.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import { ApiError } from '../errors.ts'
import { candidateIds } from '../ids.ts'
import { notFound } from './entities.ts'
import { entityOf, type Item } from './items.ts'
import { entityKey } from './keys.ts'
import { pauseToRetry, send, unavailable } from './send.ts'
import { stampAfter, wasDone } from './stamps.ts'
import { type Changes, changeExpression } from './update-expression.ts'

/** A change of one entity by the id in a path; `ownId` is the id in the body, which must be the same entity's (R10). */
export interface Update {
  readonly app: string
  readonly resource: Resource
  readonly id: string
  readonly ownId?: string | number
  readonly changes: Changes
  /** A stamp that this write must come after. */
  readonly after?: string
}

/** Waits before attempt number `number` after refusals: two writers need no pause, a crowd does. */
const pauseInCrowd = async (number: number, cause: unknown): Promise<void> => {
  if (number > 1 && !(await pauseToRetry(number - 1))) throw unavailable(cause)
}

/**
 * Writes the changes once, and returns the item after them, or undefined where nothing has the id; see stamps.ts.
 * Where only a later attempt learns that an earlier one was carried out, the item may hold what was written since.
 * Throws `unavailable` where an earlier attempt may have been carried out before so many other writes that the item
 * has forgotten it: to do it again could undo them.
 */
const applyTo = async ({ app, resource, changes, after }: Update, id: string): Promise<Item | undefined> => {
  const input = {
    TableName: config().table,
    Key: entityKey(app, id),
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const
  let erased: string | undefined
  for (let newest = after, number = 1; ; number += 1) {
    const stamp = stampAfter(newest)
    let doubtful = false
    const mayBeDone = () => {
      doubtful = true
    }
    try {
      const command = new UpdateCommand({
        ...input,
        ...changeExpression(resource, changes, { stamp, erased }),
      })
      return (await send<UpdateCommandOutput>(command, mayBeDone)).Attributes as Item
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error
      if (!error.Item) return undefined
      const item = unmarshall(error.Item) as Item
      const done = wasDone(stamp, item)
      if (done) return item
      if (done === undefined && doubtful) throw unavailable(error)
      erased = item.erased
      newest = item.stamp ?? item.order
      await pauseInCrowd(number, error)
    }
  }
}

const exists = async (app: string, id: string): Promise<boolean> => {
  const key = {
    TableName: config().table,
    Key: entityKey(app, id),
    ConsistentRead: true,
    ProjectionExpression: 'pk',
  }
  return (await send<GetCommandOutput>(new GetCommand(key))).Item !== undefined
}

/**
 * Changes an entity in one write that touches only the fields it names, so that concurrent updates of different
 * fields all survive. Throws `entity_not_found`, or `conflict` when the body's id is another entity's (R10).
 */
export const updateEntity = async <R extends Resource>(
  update: Update & { readonly resource: R },
): Promise<Entity<R>> => {
  const { app, resource, id, ownId } = update
  for (const candidate of candidateIds(app, resource.prefix, id)) {
    if (ownId !== undefined && !candidateIds(app, resource.prefix, ownId).includes(candidate)) {
      if (!(await exists(app, candidate))) continue
      throw new ApiError(
        'conflict',
        `id must be that of ${resource.name} ${candidate} and never changes (got ${JSON.stringify(String(ownId))}).`,
      )
    }
    const item = await applyTo(update, candidate)
    if (item) return entityOf(resource, item)
  }
  throw notFound(resource, id)
}
