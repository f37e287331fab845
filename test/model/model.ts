import { resourcesByName } from '../../shared/catalogue.ts'
import type { Fields } from '../../shared/contract/field.ts'
import { lineItem } from '../../shared/resources/line-item.ts'
import { anonymisedValues } from '../support/requests/bodies.ts'

/** A model of the service in plain data. */

export type Values = Record<string, unknown>
export type ListName = 'products' | 'prices' | 'customers' | 'discounts' | 'invoices' | 'subscriptions'

export interface Entry {
  readonly clientId: string
  /** Learned from the service's first response. */
  id?: string
  fields: Values
  readonly content: Values
  erased: boolean
}

export type Expected = { readonly status: 200; readonly entry: Entry } | { readonly status: 404 | 409 | 422 }

/** Responses show them if a create omits the field. */
const defaultValues = (fields: Fields): Values =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, { required, visible }]) => visible && !required)
      .map(([name, field]) => [name, field.toStored(null, '')]),
  )

const secondsOf = (day: number) => Date.UTC(2024, 0, day) / 1000

/** Generated objects differ in their prototypes, so their JSON is compared. */
const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

interface Line {
  readonly type: string
  readonly interval: string | null
  readonly interval_count: number
}

/** Days of January 2024, references by client id. */
export interface InvoiceContent {
  readonly total: number
  readonly created: number
  readonly period_start: number
  readonly period_end: number
  readonly currency: string
  readonly customer: string
  readonly subscription: string
  readonly discount: string | null
  readonly lines: readonly Line[]
}

const linesOf = ({ content }: Entry) => content.lines as InvoiceContent['lines']

export class Model {
  readonly lists: Record<ListName, Entry[]> = {
    products: [],
    prices: [],
    customers: [],
    discounts: [],
    invoices: [],
    subscriptions: [],
  }

  find(list: ListName, clientId: string): Entry | undefined {
    return this.lists[list].find((entry) => entry.clientId === clientId)
  }

  private add(list: ListName, clientId: string, content: Values, fields: Values): Entry {
    const { fields: declared } = [...resourcesByName.values()].find(({ plural }) => plural === list)!
    const entry: Entry = {
      clientId,
      content,
      fields: { ...defaultValues(declared), ...fields },
      erased: false,
    }
    this.lists[list].unshift(entry)
    return entry
  }

  /** Or returns a replay or a conflict. `fields` are the visible fields of the create. */
  create(list: ListName, clientId: string, content: Values, fields: Values): Expected {
    const entry = this.find(list, clientId)
    if (!entry) return { status: 200, entry: this.add(list, clientId, content, fields) }
    const isReplay = !entry.erased && isEqual(entry.content, content)
    return isReplay ? { status: 200, entry } : { status: 409 }
  }

  /** With the subscription that it starts; neither if a reference is wrong. */
  createInvoice(clientId: string, content: InvoiceContent): Expected {
    const customer = this.find('customers', content.customer)
    const subscription = this.find('subscriptions', content.subscription)
    if (!customer || (subscription && subscription.content.customer !== content.customer))
      return { status: 422 }
    if (content.discount && !this.find('discounts', content.discount)) return { status: 422 }
    const { total, currency } = content
    const times = {
      created: secondsOf(content.created),
      period_start: secondsOf(content.period_start),
      period_end: secondsOf(content.period_end),
    }
    const fields = { total, ...times, currency, customer_id: customer.id }
    const isNew = !this.find('invoices', clientId)
    const expected = this.create('invoices', clientId, { ...content }, fields)
    if (isNew && !subscription)
      this.add('subscriptions', content.subscription, { customer: content.customer }, {})
    return expected
  }

  /** From all invoices that name the subscription. */
  derived(subscription: Entry): Values {
    const invoices = this.lists.invoices.filter(
      ({ content }) => content.subscription === subscription.clientId,
    )
    // All of these times have as many digits, so they can be compared as text.
    const sortKey = ({ fields, id }: Entry) =>
      [fields.period_end, fields.period_start, fields.created, id].join(' ')
    const latestFirst = invoices.toSorted((one, other) => (sortKey(one) < sortKey(other) ? 1 : -1))
    const latest = latestFirst[0]!
    const recurring = latestFirst.flatMap(linesOf).find(({ type }) => type === 'recurring')
    return {
      customer_id: latest.fields.customer_id,
      currency: latest.fields.currency,
      interval: recurring?.interval ?? null,
      interval_count: recurring?.interval_count ?? null,
      current_period_start: latest.fields.period_start,
      current_period_end: latest.fields.period_end,
      latest_invoice_id: latest.id,
      created: Math.min(...invoices.map(({ fields }) => fields.created as number)),
    }
  }

  update(clientId: string, changes: Values): Expected {
    const entry = this.find('customers', clientId)
    if (!entry) return { status: 404 }
    entry.fields = { ...entry.fields, ...changes }
    return { status: 200, entry }
  }

  anonymise(clientId: string): Expected {
    const expected = this.update(clientId, anonymisedValues)
    if (expected.status === 200) expected.entry.erased = true
    return expected
  }

  retrieve(list: ListName, clientId: string): Expected {
    const entry = this.find(list, clientId)
    return entry ? { status: 200, entry } : { status: 404 }
  }

  shown(list: ListName, entry: Entry, include: readonly string[] = []): Values {
    const subscription =
      list === 'invoices' ? this.find('subscriptions', entry.content.subscription as string) : undefined
    const shown = {
      id: entry.id,
      ...(list === 'subscriptions' ? this.derived(entry) : entry.fields),
      ...(subscription ? { subscription_id: subscription.id } : {}),
    }
    const { product, customer, discount } = entry.content
    const inner = include.filter((name) => name === 'external_id')
    const embed = (target: ListName, clientId: unknown) =>
      this.shown(target, this.find(target, clientId as string)!, inner)
    const id = expect.stringMatching(/^li_/)
    const emptyLine = { ...defaultValues(lineItem.fields), id }
    const embedded: Record<string, () => unknown> = {
      external_id: () => entry.clientId,
      product: () => embed('products', product),
      customer: () => embed('customers', customer),
      subscription: () => embed('subscriptions', entry.content.subscription),
      discounts: () => (discount ? [embed('discounts', discount)] : []),
      line_items: () => linesOf(entry).map((line) => ({ ...emptyLine, ...line })),
      prices: () =>
        this.lists.prices
          .filter(({ content }) => content.product === entry.clientId)
          .map((price) => this.shown('prices', price, inner)),
    }
    return { ...shown, ...Object.fromEntries(include.map((name) => [name, embedded[name]!()])) }
  }
}
