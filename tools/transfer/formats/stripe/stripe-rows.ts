import { namingFile } from '../../input.ts'
import { type Draft, unusable } from '../../row.ts'
import type { Accepted } from './fields.ts'
import { leftOutOf } from './left-out.ts'
import { couponIsFractional, mapObject } from './mapping.ts'
import { embeddedIn, openAccount, type StoredObject, type StripeAccount } from './stripe-account.ts'
import { stripeObjects } from './stripe-objects.ts'

/** Returns the row of an object. */
const draftOf = ({ object, file, row }: StoredObject, account: StripeAccount): Draft => {
  const mapping = mapObject(object, account)
  const origin = { file, row }
  if (!('body' in mapping)) return { type: null, ...origin, data: object, ...mapping }
  const { body, ...rest } = mapping
  const leftOut = leftOutOf(object, account)
  const draft = { ...origin, ...rest, data: body, leftOut }
  return rest.type === 'invoice' ? { ...draft, keepsPrices: true } : draft
}

/** Returns the rows of an object. An object that only occurs embedded in others precedes the first of them. */
const draftsOf = (stored: StoredObject, account: StripeAccount): Draft[] => {
  const drafts: Draft[] = []
  for (const embedded of embeddedIn(stored.object))
    if (account.isFirstOccurrence(embedded, stored) && !couponIsFractional(embedded))
      drafts.push(draftOf({ ...stored, object: embedded }, account))
  return [...drafts, draftOf(stored, account)]
}

/** Tells which lists have no last page. */
class Lists {
  /** The first file of each list without a last page so far, by URL; undefined once its last page is there. */
  readonly #firstFiles = new Map<string, string | undefined>()

  add(url: string, hasMore: boolean, file: string): void {
    const isComplete = this.#firstFiles.has(url) && this.#firstFiles.get(url) === undefined
    if (isComplete) return
    this.#firstFiles.set(url, hasMore ? (this.#firstFiles.get(url) ?? file) : undefined)
  }

  /** Returns a row for each list without a last page. */
  unfinished(): Draft[] {
    const drafts: Draft[] = []
    for (const [url, file] of this.#firstFiles) {
      if (file === undefined) continue
      const problem = `The list ${url} is incomplete: its last page here has "has_more": true. Fetch all pages.`
      drafts.push(unusable({ file, row: 0 }, url, problem))
    }
    return drafts
  }
}

/** Yields the rows of files of Stripe's objects, each of which is read once. All are read first, since objects depend on others. */
export async function* stripeDrafts(
  files: readonly string[],
  bytesOf: (file: string) => AsyncIterable<Buffer>,
  accepted: Accepted,
): AsyncGenerator<Draft> {
  const account = await openAccount(accepted)
  const lists = new Lists()
  try {
    for (const file of files)
      for await (const found of namingFile(file, stripeObjects(bytesOf(file)))) {
        if ('object' in found) account.add({ ...found, file })
        else lists.add(found.url, found.hasMore, file)
      }
    for (const stored of account.objects()) yield* draftsOf(stored, account)
    for (const draft of lists.unfinished())
      yield accepted.allowsMissingPages ? { ...draft, skip: draft.problem! } : draft
  } finally {
    account.close()
  }
}
