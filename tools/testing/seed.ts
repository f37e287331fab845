import { BillingApiError, createClient } from '../../client/index.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { StartError } from '../local/settings.ts'
import type { Seed } from './options.ts'

/** The resources of a seed, in the order of creation: the catalogue lists parents before their children. */
export const seedable: readonly string[] = catalogue
  .filter(({ operation }) => operation === 'create')
  .map(({ resource }) => resource.plural)

/** Where to create a seed, and as which application. */
export interface SeedTarget {
  readonly baseUrl: string
  readonly appId: string
  readonly apiKey: string
  /** Whether to skip an entity that exists with other content, instead of refusing the seed. */
  readonly keepExisting?: boolean
}

/** Creates a seed through the API. Throws StartError that names the body which the API refuses. */
export const createSeed = async (seed: Seed, { keepExisting, ...access }: SeedTarget): Promise<void> => {
  const client = createClient(access)
  for (const plural of seedable as readonly (keyof Seed)[]) {
    const resource = client[plural] as { create(body: unknown): Promise<unknown> }
    for (const [index, body] of (seed[plural] ?? []).entries())
      try {
        await resource.create(body)
      } catch (cause) {
        if (keepExisting && cause instanceof BillingApiError && cause.status === 409) continue
        const reason = (cause as Error).message.replace(/\.$/, '')
        throw new StartError(`seed.${plural}[${index}] is refused: ${reason}`, { cause })
      }
  }
}
