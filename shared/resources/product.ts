import { about, example } from '../contract/about.ts'
import { create, list, retrieve } from '../contract/endpoint.ts'
import { text } from '../contract/fields.ts'
import { resource } from '../contract/resource.ts'

/** Something that is sold. */
export const product = resource({
  name: 'product',
  plural: 'products',
  prefix: 'prod',
  about: about('What you sell.', 'plan-pro'),
  fields: {
    name: text(255, about('What it is called.', 'Pro plan')),
  },
})

const include = {
  prices: {
    from: 'children',
    target: 'price',
    max: 100,
    about: about('The prices of the product, newest first, up to 100.'),
  },
} as const

/** The endpoints of products. */
export const products = {
  list: list(product, { include }),
  create: create(product, { examples: { product: example('A product') } }),
  retrieve: retrieve(product, { include }),
}
