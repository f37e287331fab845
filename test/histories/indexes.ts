import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import { table } from '../../shared/store/table.ts'
import type { Random } from './random.ts'

// biome-ignore lint/suspicious/noExplicitAny: attributes of any type
type Item = Readonly<Record<string, any>>

/** The index shows it from one time until another, in milliseconds. */
interface Entry {
  readonly item: Item
  readonly from: number
  until: number
}

/** The maximum milliseconds after which an index shows a write. */
export const LONGEST_INDEX_DELAY = 2_000

/** The maximum number of entries in a response, in place of DynamoDB's limit of 1 MB. */
const PAGE = 25

const pick = (item: Item, names: readonly string[]): Item =>
  Object.fromEntries(names.filter((name) => item[name] !== undefined).map((name) => [name, item[name]]))

/**
 * The indexes of the table, which show every write after a delay, as those of DynamoDB may. A write adds an
 * entry to each index and removes the item's earlier entry. If its sort key has changed, the two have delays
 * of their own, so for a while the index may show the item twice or not at all.
 */
export const delayedIndexes = (random: Random) => {
  const entriesOf = new Map<string, Entry[]>(table.indexes.map(({ name }) => [name, []]))
  const later = () => performance.now() + random.choose(0, 20, 300, LONGEST_INDEX_DELAY)

  const record = (item: Item): void => {
    for (const { name, sortKey } of table.indexes) {
      if (item[sortKey] === undefined) continue
      const entries = entriesOf.get(name)!
      const earlier = entries.findLast((entry) => entry.item.pk === item.pk)
      const from = Math.max(later(), earlier?.from ?? 0)
      if (earlier) {
        const isReplaced = earlier.item[sortKey] === item[sortKey]
        earlier.until = isReplaced ? from : Math.max(later(), earlier.from)
      }
      entries.push({ item, from, until: Number.POSITIVE_INFINITY })
    }
  }

  const query = (request: string): string => {
    const { IndexName, ScanIndexForward, Limit, ...input } = JSON.parse(request)
    const values = unmarshall(input.ExpressionAttributeValues)
    const start = input.ExclusiveStartKey && unmarshall(input.ExclusiveStartKey)
    const { sortKey, projected } = table.indexes.find(({ name }) => name === IndexName)!
    const keys = ['pk', 'sk', 'list', sortKey]
    const isBefore = (one: Item, other: Item): boolean => {
      const [first, second] = [one, other].map((item) => `${item[sortKey]} ${item.pk}`)
      return ScanIndexForward ? first! < second! : first! > second!
    }
    const now = performance.now()
    const found = entriesOf
      .get(IndexName)!
      .filter(({ from, until }) => from <= now && now < until)
      .map(({ item }) => item)
      .filter(({ list, [sortKey]: key }) => {
        return list === values[':list'] && key >= values[':lower'] && key <= values[':upper']
      })
      .filter((item) => !start || isBefore(start, item))
      .sort((one, other) => (isBefore(one, other) ? -1 : 1))
    const page = found.slice(0, Math.min(Limit, PAGE))
    return JSON.stringify({
      Items: page.map((item) => marshall(pick(item, [...keys, ...projected]))),
      ...(page.length < found.length ? { LastEvaluatedKey: marshall(pick(page.at(-1)!, keys)) } : {}),
    })
  }

  return { record, query }
}
