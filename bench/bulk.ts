import { BatchWriteCommand, type BatchWriteCommandOutput } from '@aws-sdk/lib-dynamodb'
import { contentOf } from '../shared/contract/field.ts'
import { serverIdFor } from '../shared/ids.ts'
import { customer } from '../shared/resources/customer.ts'
import { itemOf } from '../shared/store/entities.ts'
import { send } from '../shared/store/send.ts'
import { customerBody } from './bodies.ts'
import type { Progress } from './interleave.ts'
import type { World } from './world.ts'

const BATCH = 25
const AT_ONCE = 8

/** Returns the item that the creation of a customer with this id stores. */
export const customerItem = ({ credentials, spread }: World, id: string) =>
  itemOf({
    app: credentials.app_id,
    spread,
    resource: customer,
    id: serverIdFor(credentials.app_id, customer.prefix, id),
    externalId: id,
    content: contentOf(customer.fields, customerBody(id), ''),
  })

const writeBatch = async (world: World, from: number, size: number): Promise<void> => {
  const { table } = world
  const puts = Array.from({ length: size }, (_, index) => ({
    PutRequest: { Item: customerItem(world, `customer-${from + index}`) },
  }))
  for (let left: unknown[] = puts; left.length > 0; ) {
    const input = { RequestItems: { [table]: left as typeof puts } }
    const { UnprocessedItems } = await send<BatchWriteCommandOutput>(new BatchWriteCommand(input))
    left = UnprocessedItems?.[table] ?? []
  }
}

/** Writes the items of `count` customers directly, numbered from 1 in creation order. */
export const bulkLoad = async (world: World, count: number, progress: Progress): Promise<void> => {
  world.use()
  for (let from = 1; from <= count; from += BATCH * AT_ONCE) {
    const starts = Array.from({ length: AT_ONCE }, (_, index) => from + index * BATCH).filter(
      (at) => at <= count,
    )
    await Promise.all(starts.map((at) => writeBatch(world, at, Math.min(BATCH, count - at + 1))))
    if ((from - 1) % 20_000 === 0) progress(`${from - 1} of ${count} customers loaded`)
  }
}
