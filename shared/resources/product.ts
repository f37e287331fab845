import { create, list, retrieve } from '../contract/endpoint.ts'
import { clientId, name } from '../contract/fields.ts'
import { type Content, resource } from '../contract/resource.ts'
import { object, type ValueOf } from '../contract/schema.ts'
import { price } from './price.ts'

/** §2 Product. */
export const product = resource({
  name: 'product',
  plural: 'products',
  prefix: 'prod',
  fields: { name },
  kept: {},
})

const body = object({ id: clientId, name }, ['id', 'name'])
const include = { prices: { from: 'children', resource: price, max: 100 } } as const

/** §4 Products. */
export const products = {
  list: list(product, include),
  create: create(product, body),
  retrieve: retrieve(product, include),
}

/** The product that a request's body describes. */
export const productFrom = (request: ValueOf<typeof body>): Content<typeof product> => ({
  fields: { name: request.name },
  kept: {},
})
