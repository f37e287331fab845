import { type DiskMap, openDiskMap } from '../../disk-map.ts'
import { type Origin, type Row, rowOf, unusable } from '../../row.ts'
import { objectsIn } from './json-objects.ts'
import {
  type Accepted,
  couponIsFractional,
  couponsOf,
  isCut,
  type MappingContext,
  mapObject,
} from './mapping.ts'
import { idAt, type Json, listAt, valueAt } from './values.ts'

/**
 * Yields the objects in a stream, numbered from 1: single ones, and those in the API's list pages, each page after its objects.
 */
export async function* stripeObjects(stream: AsyncIterable<Buffer>) {
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

const embeddedIn = (object: Json): Json[] => {
  if (object.object !== 'invoice') return []
  const coupons = couponsOf(object).map((coupon) => ({ ...Object(coupon), object: 'coupon' }))
  const all: Json[] = [{ ...Object(object.customer), object: 'customer' }, ...coupons]
  return all.filter(({ id, ...more }) => id !== undefined && Object.keys(more).length > 1)
}

/** Returns the ids and recurrences of the prices in an object, which is a price or a subscription with items. */
export const recurrencesIn = (object: Json): [string, Json][] => {
  const prices =
    object.object === 'price' || object.object === 'plan'
      ? [object]
      : listAt(object, 'items.data').map((item) => valueAt(item, 'price', 'plan'))
  return prices.flatMap((price): [string, Json][] => {
    const { interval, interval_count, usage_type } = Object(valueAt(price, 'recurring') ?? price) as Json
    return interval ? [[String(valueAt(price, 'id')), { interval, interval_count, usage_type }]] : []
  })
}

const subscriptionOfLine = (line: Json): unknown =>
  valueAt(line, 'subscription', 'parent.subscription_item_details.subscription')
const isInclusive = (tax: Json): boolean => tax.inclusive === true || tax.tax_behavior === 'inclusive'

/** Returns what is omitted from an object, in words that do not depend on the object, so that they can be counted. */
export const leftOutOf = (object: Json, context: MappingContext): string[] => {
  const lines = listAt(object, 'lines.data')
  const subscription = idAt(object, 'subscription', 'parent.subscription_details.subscription')
  const taxes = lines.flatMap((line) => listAt(line, 'taxes', 'tax_amounts'))
  const found = {
    'that it is test data (livemode is false)': object.livemode === false,
    'its test clock': valueAt(object, 'test_clock') !== undefined,
    'its amounts in other currencies (currency_options)':
      Object.keys(Object(object.currency_options)).length > 0,
    'that quantities are divided (transform_quantity)': valueAt(object, 'transform_quantity') !== undefined,
    'a discount of a fraction of a percent': couponsOf(object).some((each) =>
      context.isFractional(String(valueAt(each, 'id') ?? each)),
    ),
    'that a line belongs to another subscription': lines.some(
      (line) => (subscriptionOfLine(line) ?? subscription) !== subscription,
    ),
    'that some of its taxes are within the amounts and some on top':
      taxes.some(isInclusive) && !taxes.every(isInclusive),
    'its metadata, which is over the limit': object.object === 'customer' && isCut(object, context),
  }
  return Object.entries(found).flatMap(([what, isFound]) => (isFound ? [`${object.object}: ${what}`] : []))
}

const objectKey = ({ object, id }: Json): string => `${object} ${id}`
const locationOf = ({ file, row }: Origin): string => `${row} ${file}`

/** Stores what other objects may need to know of an object. */
const store = (entries: DiskMap, object: Json, location: string): void => {
  entries.set(objectKey(object), 'listed')
  for (const embedded of embeddedIn(object)) {
    const key = objectKey(embedded)
    if (entries.get(key) === undefined) entries.set(key, location)
    if (couponIsFractional(embedded)) entries.set(`fractional ${embedded.id}`, '')
  }
  if (couponIsFractional(object)) entries.set(`fractional ${object.id}`, '')
  for (const [id, recurrence] of recurrencesIn(object))
    entries.set(`recurrence ${id}`, JSON.stringify(recurrence))
}

/** Reads all files, since objects depend on others in any of them. What is known from all objects is stored on disk. */
export const readAccount = async (
  files: readonly string[],
  objectsOf: (file: string) => ReturnType<typeof stripeObjects>,
  accepted: Accepted,
) => {
  const entries = await openDiskMap()
  /** The first file of each list without a last page so far. */
  const lists = new Map<unknown, string | undefined>()
  for (const file of files)
    for await (const found of objectsOf(file)) {
      const { object, url, has_more } = found.object
      if (object !== 'list') store(entries, found.object, locationOf({ file, row: found.row }))
      else if (!lists.has(url) || lists.get(url))
        lists.set(url, has_more ? (lists.get(url) ?? file) : undefined)
    }
  return {
    ...accepted,
    recurrence: (id: string): Json | undefined =>
      JSON.parse(entries.get(`recurrence ${id}`) ?? 'null') ?? undefined,
    isRecorded: (id: string): boolean => entries.get(`recorded ${id}`) !== undefined,
    /** Must be called with each recorded row. */
    recorded: ({ type, id }: Row): void => {
      if (type === 'price') entries.set(`recorded ${id}`, '')
    },
    isFractional: (id: string): boolean => entries.get(`fractional ${id}`) !== undefined,
    /** Returns whether an embedded object occurs at this location first and nowhere by itself. */
    isFirstOccurrence: (embedded: Json, location: string): boolean =>
      entries.get(objectKey(embedded)) === location,
    /** Returns the URLs of the lists that begin in a file and whose last page is missing. */
    unfinishedListsOf: (file: string): string[] =>
      [...lists].flatMap(([url, firstFile]) => (firstFile === file ? [String(url)] : [])),
    close: (): void => entries.close(),
  }
}
type StripeAccount = Awaited<ReturnType<typeof readAccount>>

const rowFor = (object: Json, origin: Origin, account: StripeAccount): Row => {
  const result = mapObject(object, account)
  if ('body' in result) {
    const { type, body, ...erased } = result
    const leftOut = leftOutOf(object, account)
    const row = { ...rowOf(origin, type, JSON.stringify(body))!, ...erased, leftOut }
    return type === 'invoice' ? { ...row, keepsPrices: true } : row
  }
  const { type = null } = result as { readonly type?: string }
  return { ...origin, type, id: object.id as string, body: JSON.stringify(object), keys: [], ...result }
}

/** Yields the rows of a file of Stripe's objects. An object that only occurs embedded in others precedes the first of them. */
export async function* stripeRows(
  file: string,
  stream: AsyncIterable<Buffer>,
  account: StripeAccount,
): AsyncGenerator<Row> {
  for await (const { object, row } of stripeObjects(stream)) {
    if (object.object === 'list') continue
    const origin = { file, row }
    for (const embedded of embeddedIn(object))
      if (account.isFirstOccurrence(embedded, locationOf(origin)) && !couponIsFractional(embedded))
        yield rowFor(embedded, origin, account)
    yield rowFor(object, origin, account)
  }
  for (const url of account.unfinishedListsOf(file)) {
    const problem = `The list ${url} is incomplete: its last page here has "has_more": true. Fetch all pages.`
    const row = unusable({ file, row: 0 }, url, problem)
    yield account.allowsMissingPages ? { ...row, skip: problem } : row
  }
}
