import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { CustomerChanges } from '../../forms/customer-changes.tsx'
import { linkTo, pathWithQuery } from '../../frame/address.ts'
import type { Resource } from '../../frame/contract.ts'
import { useAnswer, useCopy } from '../../frame/copied.tsx'
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
import { beginning, counted, day, money } from '../../text/format.ts'
import './customer-view.css'

/**
 * Returns the customer as the copy has them, and reads them from the service for the copy: what was changed elsewhere is seen
 * at once.
 */
const useRecord = (id: string) => {
  const { api } = useSession()
  const { save } = useCopy()
  const { answer, pending } = useAnswer('customer', id)
  const [newer, setNewer] = useState<Entity>()
  const [error, setError] = useState<unknown>()
  const [version, setVersion] = useState(0)
  const shown = newer ?? (answer?.customer as Entity | undefined)
  useEffect(() => {
    const ending = new AbortController()
    const read = async () => {
      const at = Date.now()
      const read = await api.customers!.retrieve(id, { include: 'external_id', signal: ending.signal })
      await save('customers', read, at)
      setNewer(read)
    }
    read().catch((thrown) => !ending.signal.aborted && setError(thrown))
    return () => ending.abort()
  }, [id, version])
  // Once the copy has answered again, it has this too, and what another tab has saved since.
  useLayoutEffect(() => {
    if (!pending) setNewer(undefined)
  }, [answer, pending])
  const saved = async (changed: Entity) => {
    await save('customers', changed)
    setNewer({ ...shown, ...changed })
    setVersion(version + 1)
  }
  return { answer, shown, error, version, saved }
}

const amountsText = (amounts: CustomerAnswer['invoiced']): string =>
  amounts.length === 0 ? '–' : amounts.map(({ amount, currency }) => money(amount, currency)).join(', ')

const Summary = (answer: CustomerAnswer) => {
  const timeZone = useTimeZone()
  const { invoiced, billed, invoices, monthly, active, subscriptionCount, since, latest } = answer
  return (
    <div class="tiles">
      <Tile title="Invoiced in all, with tax" value={amountsText(invoiced)}>
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

const Holdings = (answer: CustomerAnswer) => {
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
        <p class="empty">None.</p>
      )}
    </>
  )
}

interface CustomerViewProps {
  readonly resource: Resource
  readonly id: string
}

const SHOWN_METADATA = 12

const metadataText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

/** The customer that the page is about: as in the copy or, once the service has responded, as it is there. */
const Who = ({ entity }: { readonly entity: Partial<Entity> }) => (
  <p class="who">
    <bdi>{beginning(String(entity.email ?? 'No email address'), 330)}</bdi>
    {entity.external_id !== undefined && <code>{beginning(String(entity.external_id), 80)}</code>}
    <code class="quiet">{entity.id}</code>
    {Object.entries((entity.metadata ?? {}) as Readonly<Record<string, unknown>>)
      .slice(0, SHOWN_METADATA)
      .map(([key, value]) => (
        <span key={key} class="quiet">
          <bdi>{`${beginning(key, 40)}: ${beginning(metadataText(value), 60)}`}</bdi>
        </span>
      ))}
  </p>
)

/** The page of a customer: what they paid, what they hold, and every invoice. */
export const CustomerView = ({ resource, id }: CustomerViewProps) => {
  const { mayChange } = useSession()
  const { answer, shown, error, version, saved } = useRecord(id)
  return (
    <main>
      <Heading key={`heading ${version}`} kind="Customer" name={shown ? entityLabel(shown) : id} />
      <p role="status">{version > 0 && 'The change is saved.'}</p>
      {shown && <Who entity={shown} />}
      {error !== undefined && <Problem error={error} />}
      {answer && <Summary {...answer} />}
      {shown && mayChange && (
        <CustomerChanges key={version} resource={resource} customer={shown} onSaved={saved} />
      )}
      {answer && <Holdings {...answer} />}
      {shown && (
        <Source path={pathWithQuery(['customers', shown.id], { include: 'external_id' })} data={shown} />
      )}
    </main>
  )
}
