import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import type { Spread, WithIncludes } from '../contract/call.ts'
import { erasurePlaceholders, type StoredValues } from '../contract/field.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import { ApiError } from '../errors.ts'
import { candidateIds } from '../ids.ts'
import { changedAt } from './changes.ts'
import { contentAtCreation, differences, entityOf, type Item, packedContent } from './items.ts'
import { entityKey, listPartition, orderAt, orderUnder, shardFor } from './keys.ts'
import { getItem, readItems } from './read.ts'
import { send } from './send.ts'
import { currentService, remainingMillis, tableName } from './service.ts'

/** The input of a create: the ids of the server and of the client, and the content in its stored form. */
export interface Creation<R extends Resource> {
  readonly app: string
  readonly spread: Spread
  readonly resource: R
  readonly id: string
  readonly externalId: string
  readonly content: StoredValues<R['fields']>
  readonly parent?: Entity | undefined
  /** Whether the entity is erased from the start, with placeholders in its content. */
  readonly erased?: boolean
}

/**
 * The order of a new entity. Random characters distinguish it from one that another process makes at the same
 * instant, so an equal order is our own. If a test double sets the clock, every run makes the same orders.
 */
const newOrder = (id: string): string =>
  orderAt(currentService().clock.recordingInstant(), currentService().orderSuffix(id))

/** The item of a new entity, or of `existing` with new content. */
export const itemOf = <R extends Resource>(
  { app, spread, resource, id, externalId, content, parent, erased }: Creation<R>,
  existing?: Entity,
): Item => {
  const latest = newOrder(id)
  const order = existing?.order ?? latest
  const packed = packedContent(resource, content)
  return {
    ...entityKey(app, id),
    list: existing?.list ?? listPartition(app, resource.plural, shardFor(id, spread)),
    order,
    external_id: existing?.externalId ?? externalId,
    ...(parent ? { under: orderUnder(parent.order, order) } : {}),
    ...(erased ? { erased: order } : {}),
    ...(existing ? changedAt(latest, existing.changed ?? existing.order, packed) : packed),
  }
}

/** A conditional Put that fails if the item exists, and then returns the existing item. */
const putNew = (item: Item) =>
  ({
    TableName: tableName(),
    Item: item,
    ConditionExpression: 'attribute_not_exists(pk)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  }) as const

/** The rule for the id of a create that does not update. */
export const UNUSED_OR_SAME = 'unused, or sent with the values of its create'

/** The reason for a 409 for an entity that was created with other values of these fields. */
export const otherValuesOf = (fields: readonly string[]): string =>
  `created with other values of: ${fields.join(', ')}`

/** The reason for a 409 for an erased entity. The API calls it anonymised. */
export const ERASED = 'which has been anonymised'
export const NOT_ERASED = 'which is not anonymised'

/** The 409 error for a create with the id of an existing entity. */
export const idConflictError = (
  { resource, externalId }: Pick<Creation<Resource>, 'resource' | 'externalId'>,
  { id }: Pick<Entity, 'id'>,
  rule: string,
  reason: string,
): ApiError =>
  new ApiError(
    'conflict',
    `id must be ${rule}: ${JSON.stringify(externalId)} is already the id of ${resource.name} ${id}, ${reason}.`,
  )

/** Whether an entity is erased and has no personal data of a later update. */
export const isAnonymised = ({ resource, content }: Entity, { erased }: Item): boolean =>
  erased !== undefined &&
  Object.entries(erasurePlaceholders(resource.fields)).every(([name, value]) => content[name] === value)

/** Throws ApiError `conflict` if the existing entity is erased and the new one is not. */
export const refuseErased = <R extends Resource>(creation: Creation<R>, existing: Item): void => {
  if (existing.erased === undefined || creation.erased) return
  throw idConflictError(creation, entityOf(creation.resource, existing), 'unused', ERASED)
}

/**
 * The existing entity for a create that could not record `item`: the entity of an earlier attempt, or of an
 * earlier request with the same content. Otherwise throws ApiError `conflict`, which names the differing
 * fields.
 */
export const resolveExisting = <R extends Resource>(
  creation: Creation<R>,
  item: Item,
  existing: Item,
): WithIncludes<R> => {
  const { resource, content } = creation
  const entity = entityOf(resource, existing)
  if (existing.order === item.order) return { entity }
  refuseErased(creation, existing)
  const fields = differences(resource, content, contentAtCreation(existing))
  if (fields.length === 0) return { entity, replayed: true }
  throw idConflictError(creation, entity, UNUSED_OR_SAME, otherValuesOf(fields))
}

/** Returns undefined or, if an item with its key exists, that item, and records nothing. */
export const putOrFind = async (item: Item): Promise<Item | undefined> => {
  try {
    await send(new PutCommand(putNew(item)))
    return undefined
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException) || !error.Item) throw error
    return unmarshall(error.Item) as Item
  }
}

/**
 * Records an entity idempotently, even under concurrency. Returns the entity, or the existing one for the
 * same content. Throws ApiError `conflict` for other content under the same id.
 */
export const createEntity = async <R extends Resource>(creation: Creation<R>): Promise<WithIncludes<R>> => {
  const item = itemOf(creation)
  const existing = await putOrFind(item)
  return existing ? resolveExisting(creation, item, existing) : { entity: entityOf(creation.resource, item) }
}

/** The 404 error for an unknown id in a path. */
export const notFoundError = (resource: Resource, id: string) =>
  new ApiError('entity_not_found', `No ${resource.name} matches the id ${JSON.stringify(id)}.`)

/** The item with the server's or the client's id, read strongly consistently; undefined if there is none. */
export const findItem = async (app: string, resource: Resource, id: string): Promise<Item | undefined> => {
  for (const candidate of candidateIds(app, resource.prefix, id)) {
    const item = await getItem<Item>(entityKey(app, candidate))
    if (item) return item
  }
  return undefined
}

/** Throws ApiError `entity_not_found`. */
export const readItem = async (app: string, resource: Resource, id: string): Promise<Item> => {
  const item = await findItem(app, resource, id)
  if (!item) throw notFoundError(resource, id)
  return item
}

/** Finds the entity by the server's or the client's id. Throws ApiError `entity_not_found`. */
export const readEntity = async <R extends Resource>(
  app: string,
  resource: R,
  id: string,
): Promise<Entity<R>> => entityOf(resource, await readItem(app, resource, id))

/** A derived entity and how a create changes it. */
interface Derivation<D extends Resource> {
  readonly resource: D
  readonly id: string
  /** The client's own id, used if the create starts the entity. */
  readonly externalId: string
  readonly parent: Entity
  /**
   * The content after the create, or undefined if nothing changes. A create that changes nothing now must
   * never change anything later. Throws ApiError if the create is not allowed.
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

/** Other creates changed the derived entity each time, until the budget was spent. */
const tooManyWritesError = (cause: unknown) =>
  new ApiError('unavailable', 'Too many writes to one subscription at once; send the same request again.', {
    cause,
  })

/**
 * Records an entity and its derived entity in one transaction, idempotently. `before` is the derived entity
 * as read earlier; if a concurrent create has changed it, it is read and derived again. Throws the errors of
 * `createEntity` and `next`, and ApiError `unavailable` when the budget is spent.
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
