import { type DiskMap, openDiskMap } from './disk-map.ts'
import { objectsIn } from './json-objects.ts'
import { type Row, rowOf, unusable } from './row.ts'
import { couponIsFractional, couponsOf, isCut, mapObject, type Others } from './stripe.ts'
import { at, idAt, type Json, listAt } from './stripe-values.ts'

/** An object in a file, or the end of a page of a list. */
interface Found {
  readonly object: Json
  /** The 1-based number of the object in its file. */
  readonly row: number
}

/** Yields the objects in a stream: single ones, and those in the API's list pages, each page after its objects. */
async function* stripeObjects(stream: AsyncIterable<Buffer>): AsyncGenerator<Found> {
  let row = 0
  for await (const text of objectsIn(stream)) {
    const found = JSON.parse(text) as Json
    const page = found.object === 'list' && Array.isArray(found.data) ? (found.data as Json[]) : undefined
    if (page && !page.every((each) => Object(each) === each))
      throw new Error('a list must contain objects only')
    for (const object of page ?? [found]) {
      row += 1
      yield { object, row }
    }
    if (page) yield { object: { ...found, data: undefined }, row }
  }
}

/** The information from all objects of an import, stored on disk. */
export interface StripeAccount extends Others, StripeOptions {
  /** Returns whether this object, embedded in an object at this place, otherwise occurs only in later objects. */
  isOnlyHere(embedded: Json, place: string): boolean
  /** Registers a recorded row. */
  recorded(row: Row): void
  /** Returns the lists whose last page is missing; those that a file begins. */
  unfinishedListsOf(file: string): string[]
  close(): void
}

/** The losses that an import accepts. */
export interface StripeOptions {
  /** Whether metadata over the service's limit is left out, instead of refusing its customer. */
  readonly cutsMetadata: boolean
  /** Whether an invoice without a subscription is recorded under one of its customer's one-off invoices. */
  readonly recordsOneOffs: boolean
  /** Whether a list may end without its last page. */
  readonly allowsMissingPages: boolean
}

/** Returns the customer and coupons that an invoice embeds. */
export const embeddedIn = (object: Json): Json[] => {
  if (object.object !== 'invoice') return []
  const coupons = couponsOf(object).map((coupon) => ({ ...Object(coupon), object: 'coupon' }))
  const all: Json[] = [{ ...Object(object.customer), object: 'customer' }, ...coupons]
  return all.filter(({ id, ...more }) => id !== undefined && Object.keys(more).length > 1)
}

/** Returns the ids and recurrences of the prices in an object: a price, or those of a subscription's items. */
export const recurrencesIn = (object: Json): [string, Json][] => {
  const prices =
    object.object === 'price' || object.object === 'plan'
      ? [object]
      : listAt(object, 'items.data').map((item) => at(item, 'price', 'plan'))
  return prices.flatMap((price): [string, Json][] => {
    const { interval, interval_count, usage_type } = Object(at(price, 'recurring') ?? price) as Json
    return interval ? [[String(at(price, 'id')), { interval, interval_count, usage_type }]] : []
  })
}

const subscriptionOfLine = (line: Json): unknown =>
  at(line, 'subscription', 'parent.subscription_item_details.subscription')
const isInclusive = (tax: Json): boolean => tax.inclusive === true || tax.tax_behavior === 'inclusive'

/** Returns the parts that a recorded object loses, in words that are the same for all objects. */
export const leftOutOf = (object: Json, others: Others): string[] => {
  const lines = listAt(object, 'lines.data')
  const own = idAt(object, 'subscription', 'parent.subscription_details.subscription')
  const taxes = lines.flatMap((line) => listAt(line, 'taxes', 'tax_amounts'))
  const found = {
    'that it is test data (livemode is false)': object.livemode === false,
    'its test clock': at(object, 'test_clock') !== undefined,
    'its amounts in other currencies (currency_options)':
      Object.keys(Object(object.currency_options)).length > 0,
    'that quantities are divided (transform_quantity)': at(object, 'transform_quantity') !== undefined,
    'a discount of a fraction of a percent': couponsOf(object).some((each) =>
      others.isFractional(String(at(each, 'id') ?? each)),
    ),
    'that a line belongs to another subscription': lines.some(
      (line) => (subscriptionOfLine(line) ?? own) !== own,
    ),
    'that some of its taxes are within the amounts and some on top':
      taxes.some(isInclusive) && !taxes.every(isInclusive),
    'its metadata, which is over the limit': object.object === 'customer' && isCut(object, others),
  }
  return Object.entries(found).flatMap(([what, isFound]) => (isFound ? [`${object.object}: ${what}`] : []))
}

