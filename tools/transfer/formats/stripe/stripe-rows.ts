import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../../../../shared/contract/schema.ts'
import { nameFileInErrors } from '../../input.ts'
import { type Row, skipped, unusableRow } from '../../row.ts'
import { DiskMap } from '../../run-database.ts'
import { couponsOf, isFractionalCoupon } from './discounts.ts'
import { leftOutOf } from './left-out.ts'
import { mapObject } from './mapping.ts'
import type { AcceptanceOptions, MappingContext } from './mapping-context.ts'
import { type NumberedObject, readStripeObjects } from './stripe-objects.ts'
import { listAt, type StripeObject, valueAt } from './values.ts'

/** Whether an object has more than its type and id. */
const hasContent = ({ object: _, id, ...content }: StripeObject): boolean =>
  id !== undefined && Object.keys(content).length > 0

/** The customer and the coupons of an invoice that are not only named by their ids. */
const embeddedIn = (object: StripeObject): StripeObject[] => {
  if (object.object !== 'invoice') return []
  const embedded: StripeObject[] = []
  if (isRecord(object.customer)) embedded.push({ ...object.customer, object: 'customer' })
  for (const coupon of couponsOf(object)) if (isRecord(coupon)) embedded.push({ ...coupon, object: 'coupon' })
  return embedded.filter(hasContent)
}

/** An object itself, or the prices of a subscription's items. */
const pricesIn = (object: StripeObject): unknown[] =>
  object.object === 'price' || object.object === 'plan'
    ? [object]
    : listAt(object, 'items.data').map((item) => valueAt(item, 'price', 'plan'))

/** `interval`, `interval_count` and `usage_type` of the prices in an object. */
export const recurrencesIn = (object: StripeObject): [priceId: string, recurrence: StripeObject][] => {
  const found: [string, StripeObject][] = []
  for (const price of pricesIn(object)) {
    // A plan contains these members itself.
    const recurring = valueAt(price, 'recurring') ?? price
    const interval = valueAt(recurring, 'interval')
    if (interval === undefined) continue
    const interval_count = valueAt(recurring, 'interval_count')
    const usage_type = valueAt(recurring, 'usage_type')
    found.push([String(valueAt(price, 'id')), { interval, interval_count, usage_type }])
  }
  return found
}

/** An object, and its place. */
interface StoredObject extends NumberedObject {
  readonly file: string
}

const objectKey = ({ object, id }: StripeObject): string => `${object} ${id}`
const fractionalKey = (couponId: unknown): string => `fractional ${couponId}`
const recurrenceKey = (priceId: string): string => `recurrence ${priceId}`

/** Different for each object. */
const placeOf = ({ file, row }: StoredObject): string => `${row} ${file}`

const parseOptional = (json: string | undefined): StripeObject | undefined =>
  json === undefined ? undefined : JSON.parse(json)

/**
 * Stores what other objects need to know about an object. The entry of an `objectKey` is `listed` or `deleted` for an object of its
 * own, and the place of the first occurrence for an object that is only embedded.
 */
const storeFacts = (facts: DiskMap, stored: StoredObject): void => {
  const { object } = stored
  facts.set(objectKey(object), object.deleted === true ? 'deleted' : 'listed')
  if (isFractionalCoupon(object)) facts.set(fractionalKey(object.id), '')
  for (const embedded of embeddedIn(object)) {
    const key = objectKey(embedded)
    if (facts.get(key) === undefined) facts.set(key, placeOf(stored))
    if (isFractionalCoupon(embedded)) facts.set(fractionalKey(embedded.id), '')
  }
  for (const [priceId, recurrence] of recurrencesIn(object))
    facts.set(recurrenceKey(priceId), JSON.stringify(recurrence))
}

