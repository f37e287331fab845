import manifest from '../../package.json' with { type: 'json' }
import { catalogue } from '../catalogue.ts'
import { openApiComponents, tagName } from './components.ts'
import type { JsonObject } from './document-parts.ts'
import { openApiPaths } from './operations.ts'
import { introduction } from './texts.ts'
import { eventsTag, openApiWebhooks } from './webhooks.ts'

/**
 * The OpenAPI 3.1 document of the API at `baseUrl`, which is derived from the catalogue and the resources.
 */
export const openApiDocument = (baseUrl: string): JsonObject => ({
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
  tags: [
    ...[...new Set(catalogue.map(({ resource }) => resource))].map((resource) => ({
      name: tagName(resource),
      description: resource.about?.description,
    })),
    eventsTag,
  ],
  paths: openApiPaths(),
  webhooks: openApiWebhooks(),
  components: openApiComponents(),
})
