import { marshall } from '@aws-sdk/util-dynamodb'
import type { BareCommand } from './baseline.ts'
import { buildBundles } from './bundles.ts'
import { type BenchCall, customerBody, type Fixture } from './fixture.ts'
import { type BenchWork, FRESH } from './worker.ts'

export const calls = {
  retrieve: { endpoint: 'customers.retrieve', id: 'customer-1' },
  create: { endpoint: 'customers.create', body: customerBody(FRESH) },
  list: { endpoint: 'customers.list', query: { limit: '100' } },
} satisfies Record<string, BenchCall>

export type CallName = keyof typeof calls

/** By default a full page and one more. */
export const recordCustomers = async ({ send }: Fixture, count = 101): Promise<void> => {
  for (let number = 1; number <= count; number += 1)
    await send({ endpoint: 'customers.create', body: customerBody(`customer-${number}`) })
}

/** A request to our bundle and, for the baseline, the command that it sends to DynamoDB. */
interface Pair {
  readonly ours: BenchWork
  readonly bare: Extract<BenchWork, { side: 'bare' }>
}

type CommandValues = Readonly<Record<string, unknown>>

/** Replaces the id in an item's key and order, which our handler derives anew for each item. */
const freshItem = (item: CommandValues): CommandValues => ({
  ...item,
  pk: String(item.pk).slice(0, -FRESH.length) + FRESH,
  order: FRESH,
})

const marshalled = ({
  ReturnConsumedCapacity: _,
  Item,
  Key,
  ExpressionAttributeValues,
  ...input
}: CommandValues) => ({
  ...input,
  ...(Item ? { Item: marshall(freshItem(Item as CommandValues), { removeUndefinedValues: true }) } : {}),
  ...(Key ? { Key: marshall(Key) } : {}),
  ...(ExpressionAttributeValues ? { ExpressionAttributeValues: marshall(ExpressionAttributeValues) } : {}),
})

export const pairOf = async (fixture: Fixture, name: CallName): Promise<Pair> => {
  const { baseline, fileOf } = await buildBundles()
  const call = calls[name]
  // The calls before the last one look up the API key.
  const { command, input } = (await fixture.observe(call)).at(-1)!
  return {
    ours: { side: 'ours', file: fileOf(call.endpoint), event: fixture.event(call) },
    bare: { side: 'bare', file: baseline, command: command as BareCommand, input: marshalled(input) },
  }
}
