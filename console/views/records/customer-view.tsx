import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { CustomerChanges } from '../../forms/customer-changes.tsx'
import { linkTo, pathWithQuery } from '../../frame/address.ts'
import type { Resource } from '../../frame/contract.ts'
import { useAnswer, useCopy } from '../../frame/copy-context.tsx'
import { useSession } from '../../frame/session.ts'
import { useTimeZone } from '../../frame/time-zone.ts'
import type { CustomerAnswer } from '../../lists/customer.ts'
import { Heading } from '../../parts/heading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Source } from '../../parts/source.tsx'
import { Tile } from '../../parts/tile.tsx'
import type { Entity } from '../../records/entities.ts'
import { entityLabel } from '../../records/entity-label.ts'
import { RowsTable } from '../../tables/rows-table.tsx'
import { day } from '../../text/dates.ts'
import { amountsText, beginning, counted } from '../../text/format.ts'
import './customer-view.css'

/**
 * Returns the customer, by either id, and the answer that the copy has about them. It also reads the customer from the service and
 * stores them in the copy, so that changes that were made elsewhere appear at once.
 */
const useCustomer = (id: string) => {
  const { api } = useSession()
  const { save } = useCopy()
  const { answer, pending } = useAnswer('customer', id)
  /** The customer as the service has returned them, until the copy answers with the same data. */
  const [newer, setNewer] = useState<Entity>()
  const [error, setError] = useState<unknown>()
  /** The number of changes that the user has saved. */
  const [version, setVersion] = useState(0)
  const customer = newer ?? (answer?.customer as Entity | undefined)
  useEffect(() => {
    const removal = new AbortController()
    const read = async () => {
      const requestedAt = Date.now()
      const current = await api.customers!.retrieve(id, { include: 'external_id', signal: removal.signal })
      await save('customers', current, requestedAt)
      setNewer(current)
    }
    read().catch((thrown) => !removal.signal.aborted && setError(thrown))
    return () => removal.abort()
  }, [id, version])
  // A new answer of the copy contains the newer customer, and what another tab has saved since.
  useLayoutEffect(() => {
    if (!pending) setNewer(undefined)
  }, [answer, pending])
  const onSaved = async (changed: Entity) => {
    await save('customers', changed)
    setNewer({ ...customer, ...changed })
    setVersion(version + 1)
  }
  return { answer, customer, error, version, onSaved }
}

const Summary = (answer: CustomerAnswer) => {
  const timeZone = useTimeZone()
  const { invoiced, billed, invoices, monthly, active, subscriptionCount, since, latest } = answer
  return (
    <div class="tiles">
      <Tile title="Invoiced in total, with tax" value={amountsText(invoiced)}>
        {`${counted(invoices.length, 'invoice')}, ${amountsText(billed)} net`}
      </Tile>
      <Tile title="Monthly value, net" value={amountsText(monthly)}>
        {`${active} active of ${counted(subscriptionCount, 'subscription')}`}
      </Tile>
      <Tile title="Customer since" value={since === undefined ? '–' : day(since, timeZone)}>
        {latest === undefined ? 'No invoice' : `Latest invoice ${day(latest, timeZone)}`}
      </Tile>
    </div>
  )
}

const SubscriptionsAndInvoices = (answer: CustomerAnswer) => {
  const { customer, subscriptions, subscriptionColumns, invoices, invoiceColumns, sums } = answer
  return (
    <>
      <h2>Subscriptions</h2>
      {subscriptions.length > 0 ? (
        <RowsTable
          label="Subscriptions"
          columns={subscriptionColumns}
          rows={subscriptions}
          noun="subscription"
        />
      ) : (
        <p class="empty">No recurring line has been invoiced.</p>
      )}
      <header class="title">
        <h2>Invoices</h2>
        {invoices.length > 0 && (
          <a href={linkTo(['customers', customer.id, 'statement'])}>Statement of account</a>
        )}
      </header>
      {invoices.length > 0 ? (
        <RowsTable label="Invoices" columns={invoiceColumns} rows={invoices} noun="invoice" sums={sums} />
      ) : (
        <p class="empty">There are no invoices.</p>
      )}
    </>
  )
}

/** The maximum number of entries of the metadata that are shown. The JSON at the end of the page has all. */
const SHOWN_METADATA = 12

const metadataText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

/** The email address, the ids and the metadata of a customer. */
const ContactLine = ({ customer }: { readonly customer: Entity }) => {
  const metadata = (customer.metadata ?? {}) as Readonly<Record<string, unknown>>
  return (
    <p class="contact-line">
      <bdi>{beginning(String(customer.email ?? 'No email address'), 330)}</bdi>
      {customer.external_id !== undefined && <code>{beginning(String(customer.external_id), 80)}</code>}
      <code class="quiet">{customer.id}</code>
      {Object.entries(metadata)
        .slice(0, SHOWN_METADATA)
        .map(([key, value]) => (
          <span key={key} class="quiet">
            <bdi>{`${beginning(key, 40)}: ${beginning(metadataText(value), 60)}`}</bdi>
          </span>
        ))}
    </p>
  )
}

interface CustomerViewProps {
  /** The resource of customers. */
  readonly resource: Resource
  /** Either id of the customer. */
  readonly id: string
}

/** The page of a customer: totals, subscriptions and invoices, and the forms that change the customer. */
export const CustomerView = ({ resource, id }: CustomerViewProps) => {
  const { mayChange } = useSession()
  const { answer, customer, error, version, onSaved } = useCustomer(id)
  return (
    <main>
      <Heading key={`heading ${version}`} kind="Customer" name={customer ? entityLabel(customer) : id} />
      <p role="status">{version > 0 && 'The change is saved.'}</p>
      {customer && <ContactLine customer={customer} />}
      {error !== undefined && <Problem error={error} />}
      {answer && <Summary {...answer} />}
      {customer && mayChange && (
        <CustomerChanges key={version} resource={resource} customer={customer} onSaved={onSaved} />
      )}
      {answer && <SubscriptionsAndInvoices {...answer} />}
      {customer && (
        <Source
          path={pathWithQuery(['customers', customer.id], { include: 'external_id' })}
          data={customer}
        />
      )}
    </main>
  )
}
