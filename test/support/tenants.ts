import { customerBody, discountBody, invoiceBody, lineItem, priceBody, productBody } from './bodies.ts'
import { pageAt } from './lists.ts'
import { type Answer, type Client, newClient } from './service.ts'

/** The kinds of entities, in the order in which `record` makes them. */
export const kinds = ['product', 'price', 'customer', 'discount', 'invoice', 'subscription'] as const
export type Kind = (typeof kinds)[number]
/** An id of each kind that we never assign. */
export const unknownIds: Record<Kind, string> = {
  product: 'prod_0000000000000000000000',
  price: 'price_0000000000000000000000',
  customer: 'cus_0000000000000000000000',
  discount: 'disc_0000000000000000000000',
  invoice: 'inv_0000000000000000000000',
  subscription: 'sub_0000000000000000000000',
}

/** One entity of each kind, with client ids that say only their kind and `mark`. */
export const record = async (client: Client, mark = '') => {
  const named = (kind: Kind) => `my ${kind}${mark}`
  const product = await client.create('/api/products', productBody({ id: named('product') }))
  const price = await client.create('/api/prices', priceBody({ id: named('price'), product_id: product.id }))
  const customer = await client.create('/api/customers', customerBody({ id: named('customer') }))
  const discount = await client.create('/api/discounts', discountBody({ id: named('discount') }))
  const invoice = await client.create(
    '/api/invoices',
    invoiceBody({
      id: named('invoice'),
      customer_id: customer.id,
      subscription_id: named('subscription'),
      discounts: [discount.id],
      line_items: [lineItem()],
    }),
  )
  const ids: Record<Kind, string> = {
    product: product.id,
    price: price.id,
    customer: customer.id,
    discount: discount.id,
    invoice: invoice.id,
    subscription: invoice.subscription_id,
  }
  return {
    ids,
    clientIds: Object.fromEntries(kinds.map((kind) => [kind, named(kind)])) as Record<Kind, string>,
  }
}

/** An answer without the id that was sent, so that two can be compared. */
export const without = (id: string, { status, json }: Answer) => {
  const shown = JSON.stringify(JSON.stringify(id)).slice(1, -1)
  return { status, text: JSON.stringify(json).replaceAll(shown, '<id>').replaceAll(id, '<id>') }
}

/** The entities of an application, by kind. */
export const everything = async (client: Client) =>
  Promise.all(kinds.map(async (kind) => (await pageAt(client, `/api/${kind}s`)).items))

/** Another application's entities, and every way to write one's id. */
export const foreign = async () => {
  const [owner, stranger] = [await newClient('Owner'), await newClient('Stranger')]
  const { ids, clientIds } = await record(owner)
  const app = owner.credentials.app_id
  const spellings = (kind: Kind) => [
    ids[kind],
    clientIds[kind],
    `${app}#${ids[kind]}`,
    `${app}/${ids[kind]}`,
    `#${ids[kind]}`,
    `${ids[kind]}#ENTITY`,
    `../${app}#${ids[kind]}`,
    encodeURIComponent(`${app}#${ids[kind]}`),
    [...ids[kind]].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
    ` ${ids[kind]}`,
    `${ids[kind]}\u00a0`,
    ids[kind].toUpperCase(),
  ]
  return { owner, stranger, spellings }
}
