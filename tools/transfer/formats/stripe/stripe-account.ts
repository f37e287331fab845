import { isRecord } from '../../../../shared/contract/schema.ts'
import { openTemporaryDatabase } from '../../database.ts'
import { type DiskMap, openDiskMap } from '../../disk-map.ts'
import { couponsOf } from './discounts.ts'
import type { Accepted, MappingContext } from './fields.ts'
import { couponIsFractional } from './mapping.ts'
import type { NumberedObject } from './stripe-objects.ts'
import { type Json, listAt, valueAt } from './values.ts'

/** An object, and where it is from. */
export interface StoredObject extends NumberedObject {
  readonly file: string
}

/** Returns the customer and the coupons in an invoice that are more than ids. */
export const embeddedIn = (object: Json): Json[] => {
  if (object.object !== 'invoice') return []
  const embedded: Json[] = []
  if (isRecord(object.customer)) embedded.push({ ...object.customer, object: 'customer' })
  for (const coupon of couponsOf(object)) if (isRecord(coupon)) embedded.push({ ...coupon, object: 'coupon' })
  return embedded.filter(({ id, object: _, ...more }) => id !== undefined && Object.keys(more).length > 0)
}

const pricesIn = (object: Json): unknown[] =>
  isPrice(object) ? [object] : listAt(object, 'items.data').map((item) => valueAt(item, 'price', 'plan'))

const isPrice = ({ object }: Json): boolean => object === 'price' || object === 'plan'

/** Returns the ids and recurrences of the prices in an object, which is a price or a subscription with items. */
export const recurrencesIn = (object: Json): [string, Json][] => {
  const found: [string, Json][] = []
  for (const price of pricesIn(object)) {
    const source = valueAt(price, 'recurring') ?? price
    const interval = valueAt(source, 'interval')
    if (interval === undefined) continue
    const interval_count = valueAt(source, 'interval_count')
    const usage_type = valueAt(source, 'usage_type')
    found.push([String(valueAt(price, 'id')), { interval, interval_count, usage_type }])
  }
  return found
}

const objectKey = ({ object, id }: Json): string => `${object} ${id}`
const locationOf = ({ file, row }: Pick<StoredObject, 'file' | 'row'>): string => `${row} ${file}`

/** Stores what other objects may need to know of an object. */
const storeFacts = (entries: DiskMap, object: Json, location: string): void => {
  entries.set(objectKey(object), object.deleted === true ? 'deleted' : 'listed')
  for (const embedded of embeddedIn(object)) {
    const key = objectKey(embedded)
    if (entries.get(key) === undefined) entries.set(key, location)
    if (couponIsFractional(embedded)) entries.set(`fractional ${embedded.id}`, '')
  }
  if (couponIsFractional(object)) entries.set(`fractional ${object.id}`, '')
  for (const [id, recurrence] of recurrencesIn(object))
    entries.set(`recurrence ${id}`, JSON.stringify(recurrence))
}

/** The objects of all files, kept on disk, and what they say of each other. */
export interface StripeAccount extends MappingContext {
  add(object: StoredObject): void
  /** Returns all objects in the order in which they were added. */
  objects(): Iterable<StoredObject>
  /** Returns whether an embedded object occurs in this object first and nowhere by itself. */
  isFirstOccurrence(embedded: Json, within: StoredObject): boolean
  close(): void
}

/** Opens an account without objects. Throws CommandError if this Node has no SQLite. */
export const openAccount = async (accepted: Accepted): Promise<StripeAccount> => {
  const entries = await openDiskMap()
  const database = await openTemporaryDatabase()
  database.exec(`CREATE TABLE objects (number INTEGER PRIMARY KEY, file TEXT, row INTEGER, key TEXT, object TEXT);
    CREATE INDEX by_key ON objects (key)`)
  const insert = database.prepare('INSERT INTO objects (file, row, key, object) VALUES (?, ?, ?, ?)')
  const select = database.prepare('SELECT file, row, object FROM objects ORDER BY number')
  const last = database.prepare('SELECT object FROM objects WHERE key = ? ORDER BY number DESC LIMIT 1')
  function* objects(): Generator<StoredObject> {
    for (const { file, row, object } of select.iterate())
      yield { file: file as string, row: row as number, object: JSON.parse(object as string) }
  }
  return {
    cutsMetadata: accepted.cutsMetadata,
    recordsOneOffs: accepted.recordsOneOffs,
    add: ({ file, row, object }) => {
      insert.run(file, row, objectKey(object), JSON.stringify(object))
      storeFacts(entries, object, locationOf({ file, row }))
    },
    objects,
    recurrence: (id) => JSON.parse(entries.get(`recurrence ${id}`) ?? 'null') ?? undefined,
    isListed: (id) => entries.get(`price ${id}`) === 'listed' || entries.get(`plan ${id}`) === 'listed',
    hasPrice: (id) => entries.get(`price ${id}`) === 'listed',
    isFractional: (id) => entries.get(`fractional ${id}`) !== undefined,
    invoice: (id) =>
      JSON.parse((last.get(`invoice ${id}`)?.object as string | undefined) ?? 'null') ?? undefined,
    isFirstOccurrence: (embedded, within) => entries.get(objectKey(embedded)) === locationOf(within),
    close: () => {
      entries.close()
      database.close()
    },
  }
}
