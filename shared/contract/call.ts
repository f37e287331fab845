import type { Page, PageRequest } from '../pagination/page.ts'
import type { Spread } from '../spread.ts'
import type { BodyOf, Endpoint, Related } from './endpoint.ts'
import type { Entity, Resource } from './resource.ts'

/** Everything that the work of an endpoint gets of a request, validated (habit 7). */
export interface Call<E extends Endpoint = Endpoint> {
  readonly endpoint: E
  /** The other resources that the endpoint reads, by name. */
  readonly related: Related<E>
  /** The authenticated application's id. */
  readonly app: string
  /** The partitions of that application's lists. */
  readonly spread: Spread
  /** The id in the path, the server's or the client's; empty where the path has none. */
  readonly id: string
  /** The body as the endpoint states it; undefined where none was sent and that means something (R10). */
  readonly body: BodyOf<E>
  readonly page: PageRequest
  /** The names that are to be embedded. */
  readonly include: readonly string[]
  /** The id by which a list is filtered, the server's or the client's (E3). */
  readonly filter: string | undefined
}

/** An entity with what was asked to be embedded into it. */
export interface WithIncludes<R extends Resource = Resource> {
  readonly entity: Entity<R>
  readonly embedded?: Readonly<Record<string, unknown>>
  /** Whether a create found the entity there already (E4). */
  readonly replayed?: boolean
}

/** What an endpoint answers with: a page of its resource's entities for a list, else one of them. */
export type Answer<E extends Endpoint = Endpoint> = E['operation'] extends 'list'
  ? Page<WithIncludes<E['resource']>>
  : WithIncludes<E['resource']>

/** The work of an endpoint: validated input to an answer, or an ApiError. */
export type Work<E extends Endpoint> = (call: Call<E>) => Promise<NoInfer<Answer<E>>>
