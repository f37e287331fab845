import type { ObjectSchema, ValueOf } from '../contract/schema.ts'
import type { Query } from './query.ts'

/** Everything a handler gets of a request, validated (habit 7). */
export interface Input<B extends ObjectSchema | undefined = ObjectSchema | undefined> extends Query {
  /** The authenticated application's id. */
  readonly app: string
  /** The id in the path, the server's or the client's; empty where the path has none. */
  readonly id: string
  /** The body as its schema says; undefined when none was sent to an endpoint where that means something. */
  readonly body: B extends ObjectSchema ? ValueOf<B> : undefined
}
