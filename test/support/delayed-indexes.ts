import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import { table } from '../../shared/store/table.ts'

type Item = Readonly<Record<string, unknown>>

/** An entry of an index, which shows it from one time until another. */
interface Entry {
  readonly item: Item
  readonly from: number
  until: number
}

/** How the indexes behave. Times are in milliseconds. */
interface Delays {
  readonly now: () => number
  /** Returns how long an index takes to show one change. */
  readonly delay: () => number
  /** The most entries of a response, in place of DynamoDB's limit of 1 MB. */
  readonly pageSize: number
}

const pick = (item: Item, names: readonly string[]): Item =>
  Object.fromEntries(names.filter((name) => item[name] !== undefined).map((name) => [name, item[name]]))

/**
 * The indexes of the table, which show every write after a delay, as those of DynamoDB may. A write adds an entry to each
 * index and removes the item's earlier entry. If its sort key has changed, the two have delays of their own, so for a while
 * the index may show the item twice or not at all.
 */
export const delayedIndexes = ({ now, delay, pageSize }: Delays) => {
  const entriesOf = new Map<string, Entry[]>(table.indexes.map(({ name }) => [name, []]))

  /** Records an item as it is after a write. */
  const record = (item: Item): void => {
    for (const { name, sortKey } of table.indexes) {
      if (item[sortKey] === undefined) continue
      const entries = entriesOf.get(name)!
      const earlier = entries.findLast((entry) => entry.item.pk === item.pk)
      const from = Math.max(now() + delay(), earlier?.from ?? 0)
      if (earlier) {
        const isReplaced = earlier.item[sortKey] === item[sortKey]
        earlier.until = isReplaced ? from : Math.max(now() + delay(), earlier.from)
      }
      entries.push({ item, from, until: Number.POSITIVE_INFINITY })
    }
  }

  /** Returns the output of a query as the indexes are now. */
  const query = (input: QueryCommandInput) => {
    const { IndexName, ExpressionAttributeValues: values = {}, ScanIndexForward, Limit = 0 } = input
    const { sortKey, projected } = table.indexes.find(({ name }) => name === IndexName)!
    const keys = ['pk', 'sk', 'list', sortKey]
    const isBefore = (one: Item, other: Item): boolean => {
      const [first, second] = [one, other].map((item) => `${item[sortKey]} ${item.pk}`)
      return ScanIndexForward ? first! < second! : first! > second!
    }
    const found = entriesOf
      .get(IndexName!)!
      .filter(({ from, until }) => from <= now() && now() < until)
      .map(({ item }) => item)
      .filter(({ list, [sortKey]: key }) => {
        const isInRange = (key as string) >= values[':lower'] && (key as string) <= values[':upper']
        return list === values[':list'] && isInRange
      })
      .filter((item) => !input.ExclusiveStartKey || isBefore(input.ExclusiveStartKey, item))
      .sort((one, other) => (isBefore(one, other) ? -1 : 1))
    const page = found.slice(0, Math.min(Limit, pageSize))
    return {
      Items: page.map((item) => pick(item, [...keys, ...projected])),
      ...(page.length < found.length ? { LastEvaluatedKey: pick(page.at(-1)!, keys) } : {}),
    }
  }

  return { record, query }
}
