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
import { send, unavailable } from './send.ts'
import { type Changes, changeExpression } from './update-expression.ts'

/** A change of one entity by the id in a path; `ownId` is the id in the body, which must be the same entity's (R10). */
export interface Update {
  readonly app: string
  readonly resource: Resource
  readonly id: string
  readonly ownId?: string | number
  readonly changes: Changes
}

/**
 * Writes the changes and returns the item after them, or undefined where nothing has the id. Of an update of what has
 * been erased, the first try learns how often. Throws `unavailable` where an update may have been done before an
 * erasure and its answer was lost: to do it again could bring back what was erased.
 */
const applyTo = async ({ app, resource, changes }: Update, id: string): Promise<Item | undefined> => {
  const Key = entityKey(app, id)
  let doubtful = false
  const mayBeDone = () => {
    doubtful = true
  }
  for (let erasures: number | undefined; ; ) {
    try {
      const command = new UpdateCommand({
        TableName: config().table,
        Key,
        ...changeExpression(resource, changes, erasures),
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      })
      return (await send<UpdateCommandOutput>(command, mayBeDone)).Attributes as Item
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error
      if (!error.Item) return undefined
      if (doubtful) throw unavailable(error)
      erasures = (unmarshall(error.Item) as Item).erasures
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
        `id: ${JSON.stringify(String(ownId))} is not an id of ${resource.name} ${candidate}; ids never change`,
      )
    }
    const item = await applyTo(update, candidate)
    if (item) return entityOf(resource, item)
  }
  throw notFound(resource, id)
}
