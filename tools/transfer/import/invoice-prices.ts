import { isRecord, type Values } from '../../../shared/contract/schema.ts'
import { invoice } from '../../../shared/resources/invoice.ts'
import type { Row } from './row.ts'
import type { Service } from './service.ts'

/** Returns the row of an invoice with each of its line items replaced by the result of `convert`. */
const mapLineItems = (row: Row, convert: (line: Values, index: number) => Values): Row => {
  const body = JSON.parse(row.body) as Values
  const lines = (body.line_items ?? []) as readonly Values[]
  return { ...row, body: JSON.stringify({ ...body, line_items: lines.map(convert) }) }
}

/** Returns the row of an invoice without the prices that were refused, because an invoice cannot refer to them. */
export const withoutRefusedPrices = (row: Row, refusedPrices: ReadonlySet<string>): Row => {
  if (!row.keepsPrices || refusedPrices.size === 0) return row
  return mapLineItems(row, (line) => {
    const { price_id, ...others } = line
    return refusedPrices.has(String(price_id)) ? others : line
  })
}

/**
 * Returns the row of a recorded invoice with the prices of its recorded line items. A line item keeps its own price only if it was
 * recorded with a price too: if these two differ, the row remains in conflict.
 */
export const withRecordedPrices = async (row: Row, service: Service): Promise<Row> => {
  const entity = await service.find(invoice, String(row.id), ['line_items', 'price', 'external_id'])
  const recorded = (entity?.line_items ?? []) as readonly Values[]
  return mapLineItems(row, (line, index) => {
    const price = recorded[index]?.price
    if (line.price_id && price) return line
    return { ...line, price_id: isRecord(price) ? price.external_id : undefined }
  })
}
