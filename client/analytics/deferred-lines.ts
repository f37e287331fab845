import type { Dataset } from './dataset.ts'
import { compareTexts } from './lines/groups.ts'
import type { Month } from './lines/invoice.ts'
import { planOf } from './lines/line-properties.ts'
import { visitRecognised } from './lines/recognised-lines.ts'
import { recognisedUntil } from './recognition.ts'
import type { DeferredLine } from './types.ts'

/** Returns the lines of which something is deferred or unbilled at the end of a month, or now, with what that is. */
export const deferredLinesIn = (
  dataset: Dataset,
  { month = dataset.currentMonth }: { readonly month?: Month },
): DeferredLine[] => {
  const { invoices, conventions, calendar, now } = dataset
  const end = Math.min(calendar.startOf(month + 1), now)
  const lines: DeferredLine[] = []
  visitRecognised(invoices, conventions, (recognised) => {
    const { invoice, line, currency, net } = recognised
    const until = recognisedUntil(recognised, end)
    const isBilled = invoice.created < end
    const left = isBilled ? net - until : -until
    if (left === 0) return
    lines.push({
      invoice_id: invoice.id,
      customer_id: invoice.customer_id,
      created: invoice.created,
      line_id: line?.id ?? null,
      plan: line ? planOf(line) : { key: '', name: null },
      currency,
      start: recognised.start,
      end: recognised.end,
      net,
      recognised: until,
      deferred: isBilled ? left : 0,
      unbilled: isBilled ? 0 : until,
    })
  })
  return lines.sort((a, b) => compareTexts(a.currency, b.currency) || a.end - b.end)
}
