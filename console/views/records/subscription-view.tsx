import { useState } from 'preact/hooks'
import { linkTo, pathWithQuery } from '../../frame/address.ts'
import { useAnswer } from '../../frame/copied.tsx'
import { useSession } from '../../frame/session.ts'
import { useTimeZone } from '../../frame/time-zone.ts'
import type { SubscriptionAnswer } from '../../lists/subscription.ts'
import { Heading } from '../../parts/heading.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Source } from '../../parts/source.tsx'
import { Tile } from '../../parts/tile.tsx'
import { entityLabel } from '../../records/entity-label.ts'
import { ListSums } from '../../tables/list-sums.tsx'
import { RowsTable } from '../../tables/rows-table.tsx'
import { Table } from '../../tables/table.tsx'
import { changeWords, day, money, monthText } from '../../text/format.ts'
import './document.css'

const Now = ({ customer, plans, state, since }: SubscriptionAnswer) => {
  const timeZone = useTimeZone()
  return (
    <div class="tiles">
      <Tile title="Plan" value={plans.map(({ words }) => words).join(' + ')}>
        <a href={linkTo(['customers', customer.id])}>
          <bdi>{customer.name}</bdi>
        </a>
      </Tile>
      <Tile
        title="Monthly value, net"
        value={plans.map(({ monthly }) => money(monthly.amount, monthly.currency)).join(', ')}
      >
        After discounts, without tax
      </Tile>
      <Tile title="State" value={state}>
        {since === undefined ? '' : `Since ${day(since, timeZone)}`}
      </Tile>
    </div>
  )
}

/** Returns what a subscription did, by the kind of its movement. */
const stepWords = (kind: string, isRunning: boolean): string => {
  if (kind === 'new') return 'began'
  if (kind === 'reactivation') return 'resumed'
  if (kind === 'churn') return isRunning ? 'ended or not yet renewed' : 'ended'
  return changeWords(kind, isRunning)
}

/** What changed when, the latest first. */
const Changes = ({ changes, running }: SubscriptionAnswer) => (
  <>
    <h2>What changed when</h2>
    <Table
      label="What changed when"
      columns={['Month', 'Change', 'Before, a month', 'After, a month', 'Difference', 'Why']}
      isNumber={(column) => column >= 2 && column <= 4}
      rows={changes.map(({ month, kind, currency, before, after, amount, why }) => [
        monthText(month),
        stepWords(kind, month === running),
        money(before, currency),
        money(after, currency),
        money(amount, currency),
        why || '–',
      ])}
    />
  </>
)

const History = ({ id }: { readonly id: string }) => {
  const { answer, error } = useAnswer('subscription', id)
  if (error !== undefined) return <Problem error={error} />
  if (!answer)
    return <p class="quiet">No recurring line has been invoiced, or the records are still being read.</p>
  return (
    <>
      <Now {...answer} />
      <Changes {...answer} />
      <h2>Invoices</h2>
      <ListSums sums={answer.sums} columns={answer.columns} noun="invoice" />
      <RowsTable label="Invoices" columns={answer.columns} rows={answer.invoices} noun="invoice" />
    </>
  )
}

/** The page of a subscription: its plan and value now, what changed when, and its invoices. */
export const SubscriptionView = ({ id }: { readonly id: string }) => {
  const { api } = useSession()
  const [label, setLabel] = useState(id)
  const load = async (signal: AbortSignal) => {
    const entity = await api.subscriptions!.retrieve(id, { include: 'external_id', signal })
    setLabel(entityLabel(entity))
    return entity
  }
  return (
    <main>
      <Heading kind="Subscription" name={label} />
      <Loading load={load}>
        {(subscription) => (
          <>
            <History id={subscription.id} />
            <footer class="small">
              <p>
                Id <code>{subscription.id}</code>
              </p>
              <Source
                path={pathWithQuery(['subscriptions', subscription.id], { include: 'external_id' })}
                data={subscription}
              />
            </footer>
          </>
        )}
      </Loading>
    </main>
  )
}
