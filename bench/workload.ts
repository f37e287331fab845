import type { BareCommand } from './baseline.ts'
import { customerBody } from './bodies.ts'
import { bundles } from './bundles.ts'
import { FRESH, type Work } from './worker.ts'
import type { Call, World } from './world.ts'

/** The three requests that are measured. */
export const calls = {
  retrieve: { endpoint: 'customers.retrieve', id: 'customer-1' },
  create: { endpoint: 'customers.create', body: customerBody(FRESH) },
  list: { endpoint: 'customers.list', query: { limit: '100' } },
} satisfies Record<string, Call>

export type Name = keyof typeof calls

/** Records `count` customers: by default a full page and one more. */
export const recordCustomers = async ({ observe }: World, count = 101): Promise<void> => {
  for (let number = 1; number <= count; number += 1)
    await observe({ endpoint: 'customers.create', body: customerBody(`customer-${number}`) })
}

/** A request to our bundle, and the command that it sends to DynamoDB, for the baseline. */
export interface Pair {
  readonly ours: Work
  readonly bare: Extract<Work, { side: 'bare' }>
}

/** Returns the pair of a request. */
export const pairOf = async (world: World, name: Name): Promise<Pair> => {
  const { baseline, fileOf } = await bundles()
  const call = calls[name]
  const { sent } = await world.observe(call)
  const { command, input } = sent.at(-1)!
  const replaceable = { ...input, ...(command === 'PutItemCommand' ? { Item: freshItem(input.Item) } : {}) }
  return {
    ours: { side: 'ours', file: fileOf(call.endpoint), event: world.event(call) },
    bare: { side: 'bare', file: baseline, command: command as BareCommand, input: replaceable },
  }
}

// Our handler derives a new key and position for each item; the baseline's are replaced in the item.
const freshItem = (item: unknown) => {
  const { pk, ...rest } = item as Record<string, { readonly S: string }>
  return { ...rest, pk: { S: pk!.S.slice(0, -FRESH.length) + FRESH }, order: { S: FRESH } }
}
