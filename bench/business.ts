import type { RecordedEntity } from '../console/records/entities.ts'
import { chunks } from '../shared/store/read.ts'
import { recordedInvoices } from '../test/support/recorded-invoices.ts'
import { businessUntil, firstMonthOfBusiness } from '../tools/business/business.ts'

/** Many businesses as pages of a list of their invoices, for measuring the figures. */

const TODAY = '2026-06-19'
const PAGE = 100
const FIRST_MONTHS = 90
/** Periods of a business begin at the same minute, none in the last one of a day, which may be an inclusive end. */
const MINUTES = 1_439

/** They begin in different months, and bill at different times of the day. */
const invoicesOf = (business: number): RecordedEntity[] => {
  const firstMonth = firstMonthOfBusiness(TODAY) - (business % FIRST_MONTHS)
  const secondOfDay = (business % MINUTES) * 60
  return recordedInvoices(businessUntil(firstMonth, TODAY), secondOfDay).map((invoice) => ({
    ...invoice,
    id: `inv_${business}_${invoice.id}`,
    external_id: invoice.id,
    customer_id: `cus_${business}_${invoice.customer_id}`,
    subscription_id: `sub_${business}_${invoice.subscription_id}`,
    changed: invoice.created,
  }))
}

/** As from JSON that a browser reads: no two pages share an object. */
const copyOf = (page: readonly RecordedEntity[]): RecordedEntity[] => JSON.parse(JSON.stringify(page))

/** At least `count` invoices: a business has all of its invoices. */
export function* pagesOfInvoices(count: number): Generator<RecordedEntity[]> {
  let invoices = 0
  for (let business = 0; invoices < count; business += 1)
    for (const page of chunks(invoicesOf(business), PAGE)) {
      invoices += page.length
      yield copyOf(page)
    }
}
