import { BillingApiError, type ClientOptions, createClient } from '../../client/index.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { CommandError } from '../cli/command.ts'
import type { Seed } from './options.ts'

/** The resources of a seed, in the order of creation: the catalogue lists parents before their children. */
export const seedable: readonly string[] = catalogue
  .filter(({ operation }) => operation === 'create')
  .map(({ resource }) => resource.plural)

/**
 * Creates a seed through the API. Throws CommandError that names a refused body. With `keepExisting`, skips an entity that
 * exists with other content.
 */
export const createSeed = async (seed: Seed, options: ClientOptions, keepExisting = false): Promise<void> => {
  const client = createClient(options)
  for (const plural of seedable as readonly (keyof Seed)[]) {
    const resource = client[plural] as { create(body: unknown): Promise<unknown> }
    for (const [index, body] of (seed[plural] ?? []).entries())
      try {
        await resource.create(body)
      } catch (cause) {
        if (keepExisting && cause instanceof BillingApiError && cause.status === 409) continue
        const reason = (cause as Error).message.replace(/\.$/, '')
        throw new CommandError(`seed.${plural}[${index}] is refused: ${reason}`, { cause })
      }
  }
}
