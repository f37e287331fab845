import type { Includes } from '../contract/endpoint.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import type { Page, PageRequest } from '../pagination/page.ts'
import { readEntity } from './entities.ts'
import { type Embedded, readIncludes } from './includes.ts'
import { listEntities } from './lists.ts'

/** Entities of one kind of an application, with what is to be embedded into them. */
export interface Reading {
  readonly app: string
  readonly resource: Resource
  readonly include?: Includes
  /** The names asked for; none unless given. */
  readonly names?: readonly string[]
}

interface Answered {
  readonly entity: Entity
  readonly embedded: Embedded
}

/** One page of a list with its includes (L1, S4). */
export const listPage = async (
  { include = {}, names = [], ...list }: Reading,
  request: PageRequest,
): Promise<Page<Answered>> => {
  const page = await listEntities(list.app, list.resource, request)
  const embedded = await readIncludes({ ...list, include, names }, page.items, { complete: false })
  return { ...page, items: page.items.map((entity, index) => ({ entity, embedded: embedded[index]! })) }
}

/** One entity by either id with its includes; throws `entity_not_found` (I3, S4). */
export const readWithIncludes = async (
  { include = {}, names = [], ...list }: Reading,
  id: string,
): Promise<Answered> => {
  const entity = await readEntity(list.app, list.resource, id)
  const [embedded = {}] = await readIncludes({ ...list, include, names }, [entity], { complete: true })
  return { entity, embedded }
}
