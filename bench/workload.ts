import { marshall } from '@aws-sdk/util-dynamodb'
import type { BareCommand } from './baseline.ts'
import { bundles } from './bundles.ts'
import { FRESH, type Work } from './worker.ts'
import { type Call, customerBody, type World } from './world.ts'

/** The requests that are measured. */
export const calls = {
  retrieve: { endpoint: 'customers.retrieve', id: 'customer-1' },
  create: { endpoint: 'customers.create', body: customerBody(FRESH) },
  list: { endpoint: 'customers.list', query: { limit: '100' } },
} satisfies Record<string, Call>

export type Name = keyof typeof calls

/** Records `count` customers: by default a full page and one more. */
export const recordCustomers = async ({ send }: World, count = 101): Promise<void> => {
  for (let number = 1; number <= count; number += 1)
    await send({ endpoint: 'customers.create', body: customerBody(`customer-${number}`) })
}

/** A request to our bundle, and the command that it sends to DynamoDB, for the baseline. */
export interface Pair {
  readonly ours: Work
  readonly bare: Extract<Work, { side: 'bare' }>
}

type Values = Readonly<Record<string, unknown>>

/** Our handler derives a new key and position for each item; the baseline's are replaced in the item. */
const freshItem = (item: Values): Values => ({
  ...item,
  pk: String(item.pk).slice(0, -FRESH.length) + FRESH,
  order: FRESH,
})

/** Returns the input of a command as the bare client takes it. */
const marshalled = ({
  ReturnConsumedCapacity: _,
  Item,
  Key,
  ExpressionAttributeValues,
  ...input
}: Values) => ({
  ...input,
  ...(Item ? { Item: marshall(freshItem(Item as Values), { removeUndefinedValues: true }) } : {}),
  ...(Key ? { Key: marshall(Key) } : {}),
  ...(ExpressionAttributeValues ? { ExpressionAttributeValues: marshall(ExpressionAttributeValues) } : {}),
})

/** Returns the pair of a request. */
export const pairOf = async (world: World, name: Name): Promise<Pair> => {
  const { baseline, fileOf } = await bundles()
  const call = calls[name]
  const { command, input } = (await world.observe(call)).at(-1)!
  return {
    ours: { side: 'ours', file: fileOf(call.endpoint), event: world.event(call) },
    bare: { side: 'bare', file: baseline, command: command as BareCommand, input: marshalled(input) },
  }
}
