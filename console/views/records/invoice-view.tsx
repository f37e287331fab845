import { useState } from 'preact/hooks'
import { BillingConventions } from '../../../client/analytics/lines/billing-conventions.ts'
import { currencyOf } from '../../../client/analytics/lines/line-properties.ts'
import { periodOf } from '../../../client/analytics/lines/recurring-lines.ts'
import { linkTo, pathWithQuery } from '../../frame/address.ts'
import { useSession } from '../../frame/session.ts'
import { useTimeZone } from '../../frame/time-zone.ts'
import { Heading } from '../../parts/heading.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Source } from '../../parts/source.tsx'
import { amountsOf } from '../../records/amounts.ts'
import type { Customer, Entity, Invoice } from '../../records/entities.ts'
import { entityLabel } from '../../records/entity-label.ts'
import { lineWords } from '../../records/words.ts'
import { beginning, day, money, period } from '../../text/format.ts'
import './document.css'

/** An invoice as the service returns it with the includes below. */
type WholeInvoice = Invoice & Entity & { readonly customer: Customer & Entity }

const INCLUDE = 'customer,line_items,price,discounts,external_id'

type Line = Invoice['line_items'][number]

interface LineProps {
  readonly invoice: WholeInvoice
  readonly line: Line
}

/** How the invoice is to be read by what it says alone: the page has no others. */
const conventionsOf = (invoice: WholeInvoice) => new BillingConventions([invoice])

const LineRow = ({ invoice, line }: LineProps) => {
  const timeZone = useTimeZone()
  const conventions = conventionsOf(invoice)
  const currency = currencyOf(line, invoice)
  const { start, end } = periodOf(line, invoice, conventions)
  const discount = line.discount_amount ?? 0
  return (
    <tr>
      <td class="what">
        <bdi>{beginning(lineWords(line, invoice), 200)}</bdi>
      </td>
      <td>{period(start, end, timeZone)}</td>
      <td class="number">{discount === 0 ? '–' : money(-discount, currency)}</td>
      <td class="number">{line.tax_amount ? money(line.tax_amount, currency) : '–'}</td>
      <td class="number">{money(conventions.netAmounts(invoice)(line), currency)}</td>
    </tr>
  )
}

const Lines = ({ invoice }: { readonly invoice: WholeInvoice }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus
  <section class="scroll" tabIndex={0} aria-label="Lines">
    <table>
      <thead>
        <tr>
          <th scope="col">What</th>
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

const Total = ({ invoice }: { readonly invoice: WholeInvoice }) => {
  const { currency } = invoice
  const { net, tax, discount, total } = amountsOf(invoice, conventionsOf(invoice))
  return (
    <dl class="total">
      {discount !== 0 && (
        <div>
          <dt>Discounts, within the net amount</dt>
          <dd>{money(-discount, currency)}</dd>
        </div>
      )}
      <div>
        <dt>Net</dt>
        <dd>{money(net, currency)}</dd>
      </div>
      <div>
        <dt>Tax</dt>
        <dd>{money(tax, currency)}</dd>
      </div>
      <div class="big">
        <dt>Total</dt>
        <dd>{money(total, currency)}</dd>
      </div>
    </dl>
  )
}

const Paper = ({ invoice }: { readonly invoice: WholeInvoice }) => {
  const timeZone = useTimeZone()
  const { customer, created, period_start, period_end, discounts, subscription_id } = invoice
  const discountNames = discounts.map(({ name }) => name).join(', ')
  return (
    <article class="card paper">
      <dl class="facts">
        <div>
          <dt>Customer</dt>
          <dd>
            <a href={linkTo(['customers', customer.id])}>
              <bdi>{beginning(entityLabel(customer), 120)}</bdi>
            </a>
            {customer.email && (
              <>
                <br />
                <bdi class="quiet">{beginning(customer.email, 120)}</bdi>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Date</dt>
          <dd>{day(created, timeZone)}</dd>
        </div>
        <div>
          <dt>Period</dt>
          <dd>{period(period_start, period_end, timeZone)}</dd>
        </div>
        <div>
          <dt>Subscription</dt>
          <dd>
            <a href={linkTo(['subscriptions', subscription_id])}>History</a>
          </dd>
        </div>
        {discountNames && (
          <div>
            <dt>Discounts</dt>
            <dd>
              <bdi>{beginning(discountNames, 200)}</bdi>
            </dd>
          </div>
        )}
      </dl>
      {invoice.line_items.length > 0 ? <Lines invoice={invoice} /> : <p class="quiet">No lines.</p>}
      <Total invoice={invoice} />
    </article>
  )
}

/** The page of an invoice, as a paper: for whom, what, and what it comes to. */
export const InvoiceView = ({ id }: { readonly id: string }) => {
  const { api } = useSession()
  const [label, setLabel] = useState(id)
  const load = async (signal: AbortSignal) => {
    const entity = await api.invoices!.retrieve(id, { include: INCLUDE, signal })
    setLabel(entityLabel(entity))
    return entity as unknown as WholeInvoice
  }
  return (
    <main>
      <Heading kind="Invoice" name={label} />
      <Loading load={load}>
        {(invoice) => (
          <>
            <Paper invoice={invoice} />
            <footer class="small">
              <p>
                Id <code>{invoice.id}</code>
              </p>
              <Source path={pathWithQuery(['invoices', invoice.id], { include: INCLUDE })} data={invoice} />
            </footer>
          </>
        )}
      </Loading>
    </main>
  )
}
