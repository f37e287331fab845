import { BillingApiError } from './error.ts'
import * as api from './generated.ts'
import type {
  AllOptions,
  CallOptions,
  Creates,
  IncludeOptions,
  ListOptions,
  Lists,
  Page,
  Retrieves,
  Updates,
} from './operations.ts'
import { type ClientOptions, type Send, sender } from './transport.ts'

type Parameters = Readonly<Record<string, string | number | readonly string[] | null | undefined>>

const queryOf = (parameters: Parameters): string => {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value == null || value.toString() === '' ? [] : [`${name}=${encodeURIComponent(value.toString())}`],
  )
  return given.length > 0 ? `?${given.join('&')}` : ''
}

/** What a resource is called in envelopes and paths. */
interface Names {
  readonly name: string
  readonly plural: string
}

const collectionOf = ({ plural }: Names): string => `/api/${plural}`

const memberOf = (names: Names, id: string | number): string => {
  // In a URL these would name something else.
  if (/^\.{0,2}$/.test(String(id)))
    throw new BillingApiError(`No ${names.name} can have the id "${id}".`, { status: 0 })
  return `${collectionOf(names)}/${encodeURIComponent(id)}`
}

const entityIn = <Entity>(json: unknown, { name }: Names): Entity =>
  (json as { data: Record<string, Entity> }).data[name] as Entity

/** The filters of a list; to drop an empty one would return everybody's records. */
const filtersIn = (options: object): Parameters => {
  for (const [name, value] of Object.entries(options))
    if (value == null || value === '')
      throw new TypeError(`${name} must be an id (got ${JSON.stringify(value)})`)
  return options as Parameters
}

const lists = <Entity, Embeds, Filters>(send: Send, names: Names): Lists<Entity, Embeds, Filters> => {
  const list = async (options: ListOptions<readonly string[]>): Promise<Page<never>> => {
    const { limit, cursor, include, signal, timeout, retries, ...filters } = options
    const query = queryOf({ limit, cursor, include, ...filtersIn(filters) })
    const json = await send(
      { method: 'GET', path: collectionOf(names) + query },
      { signal, timeout, retries },
    )
    const { data, pagination } = json as {
      data: Record<string, never[]>
      pagination: Omit<Page<never>, 'items'>
    }
    return { items: data[names.plural] as never[], ...pagination }
  }
  async function* all({
    direction,
    ...options
  }: AllOptions<readonly string[]>): AsyncIterableIterator<never> {
    const newer = direction === 'newer'
    let cursor = options.cursor ?? null
    if (newer && cursor === null) return
    do {
      const page: Page<never> = await list({ limit: 100, ...options, cursor })
      yield* newer ? page.items.reverse() : page.items
      cursor = newer ? page.previous_cursor : page.next_cursor
    } while (cursor !== null)
  }
  return { list: (options) => list(options ?? {}), all: (options) => all(options ?? {}) }
}

const creates = <Entity, Body>(send: Send, names: Names): Creates<Entity, Body> => ({
  create: async (body, options: CallOptions = {}) =>
    entityIn(await send({ method: 'POST', path: collectionOf(names), body }, options), names),
})

const retrieves = <Entity, Embeds>(send: Send, names: Names): Retrieves<Entity, Embeds> => ({
  retrieve: async (id, { include, ...options }: IncludeOptions<readonly string[]> = {}) =>
    entityIn(await send({ method: 'GET', path: memberOf(names, id) + queryOf({ include }) }, options), names),
})

const updates = <Entity, Changes>(send: Send, names: Names): Updates<Entity, Changes> => ({
  // A body always goes out, so that no update can turn into an erasure (R10).
  update: async (id, changes, options: CallOptions = {}) =>
    entityIn(
      await send({ method: 'PUT', path: memberOf(names, id), body: { id, ...changes } }, options),
      names,
    ),
  anonymise: async (id, options: CallOptions = {}) =>
    entityIn(await send({ method: 'PUT', path: memberOf(names, id) }, options), names),
})

type Operation = (typeof api.resources)[keyof typeof api.resources]['operations'][number]

const makers: Readonly<Record<Operation, (send: Send, names: Names) => object>> = {
  list: lists,
  create: creates,
  retrieve: retrieves,
  update: updates,
}

/** A client of the API; throws TypeError when base URL, application id or key is missing. */
export const createClient = (options: ClientOptions): api.Client => {
  const send = sender(options)
  const members = Object.entries(api.resources).map(([plural, { name, operations }]) => [
    plural,
    Object.assign({}, ...operations.map((operation) => makers[operation](send, { name, plural }))),
  ])
  return Object.fromEntries(members) as api.Client
}
