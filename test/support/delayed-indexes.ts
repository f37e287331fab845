import { type AttributeValue, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { table } from '../../shared/store/table.ts'
import { localClient } from '../../tools/local/database.ts'
import type { EngineResponse, WireCall, WireFault } from './fault-proxy.ts'

type RawItem = Record<string, AttributeValue>

/** An item as a write left it, and when each index shows that write. */
interface Version {
  readonly item: RawItem
  /** By index: when the entry with the new values appears, and when the one at an earlier place disappears. */
  readonly shown: ReadonlyMap<string, { readonly put: number; readonly removed: number }>
}

/** What a delayed index needs to know of its surroundings. */
interface IndexDelays {
  readonly now: () => number
  /** Returns the delay of one change of an index, in milliseconds. */
  readonly delay: () => number
  /** The most entries of a response, which stands for the limit of 1 MB. */
  readonly most: number
}

interface Query {
  readonly IndexName: string
  readonly ExpressionAttributeValues: Record<':list' | ':lower' | ':upper', { readonly S: string }>
  readonly ScanIndexForward: boolean
  readonly Limit: number
  readonly ExclusiveStartKey?: RawItem
}

const text = (value: AttributeValue | undefined): string => value?.S ?? ''
const bodyOf = ({ body }: WireCall) => JSON.parse(body.toString())

/** The keys of the entities that a call writes. */
const written = (call: WireCall): RawItem[] => {
  const { Item, Key, TransactItems = [] } = bodyOf(call)
  const puts = (TransactItems as { Put?: { Item: RawItem } }[]).map(({ Put }) => Put?.Item)
  return [Item, Key, ...puts].filter((each) => text(each?.sk) === 'ENTITY').map(({ pk, sk }) => ({ pk, sk }))
}

/** Returns the entries of an index of one item's versions at a time. While an entry moves, there may be two or none. */
const entriesAt = (versions: readonly Version[], index: (typeof table.indexes)[number], time: number) =>
  versions
    .filter(({ item, shown }, number) => {
      if (!item[index.sortKey] || shown.get(index.name)!.put > time) return false
      return !versions.slice(number + 1).some((later) => {
        const { put, removed } = later.shown.get(index.name)!
        const moves = text(later.item[index.sortKey]) !== text(item[index.sortKey])
        return (moves ? removed : put) <= time
      })
    })
    .map(({ item }) => {
      const names = ['pk', 'sk', 'list', index.sortKey, ...index.projected]
      return Object.fromEntries(names.flatMap((name) => (item[name] ? [[name, item[name]]] : []))) as RawItem
    })

/**
 * Indexes that show each write only after a delay of its own. `land` forwards a write to the engine; `query` returns a
 * query as the delayed indexes would.
 */
export const delayedIndexes = ({ now, delay, most }: IndexDelays) => {
  const client = localClient(process.env.TEST_ENGINE as string)
  const versions = new Map<string, Version[]>()
  let landing: Promise<unknown> = Promise.resolve()

  const remember = async (TableName: string, Key: RawItem): Promise<void> => {
    const { Item: item } = await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))
    if (!item) return
    const before = versions.get(text(Key.pk)) ?? []
    const shown = table.indexes.map(({ name }) => {
      const last = before.at(-1)?.shown.get(name)
      const put = now() + delay()
      const removed = now() + delay()
      return [
        name,
        { put: Math.max(put, last?.put ?? 0), removed: Math.max(removed, last?.put ?? 0) },
      ] as const
    })
    versions.set(text(Key.pk), [...before, { item, shown: new Map(shown) }])
  }
  const forward = async (call: WireCall): Promise<EngineResponse> => {
    const response = await call.forward()
    const { TableName, TransactItems } = bodyOf(call)
    const name = TableName ?? TransactItems?.[0].Put.TableName
    if (response.status === 200) for (const key of written(call)) await remember(name, key)
    return response
  }
  /** Forwards a write. One lands after the other. */
  const land = (call: WireCall): Promise<EngineResponse> => {
    const landed = landing.then(() => forward(call))
    landing = landed
    return landed
  }
  const query: WireFault = (call) => {
    const { IndexName, ExpressionAttributeValues: values, ...rest }: Query = bodyOf(call)
    const { ScanIndexForward: ascending, Limit, ExclusiveStartKey } = rest
    const index = table.indexes.find(({ name }) => name === IndexName)!
    const placeOf = (item: RawItem) => text(item[index.sortKey]) + text(item.pk)
    const isBefore = (one: string, other: string) => (ascending ? one < other : one > other)
    const found = [...versions.values()]
      .flatMap((each) => entriesAt(each, index, now()))
      .filter((item) => text(item.list) === values[':list'].S)
      .filter((item) => text(item[index.sortKey]) >= values[':lower'].S)
      .filter((item) => text(item[index.sortKey]) <= values[':upper'].S)
      .filter((item) => !ExclusiveStartKey || isBefore(placeOf(ExclusiveStartKey), placeOf(item)))
      .sort((one, other) => (isBefore(placeOf(one), placeOf(other)) ? -1 : 1))
    const Items = found.slice(0, Math.min(Limit, most))
    const { pk, sk, list, [index.sortKey]: place } = Items.at(-1) ?? {}
    const LastEvaluatedKey =
      Items.length < found.length ? { pk, sk, list, [index.sortKey]: place } : undefined
    call.response
      .writeHead(200, { 'content-type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify({ Items, Count: Items.length, ScannedCount: Items.length, LastEvaluatedKey }))
  }
  const isWrite = (call: WireCall): boolean =>
    /Put|Update|Transact/.test(targetOf(call)) && written(call).length > 0
  const isQuery = (call: WireCall): boolean => /Query/.test(targetOf(call)) && Boolean(bodyOf(call).IndexName)
  return { land, query, isWrite, isQuery, stop: () => client.destroy() }
}

const targetOf = ({ request }: WireCall): string => String(request.headers['x-amz-target'])
