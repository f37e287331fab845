import { about, example } from '../contract/about.ts'
import { create, type Includes, list, retrieve } from '../contract/endpoint.ts'
import { descriptive } from '../contract/field.ts'
import { text } from '../contract/fields.ts'
import { onConflictDescribe } from '../contract/on-conflict.ts'
import { resource } from '../contract/resource.ts'

/** Something that is sold. */
export const product = resource({
  name: 'product',
  plural: 'products',
  prefix: 'prod',
  about: about('A product that you sell.', 'plan-pro'),
  fields: {
    name: descriptive(text(5_000, about('The name of the product.', 'Pro plan'))),
  },
})

const include: Includes = {
  prices: {
    from: 'children',
    target: 'price',
    field: 'product_id',
    about: about(
      'All prices of the product, newest first. A page ends early if they would make it larger than 5 MiB. If the prices of a single product do not fit, the response is 422: read them with `GET /api/prices?product_id=`.',
    ),
  },
}

export const products = {
  list: list(product, { include }),
  create: create(product, {
    examples: { product: example('A product') },
    options: { on_conflict: onConflictDescribe(product) },
  }),
  retrieve: retrieve(product, { include }),
}
