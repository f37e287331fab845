import { randomUUID } from 'node:crypto'
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
import { resourceNamed } from '../../../shared/catalogue.ts'
import { parentField, parentOf } from '../../../shared/contract/identifiers.ts'
import type { Entity, Resource } from '../../../shared/contract/resource.ts'
import { serverIdFor } from '../../../shared/ids.ts'
import { itemOf, readEntity } from '../../../shared/store/entities.ts'
import { serverIdOf, unspread } from '../../../shared/store/keys.ts'
import { dynamodb, tableName } from '../../../shared/store/service.ts'
import { readApplication } from '../../../tools/applications/application-records.ts'
import { range } from '../range.ts'
import type { Client } from '../requests/service.ts'

/** The limit of BatchWriteItem. */
const BATCH_SIZE = 25

const parentEntity = (app: string, entity: Entity): Promise<Entity> => {
  const { resource, id } = parentOf(entity)
  return readEntity(app, resourceNamed(resource), id)
}

/**
 * Records entities with the content of existing ones and ids of their own, in the order of `originals`, without
 * a request for each. Returns their ids, newest first.
 */
export const recordCopies = async (
  { credentials: { app_id: app } }: Client,
  resource: Resource,
  originals: readonly string[],
): Promise<string[]> => {
  const { spread = unspread } = (await readApplication(app)).data
  const creations = new Map(
    await Promise.all(
      [...new Set(originals)].map(async (original) => {
        const entity = await readEntity(app, resource, original)
        const hasParent = parentField(resource.fields) !== undefined
        const parent = hasParent ? await parentEntity(app, entity) : undefined
        return [original, { app, spread, resource, content: entity.content, parent }] as const
      }),
    ),
  )
  const items = originals.map((original) => {
    const externalId = randomUUID()
    return itemOf({
      ...creations.get(original)!,
      id: serverIdFor(app, resource.prefix, externalId),
      externalId,
    })
  })
  for (const batch of range(Math.ceil(items.length / BATCH_SIZE))) {
    const puts = items
      .slice(batch * BATCH_SIZE, (batch + 1) * BATCH_SIZE)
      .map((Item) => ({ PutRequest: { Item } }))
    await dynamodb().send(new BatchWriteCommand({ RequestItems: { [tableName()]: puts } }))
  }
  return items.map(serverIdOf).reverse()
}
