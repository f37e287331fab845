import type { Page, PageRequest } from '../pagination/page.ts'
import type { BodyOf, Endpoint } from './endpoint.ts'
import type { RequestValues } from './field.ts'
import type { EmbeddedEntity } from './include.ts'
import type { Resource } from './resource.ts'

/** The number of partitions, called shards, of each list of an application. It only grows ("apps scale"). */
export interface Spread {
  /** The number that lists read. */
  readonly shards: number
  /** The number that creates write to: `shards`, but the previous one until every function reads `shards`. */
  readonly before: number
}

/** The validated input of an endpoint's work. */
export interface Call<E extends Endpoint = Endpoint> {
  readonly endpoint: E
  readonly app: string
  /** The number of partitions of the application's lists. */
  readonly spread: Spread
  /** The id in the path, the server's or the client's; empty if the path has none. */
  readonly id: string
  /** The validated body; undefined if none was sent and the endpoint allows that. */
  readonly body: BodyOf<E>
  readonly options: Partial<RequestValues<E['options']>>
  readonly page: PageRequest
  readonly include: readonly string[]
  /** The id that filters a list, the server's or the client's. */
  readonly filter: string | undefined
}

/** The parts that calls of all endpoints share. */
export type CallWithoutBody = Omit<Call, 'body'>

/** An entity with its requested includes. */
export interface WithIncludes<R extends Resource = Resource> extends EmbeddedEntity<R> {
  /** In a response to `changed_since`: the second in which the entity was recorded or last changed. */
  readonly changed?: number
  /** Whether a create found an existing entity. */
  readonly replayed?: boolean
  /** The outcome of a create that may update. */
  readonly outcome?: 'created' | 'updated' | 'unchanged'
}

type ResultOf<O, R extends Resource> = O extends 'list' ? Page<WithIncludes<R>> : WithIncludes<R>

/** The result of an endpoint's work: a page of entities for a list, otherwise one entity. */
export type WorkResult<E extends Endpoint = Endpoint> = ResultOf<E['operation'], E['resource']>

/** The work of an endpoint. Throws ApiError for an error to report to the client. */
export type Work<E extends Endpoint> = (call: Call<E>) => Promise<NoInfer<WorkResult<E>>>
