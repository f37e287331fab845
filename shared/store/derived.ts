import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { recordingInstant } from '../clock.ts'
import { config } from '../config.ts'
import type { Stored } from '../contract/field.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import { ApiError } from '../errors.ts'
import { readItems } from './batch.ts'
import { remainingMillis } from './budget.ts'
import { type Created, type Creation, createEntity, newItem, putNew, replayed } from './entities.ts'
import { entityOf, type Item, packContent } from './items.ts'
import { entityKey, listOf, orderAt, orderUnder } from './keys.ts'
import { send } from './send.ts'

/** An entity that follows from others: its id, and what it becomes by the creation. */
export interface Derivation<D extends Resource> {
  readonly resource: D
  readonly id: string
  /** The client's own id of it, where the creation begins it. */
  readonly externalId: string
  /** The entity under which it is listed. */
  readonly parent: Entity
  /**
   * Its content after the creation, or undefined where that changes nothing, which must then stay so whatever else
   * is created. Throws ApiError when the creation is not allowed.
   */
  readonly next: (current: Stored<D['fields']> | undefined) => Stored<D['fields']> | undefined
}

const itemOf = <D extends Resource>(
  app: string,
  { resource, id, externalId, parent }: Derivation<D>,
  content: Stored<D['fields']>,
  current: Entity<D> | undefined,
): Item => {
  const order = current?.order ?? orderAt(recordingInstant(), id)
  return {
    ...entityKey(app, id),
    list: listOf(app, resource.plural),
    order,
    under: orderUnder(parent.order, order),
    external_id: current?.externalId ?? externalId,
    ...packContent(resource, content),
    version: (current?.version ?? 0) + 1,
  }
}

/** A Put that only succeeds while the item is as it was read. */
const putAfter = (item: Item, current: Entity | undefined) => ({
  TableName: config().table,
  Item: item,
  ...(current
    ? {
        ConditionExpression: '#version = :version',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':version': current.version },
      }
    : { ConditionExpression: 'attribute_not_exists(pk)' }),
})

const busy = (cause: unknown) =>
  new ApiError('unavailable', 'Too many writes to one subscription at once; send the same request again.', {
    cause,
  })

/**
 * Records an entity together with what is derived from it, both or neither, once however often it is sent (I4).
 * `known` is the derived entity as it was read before; when another creation changed it in between, it is read and
 * derived anew. Throws what `createEntity` and `next` throw, and `unavailable` when the time is used up.
 */
export const createWithDerived = async <R extends Resource, D extends Resource>(
  creation: Creation<R>,
  derivation: Derivation<D>,
  known: Entity<D> | undefined,
): Promise<Created<R>> => {
  const { app, resource } = creation
  for (let current = known; ; ) {
    const content = derivation.next(current?.content)
    // Nothing to change, now or later: the entity alone is written, at a third of the price.
    if (!content) return createEntity(creation)
    const item = newItem(creation)
    try {
      const puts = [putNew(item), putAfter(itemOf(app, derivation, content, current), current)]
      await send(new TransactWriteCommand({ TransactItems: puts.map((Put) => ({ Put })) }))
      return { entity: entityOf(resource, item) }
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error
      const existing = error.CancellationReasons?.[0]?.Item
      if (existing) return replayed(creation, unmarshall(existing) as Item)
      if (remainingMillis() === 0) throw busy(error)
    }
    const now = (await readItems(app, [derivation.id])).get(derivation.id)
    current = now && entityOf(derivation.resource, now)
  }
}
