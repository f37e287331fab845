import type { Client } from '../../client/generated.ts'

type Created<K> = K extends { create(body: infer B, ...rest: never[]): unknown } ? B : never

/** What is there from the beginning, as bodies of creates: products first, then prices, customers, discounts, invoices. */
export type Seed = {
  readonly [K in keyof Client as Client[K] extends { create: unknown } ? K : never]?:
    | readonly Created<Client[K]>[]
    | undefined
}

/** How a test service begins, and begins anew at each reset. */
export interface Beginning {
  /** Bodies of creates, or `scenario`: 24 customers over 24 months. */
  readonly seed?: Seed | 'scenario' | undefined
  /** Where the service's clock stands still: a date, or its text; without it, it goes. */
  readonly now?: Date | string | undefined
}

/** How a test service is started. */
export interface TestServiceOptions extends Beginning {
  /** A free one if not given. */
  readonly port?: number | undefined
}