/** The objects of all files, on disk, and what they contain about each other. */
const stripeAccount = ({ cutsMetadata, recordsOneOffs }: AcceptanceOptions, database: DatabaseSync) => {
  const facts = new DiskMap(database, 'facts')
  database.exec(`CREATE TABLE objects (number INTEGER PRIMARY KEY, file TEXT, row INTEGER, key TEXT, object TEXT);
    CREATE INDEX by_key ON objects (key)`)
  const insert = database.prepare('INSERT INTO objects (file, row, key, object) VALUES (?, ?, ?, ?)')
  const selectAll = database.prepare('SELECT file, row, object FROM objects ORDER BY number')
  const selectLatest = database.prepare(
    'SELECT object FROM objects WHERE key = ? ORDER BY number DESC LIMIT 1',
  )
  const context: MappingContext = {
    cutsMetadata,
    recordsOneOffs,
    recurrence: (priceId) => parseOptional(facts.get(recurrenceKey(priceId))),
    isListed: (type, id) => facts.get(objectKey({ object: type, id })) === 'listed',
    isFractional: (couponId) => facts.get(fractionalKey(couponId)) !== undefined,
    invoice: (invoiceId) =>
      parseOptional(selectLatest.get(`invoice ${invoiceId}`)?.object as string | undefined),
  }
  return {
    context,
    add: (stored: StoredObject): void => {
      const { file, row, object } = stored
      insert.run(file, row, objectKey(object), JSON.stringify(object))
      storeFacts(facts, stored)
    },
    /** In the order in which they were added. */
    objects: function* (): Generator<StoredObject> {
      for (const { file, row, object } of selectAll.iterate())
        yield { file: file as string, row: row as number, object: JSON.parse(object as string) }
    },
    /** Whether an embedded object is in none of the files as an object of its own, and is embedded in `stored` first. */
    isFirstOccurrence: (embedded: StripeObject, stored: StoredObject): boolean =>
      facts.get(objectKey(embedded)) === placeOf(stored),
  }
}

type StripeAccount = ReturnType<typeof stripeAccount>

const rowOf = ({ object, file, row }: StoredObject, context: MappingContext): Row => {
  const mapping = mapObject(object, context)
  const rowOfObject: Row = { type: null, data: object, ...mapping, file, row }
  if (mapping.data === undefined) return rowOfObject
  const leftOut = leftOutOf(object, context)
  return mapping.type === 'invoice'
    ? { ...rowOfObject, leftOut, keepsPrices: true }
    : { ...rowOfObject, leftOut }
}

/** An object that only occurs embedded in others comes before the first of them. */
const rowsOf = (stored: StoredObject, account: StripeAccount): Row[] => {
  const rows: Row[] = []
  for (const embedded of embeddedIn(stored.object))
    if (account.isFirstOccurrence(embedded, stored) && !isFractionalCoupon(embedded))
      rows.push(rowOf({ ...stored, object: embedded }, account.context))
  return [...rows, rowOf(stored, account.context)]
}

/** The row of a list without its last page, which is skipped if the user accepts missing pages. */
const rowOfUnfinished = (url: string, file: string, allowsMissingPages: boolean): Row => {
  const problem = `The list ${url} is incomplete: its last page in the files has "has_more": true. Fetch all pages.`
  const row = unusableRow({ file, row: 0 }, url, problem)
  return allowsMissingPages ? { ...row, result: skipped(problem) } : row
}

/**
 * Yields the rows of files of Stripe objects. Each file is read once. All files are read before the first row is yielded, because
 * objects depend on each other. Throws CommandError for a file that cannot be read.
 */
export async function* readStripeRows(
  files: readonly string[],
  bytesOf: (file: string) => AsyncIterable<Buffer>,
  accepted: AcceptanceOptions,
  database: DatabaseSync,
): AsyncGenerator<Row> {
  const account = stripeAccount(accepted, database)
  /** The file of the first page of each list, by URL. The pages may come in any order. */
  const firstFiles = new Map<string, string>()
  const finishedLists = new Set<string>()
  for (const file of files)
    for await (const found of nameFileInErrors(file, readStripeObjects(bytesOf(file)))) {
      if ('object' in found) account.add({ ...found, file })
      else {
        if (!found.hasMore) finishedLists.add(found.url)
        if (!firstFiles.has(found.url)) firstFiles.set(found.url, file)
      }
    }
  for (const stored of account.objects()) yield* rowsOf(stored, account)
  for (const [url, file] of firstFiles)
    if (!finishedLists.has(url)) yield rowOfUnfinished(url, file, accepted.allowsMissingPages)
}
