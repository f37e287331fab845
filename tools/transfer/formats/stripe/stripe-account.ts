import type { DatabaseSync } from 'node:sqlite'
import { DiskMap } from '../../run-database.ts'
import { isFractionalCoupon } from './discounts.ts'
import type { AcceptanceOptions, MappingContext } from './mapping-context.ts'
import { embeddedIn, recurrencesIn } from './related-objects.ts'
import type { NumberedObject } from './stripe-objects.ts'
import type { StripeObject } from './values.ts'

/** An object, and its place. */
export interface StoredObject extends NumberedObject {
  readonly file: string
}

const objectKey = ({ object, id }: StripeObject): string => `${object} ${id}`
const fractionalKey = (couponId: unknown): string => `fractional ${couponId}`
const recurrenceKey = (priceId: string): string => `recurrence ${priceId}`

/** Returns the place of an object as a text, which is different for each object. */
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

/** The objects of all files, stored on disk, and what they contain about each other. */
export interface StripeAccount extends MappingContext {
  add(object: StoredObject): void
  /** Returns all objects in the order in which they were added. */
  objects(): Iterable<StoredObject>
  /** Returns whether an embedded object is in none of the files as an object of its own, and is embedded in `stored` first. */
  isFirstOccurrence(embedded: StripeObject, stored: StoredObject): boolean
}

export const stripeAccount = (
  { cutsMetadata, recordsOneOffs }: AcceptanceOptions,
  database: DatabaseSync,
): StripeAccount => {
  const facts = new DiskMap(database, 'facts')
  database.exec(`CREATE TABLE objects (number INTEGER PRIMARY KEY, file TEXT, row INTEGER, key TEXT, object TEXT);
    CREATE INDEX by_key ON objects (key)`)
  const insert = database.prepare('INSERT INTO objects (file, row, key, object) VALUES (?, ?, ?, ?)')
  const selectAll = database.prepare('SELECT file, row, object FROM objects ORDER BY number')
  const selectLatest = database.prepare(
    'SELECT object FROM objects WHERE key = ? ORDER BY number DESC LIMIT 1',
  )
  const isListed = (type: string, id: string): boolean => facts.get(`${type} ${id}`) === 'listed'
  function* objects(): Generator<StoredObject> {
    for (const { file, row, object } of selectAll.iterate())
      yield { file: file as string, row: row as number, object: JSON.parse(object as string) }
  }
  return {
    cutsMetadata,
    recordsOneOffs,
    add: (stored) => {
      const { file, row, object } = stored
      insert.run(file, row, objectKey(object), JSON.stringify(object))
      storeFacts(facts, stored)
    },
    objects,
    recurrence: (priceId) => parseOptional(facts.get(recurrenceKey(priceId))),
    isListed: (priceId) => isListed('price', priceId) || isListed('plan', priceId),
    hasPrice: (priceId) => isListed('price', priceId),
    isFractional: (couponId) => facts.get(fractionalKey(couponId)) !== undefined,
    invoice: (invoiceId) =>
      parseOptional(selectLatest.get(`invoice ${invoiceId}`)?.object as string | undefined),
    isFirstOccurrence: (embedded, stored) => facts.get(objectKey(embedded)) === placeOf(stored),
  }
}
