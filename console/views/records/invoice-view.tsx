import { BillingConventions } from '../../../client/analytics/lines/billing-conventions.ts'
import { currencyOf, hasPeriod } from '../../../client/analytics/lines/line-properties.ts'
import { periodOf } from '../../../client/analytics/lines/recurring-lines.ts'
import { linkTo } from '../../frame/address.ts'
import { useTimeZone } from '../../frame/time-zone.ts'
import { DescribedTerm } from '../../parts/described-term.tsx'
import { amountsOf } from '../../records/amounts.ts'
import type { Customer, Invoice, RecordedEntity } from '../../records/entities.ts'
import { entityLabel } from '../../records/entity-text.ts'
import { lineText } from '../../records/invoice-text.ts'
import { Table, type TableColumn } from '../../tables/table.tsx'
import { day, period } from '../../text/dates.ts'
import { beginning, money } from '../../text/format.ts'
import { RecordPage } from './record-page.tsx'
import './document.css'

const INCLUDE = 'customer,line_items,price,discounts,external_id'

/** An invoice as the service returns it with these includes. */
type InvoiceWithCustomer = Invoice & RecordedEntity & { readonly customer: Customer & RecordedEntity }

type Line = Invoice['line_items'][number]

interface InvoiceProps {
  readonly invoice: InvoiceWithCustomer
}

/** The conventions by which the invoice is read. They are derived from this invoice alone, since the page has no other. */
const conventionsOf = (invoice: InvoiceWithCustomer) => new BillingConventions([invoice])

const Lines = ({ invoice }: InvoiceProps) => {
  const timeZone = useTimeZone()
  const conventions = conventionsOf(invoice)
  const netOf = conventions.netAmounts(invoice)
  const amount = (
    key: string,
    title: string,
    amountOf: (line: Line) => number | null,
  ): TableColumn<Line> => ({
    key,
    title,
    isNumber: true,
    cell: (line) => {
      const value = amountOf(line)
      return value === null ? null : money(value, currencyOf(line, invoice))
    },
  })
  return (
    <Table
      label="Lines"
      kind="stacked"
      rows={invoice.line_items}
      columns={[
        {
          key: 'what',
          title: 'Description',
          cell: (line) => <bdi>{beginning(lineText(line, invoice, conventions), 200)}</bdi>,
        },
        {
          key: 'period',
          title: 'Period',
          cell: (line) => {
            const { start, end } = periodOf(line, invoice, conventions)
            // Any other line has no period, since it is recognised at once.
            return line.type === 'recurring' || hasPeriod(line) ? period(start, end, timeZone) : null
          },
        },
        amount('discount', 'Discount', ({ discount_amount: discount }) => (discount ? -discount : null)),
        amount('tax', 'Tax', ({ tax_amount: tax }) => tax || null),
        amount('net', 'Net', netOf),
      ]}
    />
  )
}

const Totals = ({ invoice }: InvoiceProps) => {
  const { currency } = invoice
  const { net, tax, discount, total } = amountsOf(invoice, conventionsOf(invoice))
  return (
    <dl class="total">
      {discount !== 0 && (
        <DescribedTerm term="Discounts, included in the net amount">
          {money(-discount, currency)}
        </DescribedTerm>
      )}
      <DescribedTerm term="Net">{money(net, currency)}</DescribedTerm>
      <DescribedTerm term="Tax">{money(tax, currency)}</DescribedTerm>
      <DescribedTerm term="Total" class="big">
        {money(total, currency)}
      </DescribedTerm>
    </dl>
  )
}

const InvoiceFacts = ({ invoice }: InvoiceProps) => {
  const timeZone = useTimeZone()
  const { customer, created, period_start, period_end, discounts, subscription_id } = invoice
  const discountNames = discounts.map(({ name }) => name).join(', ')
  return (
    <dl class="parties">
      <DescribedTerm term="Customer">
        <a href={linkTo(['customers', customer.id])}>
          <bdi>{beginning(entityLabel(customer), 120)}</bdi>
        </a>
        {customer.email && (
          <>
            <br />
            <bdi class="quiet">{beginning(customer.email, 120)}</bdi>
          </>
        )}
      </DescribedTerm>
      <DescribedTerm term="Date">{day(created, timeZone)}</DescribedTerm>
      <DescribedTerm term="Period">{period(period_start, period_end, timeZone)}</DescribedTerm>
      <DescribedTerm term="Subscription">
        <a href={linkTo(['subscriptions', subscription_id])}>History</a>
      </DescribedTerm>
      {discountNames && (
        <DescribedTerm term="Discounts">
          <bdi>{beginning(discountNames, 200)}</bdi>
        </DescribedTerm>
      )}
    </dl>
  )
}

export const InvoicePaper = ({ invoice }: InvoiceProps) => (
  <article class="card paper">
    <InvoiceFacts invoice={invoice} />
    {invoice.line_items.length > 0 ? <Lines invoice={invoice} /> : <p class="quiet">No lines.</p>}
    <Totals invoice={invoice} />
  </article>
)

const INVOICE = 'Invoice'

export const kindOfInvoice = ({ total }: RecordedEntity): string =>
  (total as number) < 0 ? 'Credit note' : INVOICE

export const InvoiceView = ({ id }: { readonly id: string }) => (
  <RecordPage kind={INVOICE} preciseKind={kindOfInvoice} plural="invoices" id={id} include={INCLUDE}>
    {(record) => <InvoicePaper invoice={record as InvoiceWithCustomer} />}
  </RecordPage>
)