const keyOf = ({ object, id }: Json): string => `${object} ${id}`
const placeOf = (file: string, row: number): string => `${row} ${file}`

const learn = (entries: DiskMap, { object }: Found, place: string): void => {
  entries.set(keyOf(object), 'listed')
  for (const embedded of embeddedIn(object)) {
    const key = keyOf(embedded)
    if (entries.get(key) === undefined) entries.set(key, place)
    if (couponIsFractional(embedded)) entries.set(`fractional ${embedded.id}`, '')
  }
  if (couponIsFractional(object)) entries.set(`fractional ${object.id}`, '')
  for (const [id, recurrence] of recurrencesIn(object))
    entries.set(`recurrence ${id}`, JSON.stringify(recurrence))
}

/** Reads all files once, since objects refer to others that may be in any of them. */
export const readAccount = async (
  files: readonly string[],
  bytesOf: (file: string) => AsyncIterable<Buffer>,
  accepted: StripeOptions,
): Promise<StripeAccount> => {
  const entries = await openDiskMap()
  /** The first file of each list without a last page so far. */
  const lists = new Map<unknown, string | undefined>()
  for (const file of files)
    for await (const found of stripeObjects(bytesOf(file))) {
      const { object, url, has_more } = found.object
      if (object !== 'list') learn(entries, found, placeOf(file, found.row))
      else if (!lists.has(url) || lists.get(url))
        lists.set(url, has_more ? (lists.get(url) ?? file) : undefined)
    }
  return {
    ...accepted,
    recurrence: (id) => JSON.parse(entries.get(`recurrence ${id}`) ?? 'null') ?? undefined,
    isRecorded: (id) => entries.get(`recorded ${id}`) !== undefined,
    recorded: ({ type, id }) => {
      if (type === 'price') entries.set(`recorded ${id}`, '')
    },
    isFractional: (id) => entries.get(`fractional ${id}`) !== undefined,
    isOnlyHere: (embedded, place) => entries.get(keyOf(embedded)) === place,
    unfinishedListsOf: (file) =>
      [...lists].flatMap(([url, beginning]) => (beginning === file ? [String(url)] : [])),
    close: () => entries.close(),
  }
}

const rowFor = (object: Json, place: { file: string; row: number }, account: StripeAccount): Row => {
  const result = mapObject(object, account)
  if ('body' in result) {
    const { type, body, ...erased } = result
    const leftOut = leftOutOf(object, account)
    const row = { ...rowOf(place, type, JSON.stringify(body))!, ...erased, leftOut }
    return type === 'invoice' ? { ...row, keepsPrices: true } : row
  }
  const { type = null } = result as { readonly type?: string }
  return { ...place, type, id: object.id as string, body: JSON.stringify(object), keys: [], ...result }
}

/** Yields the rows of a file of Stripe's objects. Objects that are only embedded in another come before it. */
export async function* stripeRows(
  file: string,
  stream: AsyncIterable<Buffer>,
  account: StripeAccount,
): AsyncGenerator<Row> {
  for await (const { object, row } of stripeObjects(stream)) {
    if (object.object === 'list') continue
    const place = { file, row }
    for (const embedded of embeddedIn(object))
      if (account.isOnlyHere(embedded, placeOf(file, row)) && !couponIsFractional(embedded))
        yield rowFor(embedded, place, account)
    yield rowFor(object, place, account)
  }
  for (const url of account.unfinishedListsOf(file)) {
    const problem = `The list ${url} goes on: its last page has "has_more": true. Fetch all pages.`
    const found = unusable({ file, row: 0 }, url, problem)
    yield account.allowsMissingPages ? { ...found, skip: problem } : found
  }
}
