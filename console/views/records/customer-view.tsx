import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { CustomerChanges } from '../../forms/customer-changes.tsx'
import { linkTo, pathWithQuery } from '../../frame/address.ts'
import type { DocumentedResource } from '../../frame/contract.ts'
import { useAnswer, useCopy } from '../../frame/copy-context.tsx'
import { useSession } from '../../frame/session.ts'
import { useTimeZone } from '../../frame/time-zone.ts'
import type { CustomerAnswer } from '../../lists/customer.ts'
import { DescribedTerm } from '../../parts/described-term.tsx'
import { Developer } from '../../parts/developer.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Tiles } from '../../parts/tile.tsx'
import type { RecordedEntity } from '../../records/entities.ts'
import { entityLabel } from '../../records/entity-text.ts'
import { ListPanel } from '../../tables/list-panel.tsx'
import { day } from '../../text/dates.ts'
import { amountsText, beginning, counted } from '../../text/format.ts'
import './document.css'

/** Also reads the customer from the service and stores them in the copy, so that changes made elsewhere appear at once. */
const useCustomer = (id: string) => {
  const { api } = useSession()
  const { save } = useCopy()
  const { answer, pending } = useAnswer('customer', id)
  /** The customer as the service has returned them, until the copy answers with the same data. */
  const [newer, setNewer] = useState<RecordedEntity>()
  const [error, setError] = useState<unknown>()
  const [version, setVersion] = useState(0)
  const customer = newer ?? (answer?.customer as RecordedEntity | undefined)
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
  const onSaved = async (changed: RecordedEntity) => {
    await save('customers', changed)
    setNewer({ ...customer, ...changed })
    setVersion(version + 1)
  }
  return { answer, customer, error, version, onSaved }
}

const Summary = (answer: CustomerAnswer) => {
  const timeZone = useTimeZone()
  const { invoiced, billed, invoices, monthly, active, subscriptionCount, since, latest, until } = answer
  const dayOf = (seconds: number | undefined) => (seconds === undefined ? '–' : day(seconds, timeZone))
  return (
    <Tiles
      tiles={[
        {
          title: 'Monthly value, net',
          value: amountsText(monthly),
          changes: [{ text: `${active} active of ${counted(subscriptionCount, 'subscription')}` }],
        },
        {
          title: 'Billed in total, net',
          value: amountsText(billed),
          changes: [{ text: `${amountsText(invoiced)} with tax, ${counted(invoices.length, 'invoice')}` }],
        },
        { title: 'Billed until', value: dayOf(until) },
        {
          title: 'Customer since',
          value: dayOf(since),
          changes: [{ text: latest === undefined ? 'No invoice' : `Latest invoice ${dayOf(latest)}` }],
        },
      ]}
    />
  )
}

const SubscriptionsAndInvoices = (answer: CustomerAnswer) => {
  const { subscriptions, subscriptionColumns, invoices, invoiceColumns, sums } = answer
  return (
    <div class="stack">
      <ListPanel
        title="Subscriptions"
        none="No recurring line has been invoiced."
        columns={subscriptionColumns}
        rows={subscriptions}
        noun="subscription"
      />
      <ListPanel
        title="Invoices"
        none="There are no invoices."
        columns={invoiceColumns}
        rows={invoices}
        noun="invoice"
        sums={sums}
      />
    </div>
  )
}

/** The maximum number of entries of the metadata that are shown. The panel for developers has all. */
const SHOWN_METADATA = 12

const metadataText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

const Details = ({ customer }: { readonly customer: RecordedEntity }) => {
  const metadata = Object.entries((customer.metadata ?? {}) as Readonly<Record<string, unknown>>)
  return (
    <Panel title="Details">
      <dl class="facts">
        <DescribedTerm term="Email">
          <bdi>{beginning(String(customer.email ?? 'None'), 330)}</bdi>
        </DescribedTerm>
        {customer.external_id !== undefined && (
          <DescribedTerm term="Your id">
            <bdi>{beginning(String(customer.external_id), 80)}</bdi>
          </DescribedTerm>
        )}
        {metadata.slice(0, SHOWN_METADATA).map(([key, value]) => (
          <DescribedTerm key={key} term={beginning(key, 40)}>
            <bdi>{beginning(metadataText(value), 60)}</bdi>
          </DescribedTerm>
        ))}
      </dl>
    </Panel>
  )
}

interface CustomerViewProps {
  readonly resource: DocumentedResource
  /** Either id of the customer. */
  readonly id: string
}

/** The page of a customer: totals, subscriptions and invoices, and the forms that change the customer. */
export const CustomerView = ({ resource, id }: CustomerViewProps) => {
  const { mayChange } = useSession()
  const { answer, customer, error, version, onSaved } = useCustomer(id)
  return (
    <main>
      <header class="title">
        <Heading key={`heading ${version}`} kind="Customer" name={customer ? entityLabel(customer) : id} />
        <p role="status">{version > 0 && 'The change is saved.'}</p>
        {customer && (
          <span class="push chips">
            {answer && answer.invoices.length > 0 && (
              <a class="link" href={linkTo(['customers', customer.id, 'statement'])}>
                Statement of invoices
              </a>
            )}
            {mayChange && (
              <CustomerChanges key={version} resource={resource} customer={customer} onSaved={onSaved} />
            )}
            <Developer
              path={pathWithQuery(['customers', customer.id], { include: 'external_id' })}
              data={customer}
            />
          </span>
        )}
      </header>
      {error !== undefined && <Problem error={error} />}
      {answer && <Summary {...answer} />}
      <div class="side">
        {answer && <SubscriptionsAndInvoices {...answer} />}
        {customer && <Details customer={customer} />}
      </div>
    </main>
  )
}
