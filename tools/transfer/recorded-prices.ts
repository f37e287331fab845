import { BillingApiError } from '../../client/error.ts'
import type { Row } from './row.ts'
import { entityIn, type Reply, type Service } from './service.ts'

type Line = Readonly<Record<string, unknown>>

/** The lines of a recorded invoice with their prices; none if the invoice is not recorded. */
const recordedLines = async (id: unknown, { get }: Service): Promise<Line[]> => {
  try {
    const path = `/api/invoices/${encodeURIComponent(String(id))}`
    const reply = await get(`${path}?include=line_items,price,external_id`)
    return entityIn(reply, 'invoice').line_items as Line[]
  } catch (error) {
    if (error instanceof BillingApiError && error.status === 404) return []
    throw error
  }
}

/** Returns an invoice's row with the recorded prices in its lines, wherever either side has none. */
const withRecordedPrices = async (row: Row, service: Service): Promise<Row> => {
  const { line_items, ...body } = JSON.parse(row.body) as { readonly line_items: readonly Line[] }
  const recorded = await recordedLines(row.id, service)
  const lines = line_items.map((line, index) => {
    const price = recorded[index]?.price as Line | null | undefined
    return line.price_id && price ? line : { ...line, price_id: price?.external_id }
  })
  return { ...row, body: JSON.stringify({ ...body, line_items: lines }) }
}

/**
 * Sends a row. An invoice of Stripe may have been recorded when other prices were known: if it is refused as a conflict, it
 * is sent once more with the prices that it was recorded with. That records nothing, since its id is taken.
 */
export const createAsRecorded = async (row: Row, service: Service): Promise<Reply> => {
  try {
    return await service.create(row)
  } catch (error) {
    if (!row.keepsPrices || !(error instanceof BillingApiError) || error.status !== 409) throw error
    const other = await withRecordedPrices(row, service)
    if (other.body === row.body) throw error
    return service.create(other).catch((again: unknown) => {
      throw again instanceof BillingApiError && again.status === 409 ? error : again
    })
  }
}
