import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { remainingMillis } from '../budget.ts'
import type { WithIncludes } from '../contract/call.ts'
import type { StoredValues } from '../contract/field.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import { ApiError } from '../errors.ts'
import { type Creation, createEntity, itemOf, putNew, resolveExisting } from './entities.ts'
import { entityOf, type Item } from './items.ts'
import { readItems } from './read.ts'
import { send } from './send.ts'
import { tableName } from './service.ts'

/** A derived entity and how a create changes it. */
interface Derivation<D extends Resource> {
  readonly resource: D
  readonly id: string
  /** The client's own id, used if the create starts the entity. */
  readonly externalId: string
  readonly parent: Entity
  /**
   * Returns the content after the create, or undefined if nothing changes. A create that changes nothing now must never
   * change anything later. Throws ApiError if the create is not allowed.
   */
  readonly next: (current: StoredValues<D['fields']> | undefined) => StoredValues<D['fields']> | undefined
}

/** A conditional Put that fails if the item has changed since it was read. */
const putVersion = (item: Item, current: Entity | undefined) => ({
  TableName: tableName(),
  Item: item,
  ...(current
    ? {
        ConditionExpression: '#version = :version',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':version': current.version },
      }
    : { ConditionExpression: 'attribute_not_exists(pk)' }),
})

/** Returns the 503 error for a create whose derived entity other creates changed each time, until the budget was spent. */
const tooManyWritesError = (cause: unknown) =>
  new ApiError('unavailable', 'Too many writes to one subscription at once; send the same request again.', {
    cause,
  })

/**
 * Records an entity and its derived entity in one transaction, idempotently. `before` is the derived entity as read
 * earlier; if a concurrent create has changed it, it is read and derived again. Throws the errors of `createEntity` and
 * `next`, and ApiError `unavailable` when the budget is spent.
 */
export const createWithDerived = async <R extends Resource, D extends Resource>(
  creation: Creation<R>,
  derivation: Derivation<D>,
  before: Entity<D> | undefined,
): Promise<WithIncludes<R>> => {
  const { app, spread, resource } = creation
  let current = before
  while (true) {
    const content = derivation.next(current?.content)
    // The derived entity stays as it is, so a plain write is enough, at a third of the cost of a transaction.
    if (!content) return createEntity(creation)
    const item = itemOf(creation)
    const derived = {
      ...itemOf({ app, spread, ...derivation, content }, current),
      version: (current?.version ?? 0) + 1,
    }
    try {
      const puts = [putNew(item), putVersion(derived, current)]
      await send(new TransactWriteCommand({ TransactItems: puts.map((Put) => ({ Put })) }))
      return { entity: entityOf(resource, item) }
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error
      const existing = error.CancellationReasons?.[0]?.Item
      if (existing) return resolveExisting(creation, item, unmarshall(existing) as Item)
      if (remainingMillis() === 0) throw tooManyWritesError(error)
    }
    const latest = (await readItems(app, [derivation.id])).get(derivation.id)
    current = latest && entityOf(derivation.resource, latest)
  }
}
