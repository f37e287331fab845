import { type ClientOptions, createClient } from '../../client/index.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { CommandError } from '../cli/command.ts'
import { fetchInProcess } from '../local/server.ts'
import type { Seed } from './options.ts'

/** The resources of a seed, in the order of creation: the catalogue lists parents before their children. */
export const seedableResources = catalogue
  .filter(({ operation }) => operation === 'create')
  .map(({ resource }) => resource.plural as keyof Seed)

/**
 * Calls the handlers in this process, since a reset holds back the requests to the server. Throws CommandError that names the
 * first refused body.
 */
export const createSeed = async (seed: Seed, options: ClientOptions): Promise<void> => {
  const client = createClient({ ...options, fetch: fetchInProcess })
  for (const plural of seedableResources) {
    const resource = client[plural] as { create(body: unknown): Promise<unknown> }
    for (const [index, body] of (seed[plural] ?? []).entries())
      try {
        await resource.create(body)
      } catch (cause) {
        const reason = (cause as Error).message.replace(/\.$/, '')
        throw new CommandError(`seed.${plural}[${index}] is refused: ${reason}`, { cause })
      }
  }
}
