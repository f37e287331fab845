import { assumed, prices, tracedShare } from '../../bench/prices.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { type DatabaseCall, metered } from '../support/meter.ts'

/** Sends a request and returns what is in its answer's `data`; throws unless it is a 200. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<Record<string, never>>

/** What one call of an operation takes. */
export interface Usage {
  readonly operation: string
  readonly readUnits: number
  readonly writeUnits: number
  readonly databaseCalls: number
}

const ENTITIES = 25
const LINES = 3

const day = (number: number): string => new Date(Date.UTC(2024, 0, number)).toISOString().slice(0, 10)

/** Bodies of the size that a business sends: a name, an address, a few metadata, invoices of three lines. */
const bodies: Record<string, (id: string, number: number) => Record<string, unknown>> = {
  product: (id) => ({ id, name: 'Professional plan' }),
  price: (id) => ({
    ...{ id, product_id: 'cost-1', title: 'Monthly', currency: 'EUR', price: 4_900 },
    ...{ type: 'recurring', interval: 'month', interval_count: 1 },
  }),
  customer: (id) => ({
    ...{ id, name: 'Alexandra Example', email: `${id}@example.org`, phone: '+49 30 1234567' },
    metadata: { segment: 'business', account: 12_345 },
  }),
  discount: (id) => ({ id, name: 'Spring', duration: 'once', percent_off: 10, currency: 'EUR' }),
  invoice: (id, number) => ({
    ...{ id, total: 4_900, currency: 'EUR', customer_id: 'cost-1', subscription_id: `sub-${number % 5}` },
    ...{ created: day(number), period_start: day(number), period_end: day(number + 30) },
    line_items: Array.from({ length: LINES }, () => ({
      ...{ amount: 1_633, currency: 'EUR', quantity: 1, tax_amount: 0, discount_amount: 0 },
      ...{ type: 'recurring', interval: 'month', interval_count: 1 },
      ...{ period_start: day(number), period_end: day(number + 30) },
    })),
  }),
}

const order = ['product', 'price', 'customer', 'discount', 'invoice']

const fill = async (ask: Ask): Promise<void> => {
  for (const kind of order)
    for (let number = 1; number <= ENTITIES; number += 1)
      await ask('POST', `/api/${kind}s`, bodies[kind]!(`cost-${number}`, number))
}

const isWrite = ({ command }: DatabaseCall): boolean => /^(?:Put|Update|TransactWrite)/.test(command)
const units = (calls: readonly DatabaseCall[]): number => calls.reduce((sum, call) => sum + call.units, 0)

const usageOf = async (operation: string, work: () => Promise<unknown>): Promise<Usage> => {
  const calls = await metered(work)
  return {
    operation,
    readUnits: units(calls.filter((call) => !isWrite(call))),
    writeUnits: units(calls.filter(isWrite)),
    databaseCalls: calls.length,
  }
}

/** What each operation takes, of an application whose key has been looked up already; lists are pages of 20. */
export const measure = async (ask: Ask): Promise<Usage[]> => {
  await fill(ask)
  const usages: Usage[] = []
  for (const { id, method, path, operation, resource, include } of catalogue) {
    const at = path.replace('{id}', 'cost-1')
    const body = operation === 'create' ? bodies[resource.name]!('cost-new', ENTITIES + 1) : undefined
    const change = operation === 'update' ? { id: 'cost-1', name: 'Alexandra Other' } : undefined
    usages.push(await usageOf(id, () => ask(method, at, body ?? change)))
    // Every answer has the client's own ids at hand.
    const names = Object.keys(include).filter((name) => include[name]?.from !== 'external_id')
    if (names.length > 0)
      usages.push(await usageOf(`${id}, all included`, () => ask(method, `${at}?include=${names.join(',')}`)))
  }
  return usages
}

/** US dollars for a million calls, by what they are paid to. */
export const costOf = ({ readUnits, writeUnits, databaseCalls }: Usage, functionLogBytes: number) => {
  const millis = assumed.ownMillis + databaseCalls * assumed.callMillis
  const cost = {
    gateway: prices.gateway + prices.firewall,
    // A millisecond of a million calls is a thousand seconds.
    lambda: prices.invocations + millis * 1_000 * assumed.memoryGb * prices.gigabyteSecond,
    database: readUnits * prices.readUnits + writeUnits * prices.writeUnits,
    // A byte of a million calls is a thousandth of a gigabyte.
    watching:
      ((assumed.accessLogBytes + functionLogBytes) / 1_000) * prices.logs + tracedShare * prices.traces,
  }
  return { ...cost, total: cost.gateway + cost.lambda + cost.database + cost.watching }
}
