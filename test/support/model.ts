import { resources } from '../../shared/catalogue.ts'
import type { Fields } from '../../shared/contract/field.ts'
import { lineItem } from '../../shared/resources/line-item.ts'

/** A model of the service in plain data. */

type Values = Record<string, unknown>
export type List = 'products' | 'prices' | 'customers' | 'discounts' | 'invoices' | 'subscriptions'

/** An entity of the model. */
export interface Entry {
  readonly clientId: string
  /** The server's id, learned from its first response. */
  id?: string
  /** The visible fields besides the id. */
  fields: Values
  /** The content of the create. */
  readonly said: Values
  erased: boolean
}

/** The expected response: a status and, for 200, an entity. */
export type Expected = { readonly status: 200; readonly entry: Entry } | { readonly status: 404 | 409 | 422 }

const anonymous = { name: 'Anonymous customer', email: 'anonymous@anonymous.invalid' }

/** Returns what responses show of the optional fields if a create does not mention them. */
const unmentioned = (fields: Fields): Values =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, { required, visible }]) => visible && !required)
      .map(([name, field]) => [name, field.read(null, '')]),
  )

const day = (number: number) => Date.UTC(2024, 0, number) / 1000
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** An invoice's content in the model: days of January 2024, references by client id. */
export interface InvoiceSaid {
  readonly total: number
  readonly created: number
  readonly period_start: number
  readonly period_end: number
  readonly currency: string
  readonly customer: string
  readonly subscription: string
  readonly discount: string | null
  readonly interval: string | null
}

export class Model {
  /** Every list, newest first. */
  readonly lists: Record<List, Entry[]> = {
    products: [],
    prices: [],
    customers: [],
    discounts: [],
    invoices: [],
    subscriptions: [],
  }

  find(list: List, clientId: string): Entry | undefined {
    return this.lists[list].find((entry) => entry.clientId === clientId)
  }

  private add(list: List, clientId: string, said: Values, fields: Values): Entry {
    const { fields: stated } = [...resources.values()].find(({ plural }) => plural === list)!
    const entry: Entry = { clientId, said, fields: { ...unmentioned(stated), ...fields }, erased: false }
    this.lists[list].unshift(entry)
    return entry
  }

  /** A create: new, a replay, or a conflict. `fields` are the visible ones of those that it mentions. */
  create(list: List, clientId: string, said: Values, fields: Values): Expected {
    const entry = this.find(list, clientId)
    if (!entry) return { status: 200, entry: this.add(list, clientId, said, fields) }
    return entry.erased || !same(entry.said, said) ? { status: 409 } : { status: 200, entry }
  }

  /** An invoice and the subscription derived from it: both or neither. */
  createInvoice(clientId: string, said: InvoiceSaid): Expected {
    const customer = this.find('customers', said.customer)
    const subscription = this.find('subscriptions', said.subscription)
    if (!customer || (subscription && subscription.said.customer !== said.customer)) return { status: 422 }
    if (said.discount && !this.find('discounts', said.discount)) return { status: 422 }
    const { total, currency } = said
    const times = {
      created: day(said.created),
      period_start: day(said.period_start),
      period_end: day(said.period_end),
    }
    const fields = { total, ...times, currency, customer_id: customer.id }
    const isNew = !this.find('invoices', clientId)
    const expected = this.create('invoices', clientId, { ...said }, fields)
    if (isNew && !subscription) this.add('subscriptions', said.subscription, { customer: said.customer }, {})
    return expected
  }

  /** Computes the visible fields of a subscription from all invoices that name it. */
  derived(subscription: Entry): Values {
    const invoices = this.lists.invoices.filter(({ said }) => said.subscription === subscription.clientId)
    const rank = ({ fields, id }: Entry) =>
      [fields.period_end, fields.period_start, fields.created, id].join(' ')
    const latestFirst = invoices.sort((a, b) => (rank(a) < rank(b) ? 1 : -1))
    const latest = latestFirst[0]!
    const interval = latestFirst.find(({ said }) => said.interval !== null)?.said.interval ?? null
    return {
      customer_id: latest.fields.customer_id,
      currency: latest.fields.currency,
      interval,
      interval_count: interval === null ? null : 1,
      current_period_start: latest.fields.period_start,
      current_period_end: latest.fields.period_end,
      latest_invoice_id: latest.id,
      created: Math.min(...invoices.map(({ fields }) => fields.created as number)),
    }
  }

  /** An update changes only the fields that it names. */
  update(clientId: string, changes: Values): Expected {
    const entry = this.find('customers', clientId)
    if (!entry) return { status: 404 }
    entry.fields = { ...entry.fields, ...changes }
    return { status: 200, entry }
  }

  anonymise(clientId: string): Expected {
    const expected = this.update(clientId, anonymous)
    if (expected.status === 200) expected.entry.erased = true
    return expected
  }

  retrieve(list: List, clientId: string): Expected {
    const entry = this.find(list, clientId)
    return entry ? { status: 200, entry } : { status: 404 }
  }

  /** Returns the expected form of an entity, with the entities that `include` names. */
  shown(list: List, entry: Entry, include: readonly string[] = []): Values {
    const subscription =
      list === 'invoices' ? this.find('subscriptions', entry.said.subscription as string) : undefined
    const own = {
      id: entry.id,
      ...(list === 'subscriptions' ? this.derived(entry) : entry.fields),
      ...(subscription ? { subscription_id: subscription.id } : {}),
    }
    const { product, customer, discount, interval } = entry.said
    const inner = include.filter((name) => name === 'external_id')
    const embed = (of: List, clientId: unknown) => this.shown(of, this.find(of, clientId as string)!, inner)
    const id = expect.stringMatching(/^li_/)
    const line = { ...unmentioned(lineItem.fields), id, type: 'recurring', interval, interval_count: 1 }
    const embedded: Record<string, () => unknown> = {
      external_id: () => entry.clientId,
      product: () => embed('products', product),
      customer: () => embed('customers', customer),
      subscription: () => embed('subscriptions', entry.said.subscription),
      discounts: () => (discount ? [embed('discounts', discount)] : []),
      line_items: () => (interval ? [line] : []),
      prices: () =>
        this.lists.prices
          .filter(({ said }) => said.product === entry.clientId)
          .map((price) => this.shown('prices', price, inner)),
    }
    return { ...own, ...Object.fromEntries(include.map((name) => [name, embedded[name]!()])) }
  }
}
