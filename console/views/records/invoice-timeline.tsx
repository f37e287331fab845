import { linkTo } from '../../frame/address.ts'
import type { Resource } from '../../frame/contract.ts'
import { useTimeZone } from '../../frame/time-zone.ts'
import type { Entity } from '../../records/entities.ts'
import { FieldValue } from '../../tables/field-value.tsx'
import { RecordTable } from '../../tables/record-table.tsx'
import { time } from '../../text/dates.ts'
import { beginning, money } from '../../text/format.ts'
import './invoice-timeline.css'

interface InvoiceLinesProps {
  /** The resource of invoices. */
  readonly resource: Resource
  readonly invoice: Entity
}

/** The line items of an invoice, in their order. A line item without a currency is in the currency of the invoice. */
const InvoiceLines = ({ resource, invoice }: InvoiceLinesProps) => {
  const lines = (invoice.line_items as Entity[]).map((line) => ({
    ...line,
    currency: line.currency ?? invoice.currency,
  }))
  return <RecordTable label="Lines" fields={resource.fields.line_items!.items!.properties!} records={lines} />
}

interface InvoiceTimelineProps {
  /** The resource of invoices. */
  readonly resource: Resource
  /** Invoices as the service lists them, with their line items and discounts. */
  readonly invoices: readonly Entity[]
}

/** Invoices with their times, as collapsible entries that contain the line items. */
export const InvoiceTimeline = ({ resource, invoices }: InvoiceTimelineProps) => {
  const timeZone = useTimeZone()
  return (
    <ol class="timeline">
      {invoices.map((invoice) => {
        const { id, external_id, created, total, currency, discounts } = invoice
        return (
          <li key={id}>
            <details class="card">
              <summary>
                <span class="quiet">{time(created as number, timeZone)}</span>
                <bdi>{beginning(String(external_id), 60)}</bdi>
                <span>{money(total as number, currency as string)}</span>
              </summary>
              <p>
                <a href={linkTo(['invoices', id])}>Open the invoice</a> · Discounts:{' '}
                <FieldValue value={discounts} schema={resource.fields.discounts} currency={currency} />
              </p>
              <InvoiceLines resource={resource} invoice={invoice} />
            </details>
          </li>
        )
      })}
    </ol>
  )
}
