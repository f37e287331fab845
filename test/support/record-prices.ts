import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
import { config } from '../../shared/config.ts'
import { contentOf } from '../../shared/contract/field.ts'
import { serverIdFor } from '../../shared/ids.ts'
import { price } from '../../shared/resources/price.ts'
import { product } from '../../shared/resources/product.ts'
import { unspread } from '../../shared/spread.ts'
import { dynamodb } from '../../shared/store/aws/client.ts'
import { itemOf, readEntity } from '../../shared/store/entities.ts'
import type { Item } from '../../shared/store/items.ts'
import { priceBody } from './bodies.ts'
import { inParallel, upTo } from './lists.ts'
import type { Client } from './service.ts'

/** The most items that one call of DynamoDB writes. */
const BATCH = 25

/** Writes `count` prices of a product, as creates do but 25 at a time. Returns their ids, newest first. */
export const recordPrices = async (
  { credentials: { app_id: app } }: Client,
  productId: string,
  count: number,
  fields: object = {},
): Promise<string[]> => {
  const parent = await readEntity(app, product, productId)
  const items = upTo(count).map((): Item => {
    const body = priceBody({ ...fields, product_id: productId })
    const id = serverIdFor(app, price.prefix, body.id)
    const content = contentOf(price.fields, body, id)
    return itemOf({ app, spread: unspread, resource: price, id, externalId: body.id, content, parent })
  })
  await inParallel(upTo(Math.ceil(count / BATCH)), async (batch) => {
    const puts = items.slice(batch * BATCH, (batch + 1) * BATCH).map((Item) => ({ PutRequest: { Item } }))
    await dynamodb().send(new BatchWriteCommand({ RequestItems: { [config().table]: puts } }))
  })
  const newestFirst = items.toSorted((a, b) => (a.order < b.order ? 1 : -1))
  return newestFirst.map(({ pk }) => pk.slice(pk.indexOf('#') + 1))
}
