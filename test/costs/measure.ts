import { assumed, prices, tracedShare } from '../../bench/prices.ts'
import { catalogue } from '../../shared/catalogue.ts'
import type { Resource } from '../../shared/contract/resource.ts'
import { exampleBody } from '../../shared/openapi/examples.ts'
import type { Credentials } from '../../tools/applications/api-keys.ts'
import { type DatabaseCall, metered } from '../support/meter.ts'

/** Sends a request and throws unless the status of its answer is 200. */
type Ask = (method: string, path: string, body?: unknown) => Promise<void>

type Body = Readonly<Record<string, unknown>>

/** What one call of an operation consumes. */
export interface Usage {
  readonly operation: string
  readonly readUnits: number
  readonly writeUnits: number
  readonly databaseCalls: number
}

/** One more than a page has by default. */
const ENTITIES = 21
const LINES = 3

const day = (number: number): string => new Date(Date.UTC(2024, 0, number)).toISOString().slice(0, 10)

/** What differs between entities: invoices have three lines each, and five subscriptions follow them. */
const changesOf: Readonly<Record<string, (number: number, body: Body) => Body>> = {
  invoice: (number, { line_items }) => ({
    ...{ created: day(number), period_start: day(number), period_end: day(number + 30) },
    subscription_id: `cost-${number % 5}`,
    line_items: Array.from({ length: LINES }, () => (line_items as unknown[])[0]),
  }),
}

/** The request body that creates entity `number` of a resource: its example, with an id of its own. */
const bodyOf = (resource: Resource, number: number): Body => {
  const body = exampleBody(resource, () => 'cost-1')
  return { ...body, ...changesOf[resource.name]?.(number, body), id: `cost-${number}` }
}

const askAs =
  (baseUrl: string, { app_id, api_key }: Credentials): Ask =>
  async (method, path, body) => {
    const authorization = `Bearer ${api_key}`
    const headers = { authorization, 'x-app-id': app_id, 'content-type': 'application/json' }
    const response = await fetch(baseUrl + path, { method, headers, body: JSON.stringify(body) ?? null })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${method} ${path}: ${text}`)
  }

const fill = async (ask: Ask): Promise<void> => {
  for (const { operation, method, path, resource } of catalogue)
    for (let number = 1; operation === 'create' && number <= ENTITIES; number += 1)
      await ask(method, path, bodyOf(resource, number))
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

/** Measures each operation of a service in this process, with an API key that was looked up already. Lists are pages of 20. */
export const measure = async (baseUrl: string, credentials: Credentials): Promise<Usage[]> => {
  const ask = askAs(baseUrl, credentials)
  await fill(ask)
  const usages: Usage[] = []
  for (const { id, method, path, operation, resource, include } of catalogue) {
    const at = path.replace('{id}', 'cost-1')
    const body = operation === 'create' ? bodyOf(resource, ENTITIES + 1) : undefined
    const change = operation === 'update' ? { id: 'cost-1', name: 'Alexandra Other' } : undefined
    usages.push(await usageOf(id, () => ask(method, at, body ?? change)))
    // external_id costs nothing: it is stored with the entity.
    const names = Object.keys(include).filter((name) => include[name]?.from !== 'external_id')
    if (names.length > 0)
      usages.push(await usageOf(`${id}, all included`, () => ask(method, `${at}?include=${names.join(',')}`)))
  }
  return usages
}

/** Returns the cost of a million calls in US dollars, by service. */
export const costOf = ({ readUnits, writeUnits, databaseCalls }: Usage, functionLogBytes: number) => {
  const millis = assumed.ownMillis + databaseCalls * assumed.callMillis
  const cost = {
    gateway: prices.gateway + prices.firewall,
    // One millisecond in each of a million calls is 1,000 seconds.
    lambda: prices.invocations + millis * 1_000 * assumed.memoryGb * prices.gigabyteSecond,
    database: readUnits * prices.readUnits + writeUnits * prices.writeUnits,
    // One byte in each of a million calls is a thousandth of a gigabyte.
    watching:
      ((assumed.accessLogBytes + functionLogBytes) / 1_000) * prices.logs + tracedShare * prices.traces,
  }
  return { ...cost, total: cost.gateway + cost.lambda + cost.database + cost.watching }
}
