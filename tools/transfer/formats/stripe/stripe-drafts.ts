import type { DatabaseSync } from 'node:sqlite'
import type { Draft } from '../../draft.ts'
import { nameFileInErrors } from '../../input.ts'
import { isFractionalCoupon } from './discounts.ts'
import { leftOutOf } from './left-out.ts'
import { mapObject } from './mapping.ts'
import type { AcceptanceOptions } from './mapping-context.ts'
import { embeddedIn } from './related-objects.ts'
import { type StoredObject, type StripeAccount, stripeAccount } from './stripe-account.ts'
import { readStripeObjects } from './stripe-objects.ts'
import { UnfinishedLists } from './unfinished-lists.ts'

/** Returns the row of an object. */
const draftOf = ({ object, file, row }: StoredObject, account: StripeAccount): Draft => {
  const mapping = mapObject(object, account)
  const origin = { file, row }
  if (!('body' in mapping)) return { type: null, ...origin, data: object, ...mapping }
  const { body, ...details } = mapping
  const draft: Draft = { ...origin, ...details, data: body, leftOut: leftOutOf(object, account) }
  return draft.type === 'invoice' ? { ...draft, keepsPrices: true } : draft
}

/** Returns the rows of an object. An object that only occurs embedded in others comes before the first of them. */
const draftsOf = (stored: StoredObject, account: StripeAccount): Draft[] => {
  const drafts: Draft[] = []
  for (const embedded of embeddedIn(stored.object))
    if (account.isFirstOccurrence(embedded, stored) && !isFractionalCoupon(embedded))
      drafts.push(draftOf({ ...stored, object: embedded }, account))
  return [...drafts, draftOf(stored, account)]
}

/**
 * Yields the rows of files of Stripe objects. Each file is read once. All files are read before the first row is yielded, because
 * objects depend on each other. Throws CommandError for a file that cannot be read.
 */
export async function* readStripeDrafts(
  files: readonly string[],
  bytesOf: (file: string) => AsyncIterable<Buffer>,
  accepted: AcceptanceOptions,
  database: DatabaseSync,
): AsyncGenerator<Draft> {
  const account = stripeAccount(accepted, database)
  const unfinishedLists = new UnfinishedLists()
  for (const file of files)
    for await (const found of nameFileInErrors(file, readStripeObjects(bytesOf(file)))) {
      if ('object' in found) account.add({ ...found, file })
      else unfinishedLists.add(found, file)
    }
  for (const stored of account.objects()) yield* draftsOf(stored, account)
  yield* unfinishedLists.drafts(accepted.allowsMissingPages)
}
