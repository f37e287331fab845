import { BillingApiError } from './error.ts'
import type * as api from './generated.ts'
import type {
  AllOptions,
  CallOptions,
  Creates,
  IncludeOptions,
  ListOptions,
  Lists,
  Page,
  Retrieves,
  Updates,
} from './operations.ts'
import { type ClientOptions, type Send, sender } from './transport.ts'

type Parameters = Readonly<Record<string, string | number | readonly string[] | null | undefined>>

const queryOf = (parameters: Parameters): string => {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value == null || value.toString() === '' ? [] : [`${name}=${encodeURIComponent(value.toString())}`],
  )
  return given.length > 0 ? `?${given.join('&')}` : ''
}

// Of every resource the plural adds an s; a test compares the paths with the contract's.
const pluralOf = (name: string): string => `${name}s`

const collectionOf = (name: string): string => `/api/${pluralOf(name)}`

const memberOf = (name: string, id: string | number): string => {
  // In a URL these would name something else.
  if (/^\.{0,2}$/.test(String(id)))
    throw new BillingApiError(`No ${name} can have the id "${id}".`, { status: 0 })
  return `${collectionOf(name)}/${encodeURIComponent(id)}`
}

const entityIn = <Entity>(json: unknown, name: string): Entity =>
  (json as { data: Record<string, Entity> }).data[name] as Entity

const lists = <Entity, Embeds>(send: Send, name: string): Lists<Entity, Embeds> => {
  const plural = pluralOf(name)
  const list = async ({
    limit,
    cursor,
    include,
    ...options
  }: ListOptions<readonly string[]>): Promise<Page<never>> => {
    const query = queryOf({ limit, cursor, include })
    const json = await send({ method: 'GET', path: collectionOf(name) + query }, options)
    const { data, pagination } = json as {
      data: Record<string, never[]>
      pagination: Omit<Page<never>, 'items'>
    }
    return { items: data[plural] as never[], ...pagination }
  }
  async function* all({
    direction,
    ...options
  }: AllOptions<readonly string[]>): AsyncIterableIterator<never> {
    const newer = direction === 'newer'
    let cursor = options.cursor ?? null
    if (newer && cursor === null) return
    do {
      const page: Page<never> = await list({ limit: 100, ...options, cursor })
      yield* newer ? page.items.reverse() : page.items
      cursor = newer ? page.previous_cursor : page.next_cursor
    } while (cursor !== null)
  }
  return { list: (options = {}) => list(options), all: (options = {}) => all(options) }
}

const creates = <Entity, Body>(send: Send, name: string): Creates<Entity, Body> => ({
  create: async (body, options: CallOptions = {}) =>
    entityIn(await send({ method: 'POST', path: collectionOf(name), body }, options), name),
})

const retrieves = <Entity, Embeds>(send: Send, name: string): Retrieves<Entity, Embeds> => ({
  retrieve: async (id, { include, ...options }: IncludeOptions<readonly string[]> = {}) =>
    entityIn(await send({ method: 'GET', path: memberOf(name, id) + queryOf({ include }) }, options), name),
})

const updates = <Entity, Changes>(send: Send, name: string): Updates<Entity, Changes> => ({
  // A body always goes out, so that no update can turn into an erasure (R10).
  update: async (id, changes, options: CallOptions = {}) =>
    entityIn(
      await send({ method: 'PUT', path: memberOf(name, id), body: { id, ...changes } }, options),
      name,
    ),
  anonymise: async (id, options: CallOptions = {}) =>
    entityIn(await send({ method: 'PUT', path: memberOf(name, id) }, options), name),
})

const recorded = <Entity, Body, Embeds>(send: Send, name: string) => ({
  ...lists<Entity, Embeds>(send, name),
  ...creates<Entity, Body>(send, name),
  ...retrieves<Entity, Embeds>(send, name),
})

/** A client of the API; throws TypeError when base URL, application id or key is missing. */
export const createClient = (options: ClientOptions): api.Client => {
  const send = sender(options)
  return {
    products: recorded<api.Product, api.CreateProduct, api.ProductEmbeds>(send, 'product'),
    prices: recorded<api.Price, api.CreatePrice, api.PriceEmbeds>(send, 'price'),
    customers: {
      ...recorded<api.Customer, api.CreateCustomer, api.CustomerEmbeds>(send, 'customer'),
      ...updates<api.Customer, api.UpdateCustomer>(send, 'customer'),
    },
    discounts: recorded<api.Discount, api.CreateDiscount, api.DiscountEmbeds>(send, 'discount'),
    invoices: recorded<api.Invoice, api.CreateInvoice, api.InvoiceEmbeds>(send, 'invoice'),
    subscriptions: lists<api.Subscription, api.SubscriptionEmbeds>(send, 'subscription'),
  }
}
