import manifest from '../../package.json' with { type: 'json' }
import { catalogue } from '../catalogue.ts'
import { components, tagName } from './components.ts'
import { paths } from './operations.ts'
import type { Json } from './schemas.ts'
import { introduction } from './texts.ts'
import { webhooks } from './webhooks.ts'

/** The OpenAPI 3.1 document of the API at `baseUrl`, made from the catalogue and the resources' schemas. */
export const openApiDocument = (baseUrl: string): Json => ({
  openapi: '3.1.1',
  info: {
    title: 'Subscription Billing Data API',
    version: manifest.version,
    summary: 'Record and read products, prices, customers, discounts, invoices and subscriptions.',
    description: introduction,
    license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
  },
  // Without variables, because some generators use the URL literally.
  servers: [{ url: baseUrl }],
  security: [{ apiKey: [], appId: [] }],
  tags: [...new Set(catalogue.map(({ resource }) => resource))].map((resource) => ({
    name: tagName(resource),
    description: resource.about?.description,
  })),
  paths: paths(),
  webhooks: webhooks(),
  components: components(),
})
