import { BillingConventions } from '../../../client/analytics/lines/billing-conventions.ts'
import { currencyOf, hasPeriod } from '../../../client/analytics/lines/line-properties.ts'
import { periodOf } from '../../../client/analytics/lines/recurring-lines.ts'
import { linkTo } from '../../frame/address.ts'
import { useTimeZone } from '../../frame/time-zone.ts'
import { DescribedTerm } from '../../parts/described-term.tsx'
import { amountsOf } from '../../records/amounts.ts'
import type { Customer, Entity, Invoice } from '../../records/entities.ts'
import { entityLabel } from '../../records/entity-text.ts'
import { lineText } from '../../records/invoice-text.ts'
import { day, period } from '../../text/dates.ts'
import { beginning, money } from '../../text/format.ts'
import { RecordPage } from './record-page.tsx'
import '../../tables/table.css'
import './document.css'

const INCLUDE = 'customer,line_items,price,discounts,external_id'

/** An invoice as the service returns it with these includes. */
type InvoiceWithCustomer = Invoice & Entity & { readonly customer: Customer & Entity }

interface InvoiceProps {
  readonly invoice: InvoiceWithCustomer
}

/** The conventions by which the invoice is read. They are derived from this invoice alone, since the page has no other. */
const conventionsOf = (invoice: InvoiceWithCustomer) => new BillingConventions([invoice])

interface LineProps extends InvoiceProps {
  readonly line: Invoice['line_items'][number]
}

const LineRow = ({ invoice, line }: LineProps) => {
  const timeZone = useTimeZone()
  const conventions = conventionsOf(invoice)
  const currency = currencyOf(line, invoice)
  const { discount_amount: discount, tax_amount: tax } = line
  const { start, end } = periodOf(line, invoice, conventions)
  // Any other line has no period, since it is recognised at once.
  const linePeriod = line.type === 'recurring' || hasPeriod(line) ? period(start, end, timeZone) : '–'
  return (
    <tr>
      <td class="what">
        <bdi>{beginning(lineText(line, invoice, conventions), 200)}</bdi>
      </td>
      <td data-title="Period">{linePeriod}</td>
      <td class="number" data-title="Discount">
        {discount ? money(-discount, currency) : '–'}
      </td>
      <td class="number" data-title="Tax">
        {tax ? money(tax, currency) : '–'}
      </td>
      <td class="number" data-title="Net">
        {money(conventions.netAmounts(invoice)(line), currency)}
      </td>
    </tr>
  )
}

const Lines = ({ invoice }: InvoiceProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the element that has the focus
  <section class="scroll" tabIndex={0} aria-label="Lines">
    <table class="stacked">
      <thead>
        <tr>
          <th scope="col">Description</th>
          <th scope="col">Period</th>
          <th scope="col" class="number">
            Discount
          </th>
          <th scope="col" class="number">
            Tax
          </th>
          <th scope="col" class="number">
            Net
          </th>
        </tr>
      </thead>
      <tbody>
        {invoice.line_items.map((line) => (
          <LineRow key={line.id} invoice={invoice} line={line} />
        ))}
      </tbody>
    </table>
  </section>
)

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

export const kindOfInvoice = ({ total }: Entity): string => ((total as number) < 0 ? 'Credit note' : INVOICE)

/** The page of an invoice, which can be printed. */
export const InvoiceView = ({ id }: { readonly id: string }) => (
  <RecordPage kind={INVOICE} preciseKind={kindOfInvoice} plural="invoices" id={id} include={INCLUDE}>
    {(record) => <InvoicePaper invoice={record as InvoiceWithCustomer} />}
  </RecordPage>
)
