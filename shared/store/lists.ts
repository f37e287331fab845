import type { Entity, Resource } from '../contract/resource.ts'
import { type Page, type PageRequest, pageFromItems } from '../pagination/page.ts'
import { entityOf, type Item } from './items.ts'
import { justAfter, justBefore, ordersIn, startOfSecond } from './keys.ts'
import { queryInOrder, type Range } from './query.ts'
import { callsEnded } from './send.ts'
import { currentService } from './service.ts'
import { CHANGE_INDEX, CHILD_INDEX, LIST_INDEX } from './table.ts'

/** A list: an application's entities of one resource, or only the entities under one parent. */
export interface List<R extends Resource> {
  readonly app: string
  /** The number of shards of the application's lists. */
  readonly shards: number
  readonly resource: R
  /** The entity that all entities of the list belong to; absent for the list of an application. */
  readonly parent?: Entity | undefined
}

/** Bounds below and above every order. */
const LOWEST = '!'
const HIGHEST = '~'

/** The whole list, or one side of the position, and the reading direction. */
const rangeOf = ({ parent }: List<Resource>, { position, feed }: PageRequest) => {
  // A feed is read upwards and a list downwards, and their previous pages in the opposite direction.
  const isBackward = position?.direction === 'previous'
  const ascending = feed ? !isBackward : isBackward
  const first = feed ? startOfSecond(feed.since) : LOWEST
  const end = feed ? startOfSecond(feed.until) : HIGHEST
  const lower = position && ascending ? justAfter(position.order) : first
  const upper = position && !ascending ? justBefore(position.order) : end
  const prefix = parent ? `${parent.order}/` : ''
  return { lower: prefix + lower, upper: prefix + upper, ascending }
}

/**
 * The indexes of a list. Under a parent, only entities that never change are listed in the order of changes.
 */
const indexesOf = ({ resource, parent }: List<Resource>, { feed }: PageRequest): Range['indexes'] => {
  if (parent) return [CHILD_INDEX]
  return feed && resource.isMutable ? [LIST_INDEX, CHANGE_INDEX] : [LIST_INDEX]
}

/**
 * One page of a list: newest first or, in a feed, oldest change first (see changes.ts). Every page costs as
 * much as the first, but a page of a feed ends early after many entities in a row that changed later.
 */
export const listEntities = async <R extends Resource>(
  list: List<R>,
  request: PageRequest,
): Promise<Page<Entity<R>>> => {
  const { app, shards, resource } = list
  const { limit, feed } = request
  if (feed && feed.since >= feed.until) return pageFromItems(request, [])
  // Without a hold-back, a call under way could still write below the end of the feed.
  if (feed && currentService().settings().holdBackSeconds === 0) await callsEnded()
  const { items, isCutShort } = await queryInOrder(limit + 1, {
    app,
    shards,
    plural: resource.plural,
    ...rangeOf(list, request),
    indexes: indexesOf(list, request),
    skipsChanged: feed !== undefined,
  })
  const entities = items.map((item) => entityOf(resource, withOrder(item)))
  return pageFromItems(request, entities, isCutShort)
}

/** Adds the order to an entry of the child index, which has it only as a part of its sort key. */
const withOrder = (item: Item): Item =>
  item.order === undefined ? { ...item, order: ordersIn(item.under!).order } : item
