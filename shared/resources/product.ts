import { about, example } from '../contract/about.ts'
import { defineCreate, defineList, defineRetrieve } from '../contract/endpoint.ts'
import { descriptive } from '../contract/field.ts'
import { text } from '../contract/fields.ts'
import { onConflictDescriptiveOption } from '../contract/on-conflict.ts'
import { defineResource } from '../contract/resource.ts'
import { childEntities } from '../includes/child-entities.ts'

/** Something that is sold. */
export const product = defineResource({
  name: 'product',
  plural: 'products',
  prefix: 'prod',
  about: about('A product that you sell.', 'plan-pro'),
  fields: {
    name: descriptive(text(5_000, about('The name of the product.', 'Pro plan'))),
  },
})

const include = {
  prices: childEntities(
    { resource: 'price', field: 'product_id' },
    about(
      'All prices of the product, newest first. A page ends early if they would make it larger than 5 MiB. If the prices of a single product do not fit, the response is 422: read them with `GET /api/prices?product_id=`.',
    ),
  ),
}

/** The endpoints of products. */
export const products = {
  list: defineList(product, { include }),
  create: defineCreate(product, {
    examples: { product: example('A product') },
    options: { on_conflict: onConflictDescriptiveOption(product) },
  }),
  retrieve: defineRetrieve(product, { include }),
}
