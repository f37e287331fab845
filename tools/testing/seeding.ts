import { BillingApiError, type Client, createClient, type Fetch } from '../../client/index.ts'
import { StartError } from '../local/settings.ts'
import type { Seed } from './settings.ts'

/** The order in which seeds are created: what is named before what names it. */
const order: readonly (keyof Seed)[] = ['products', 'prices', 'customers', 'discounts', 'invoices']

type Creating = Record<keyof Seed, { create(body: unknown): Promise<unknown> }>

/** Where to create a seed, and as whom. */
export interface Ground {
  readonly baseUrl: string
  readonly appId: string
  readonly apiKey: string
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether what is recorded there already may have been created or changed otherwise, and then stays as it is. */
  readonly keeps?: boolean
}

/** Creates a seed through the API itself; throws StartError that names the body which the service refuses. */
export const plant = async (seed: Seed, { headers, keeps = false, ...access }: Ground): Promise<void> => {
  const send: Fetch = (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...headers } })
  const client: Client = createClient({ ...access, fetch: send })
  const unknown = Object.keys(seed).find((name) => !(order as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw new StartError(`seed.${unknown} is not known; known are: ${order.join(', ')}`)
  for (const plural of order)
    for (const [index, body] of (seed[plural] ?? []).entries())
      try {
        await (client as Creating)[plural].create(body)
      } catch (cause) {
        if (keeps && cause instanceof BillingApiError && cause.status === 409) continue
        throw new StartError(`seed.${plural}[${index}] is refused: ${(cause as Error).message}`, { cause })
      }
}
