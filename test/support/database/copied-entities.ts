import { randomUUID } from 'node:crypto'
import { marshall } from '@aws-sdk/util-dynamodb'
import { resourceNamed } from '../../../shared/catalogue.ts'
import { parentField, parentOf } from '../../../shared/contract/identifiers.ts'
import type { Entity, Resource } from '../../../shared/contract/resource.ts'
import { serverIdFor } from '../../../shared/ids.ts'
import { itemOf, readEntity } from '../../../shared/store/entities.ts'
import { serverIdOf, unspread } from '../../../shared/store/keys.ts'
import { currentService, tableName } from '../../../shared/store/service.ts'
import { readApplication } from '../../../tools/applications/application-records.ts'
import { range } from '../range.ts'
import type { Client } from '../requests/service.ts'

/** The limit of BatchWriteItem. */
const BATCH_SIZE = 25

const parentEntity = (app: string, entity: Entity): Promise<Entity> => {
  const { resource, id } = parentOf(entity)
  return readEntity(app, resourceNamed(resource), id)
}

/** Without the SDK, which took most of the time of large copies to write their JSON. */
const writeBatch = async (batch: object): Promise<void> => {
  const response = await fetch(currentService().settings().endpoint as string, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-date': '20240101T000000Z',
      'x-amz-target': 'DynamoDB_20120810.BatchWriteItem',
      authorization:
        'AWS4-HMAC-SHA256 Credential=local/20240101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
    },
    body: JSON.stringify(batch),
  })
  expect({ status: response.status, body: await response.json() }).toEqual({
    status: 200,
    body: { UnprocessedItems: {} },
  })
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
      .map((Item) => ({ PutRequest: { Item: marshall(Item, { removeUndefinedValues: true }) } }))
    await writeBatch({ RequestItems: { [tableName()]: puts } })
  }
  return items.map(serverIdOf).reverse()
}
