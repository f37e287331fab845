import { grantsOf } from '../../lib/functions/grants.ts'
import { catalogue } from '../../shared/catalogue.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { forgetApplications } from '../../shared/store/authorisation.ts'
import {
  customerBody,
  discountBody,
  invoiceBody,
  lineItem,
  priceBody,
  productBody,
} from '../support/bodies.ts'
import { recordCommands, rightsFor, type Sent } from '../support/rights.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

let sent: Sent[]
beforeAll(() => {
  sent = recordCommands()
})

/** A body of each kind that can be created, with all that it can refer to. */
const bodiesFor = async (client: Client): Promise<Record<string, () => Record<string, unknown>>> => {
  const product = await client.create('/api/products', productBody())
  const customer = await client.create('/api/customers', customerBody())
  const discount = await client.create('/api/discounts', discountBody())
  return {
    product: productBody,
    price: () => priceBody({ product_id: product.id }),
    customer: customerBody,
    discount: discountBody,
    invoice: () =>
      invoiceBody({ customer_id: customer.id, discounts: [discount.id], line_items: [lineItem()] }),
  }
}

/** Every request that makes an endpoint do something else: found, not found, again, changed, with all it can embed. */
const requestsOf = async (
  client: Client,
  { resource, operation, include, filter, path }: Endpoint,
): Promise<() => Promise<unknown>> => {
  const bodies = await bodiesFor(client)
  const collection = `/api/${resource.plural}`
  // An invoice makes its subscription.
  const derived = resource.name === 'subscription'
  const made = bodies[derived ? 'invoice' : resource.name]!()
  const { id } = await client.create(derived ? '/api/invoices' : collection, made)
  const at = path.replace('{id}', id)
  const query = `?include=${Object.keys(include).join(',')}`
  return {
    list: async () => {
      await client.get(collection + query)
      if (filter !== undefined) await client.get(`${collection}?${filter}=${made[filter]}`)
    },
    retrieve: async () => {
      await client.get(at + query)
      await client.get(path.replace('{id}', 'nothing'))
    },
    create: async () => {
      const body = bodies[resource.name]!()
      await client.create(collection, body)
      await client.create(collection, body)
      await client.post(collection, {
        ...body,
        ...(resource.name === 'invoice' ? { total: 1 } : { name: 'x' }),
      })
    },
    update: async () => {
      await client.put(at, { id: made.id, name: 'New' })
      await client.put(at, { id: 'another', name: 'New' })
      await client.put(at)
    },
  }[operation]
}

it.each(catalogue.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s is granted exactly what it uses',
  async (_, endpoint) => {
    const run = await requestsOf(await newClient(), endpoint)
    sent.length = 0
    forgetApplications()
    await run()
    const { table, indexes } = grantsOf(endpoint)
    expect([...new Set(sent.flatMap(rightsFor))].sort()).toEqual(
      [...table, ...indexes.map((name) => `dynamodb:Query on ${name}`)].sort(),
    )
  },
)
