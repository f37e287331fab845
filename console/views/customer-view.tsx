import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { type Column, columns } from '../copy/columns.ts'
import type { CustomerAnswer } from '../copy/customer.ts'
import type { Entity } from '../copy/entities.ts'
import { csvOfRows } from '../copy/lists.ts'
import { linkTo } from '../frame/address.ts'
import type { Resource } from '../frame/contract.ts'
import { useAnswer, useCopy } from '../frame/copied.tsx'
import { useSession } from '../frame/session.ts'
import { CsvButton } from '../parts/download.tsx'
import { Changes } from '../parts/form.tsx'
import { Heading } from '../parts/heading.tsx'
import { labelOf, Source } from '../parts/records.tsx'
import { Problem } from '../parts/requests.tsx'
import { RowsTable } from '../parts/rows-table.tsx'
import { Tile } from '../parts/tiles.tsx'
import { beginning, counted, day, money } from '../text/format.ts'
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

const amounts = (of: CustomerAnswer['invoiced']): string =>
  of.length === 0 ? '–' : of.map(({ amount, currency }) => money(amount, currency)).join(', ')

const Summary = ({
  invoiced,
  invoices,
  monthly,
  active,
  subscriptionCount,
  since,
  latest,
}: CustomerAnswer) => (
  <div class="tiles">
    <Tile title="Invoiced in all" value={amounts(invoiced)}>
      {counted(invoices.length, 'invoice')}
    </Tile>
    <Tile title="Monthly value without tax" value={amounts(monthly)}>
      {`${active} active of ${counted(subscriptionCount, 'subscription')}`}
    </Tile>
    <Tile title="Customer since" value={since === undefined ? '–' : day(since)}>
      {latest === undefined ? 'No invoice' : `Latest invoice ${day(latest)}`}
    </Tile>
  </div>
)

/** Returns the columns without the customer, and without the end of what is paid, which the state says too. */
const ofCustomer = (of: readonly Column[]): Column[] =>
  of
    .filter(({ key }) => key !== 'customer' && key !== 'until')
    .map((column) => ({ ...column, ...(column.key === 'plan' ? { link: 'self' as const } : {}) }))

const invoiceColumns = ofCustomer(columns.invoices)

const Holdings = ({ subscriptions, invoices, name }: CustomerAnswer) => (
  <>
    <h2>Subscriptions</h2>
    {subscriptions.length > 0 ? (
      <RowsTable label="Subscriptions" columns={ofCustomer(columns.subscriptions)} rows={subscriptions} />
    ) : (
      <p class="empty">No recurring line has been invoiced.</p>
    )}
    <header class="title">
      <h2>Invoices</h2>
      {invoices.length > 0 && (
        <div class="actions">
          <CsvButton name={`Invoices of ${name}`} text={() => csvOfRows(invoiceColumns, invoices)} />
          <button type="button" class="csv" onClick={() => print()}>
            Print as a statement
          </button>
        </div>
      )}
    </header>
    {invoices.length > 0 ? (
      <RowsTable label="Invoices" columns={invoiceColumns} rows={invoices} />
    ) : (
      <p class="empty">None.</p>
    )}
  </>
)

interface CustomerViewProps {
  readonly resource: Resource
  readonly id: string
}

/** Whom the page is about, as the service has them now, or the copy until then. */
const Who = ({ entity }: { readonly entity: Partial<Entity> }) => (
  <p class="who">
    <bdi>{beginning(String(entity.email ?? 'No e-mail address'), 330)}</bdi>
    {entity.external_id !== undefined && <code>{beginning(String(entity.external_id), 80)}</code>}
    <code class="quiet">{entity.id}</code>
  </p>
)

/** The page of a customer: what they paid, what they hold, and every invoice. */
export const CustomerView = ({ resource, id }: CustomerViewProps) => {
  const { mayChange } = useSession()
  const { answer, shown, error, version, saved } = useRecord(id)
  return (
    <main>
      <Heading key={`heading ${version}`} kind="Customer" name={shown ? labelOf(shown) : id} />
      <p role="status">{version > 0 && 'The change is saved.'}</p>
      {shown && <Who entity={shown} />}
      {error !== undefined && <Problem error={error} />}
      {answer && <Summary {...answer} />}
      {shown && mayChange && <Changes key={version} resource={resource} entity={shown} saved={saved} />}
      {answer && <Holdings {...answer} />}
      {shown && <Source link={linkTo(['customers', shown.id], { include: 'external_id' })} data={shown} />}
    </main>
  )
}
