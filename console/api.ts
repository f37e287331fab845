import type { Call, Page } from '../client/index.ts'

/** An entity of any resource. */
export interface Entity {
  readonly id: string
  readonly [field: string]: unknown
}

/** The options of a call: parameters of the query, and a signal that ends it. */
export type CallOptions = Readonly<Record<string, unknown>> & { readonly signal?: AbortSignal }

/** The operations of a resource; which of them there are, its contract says. */
export interface Operations {
  list(options: CallOptions): Call<Page<Entity>>
  retrieve(id: string, options: CallOptions): Call<Entity>
  create(body: object): Call<Entity>
  update(id: string, changes: object): Call<Entity>
  anonymise(id: string): Call<Entity>
}
