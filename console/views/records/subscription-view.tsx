import { linkTo } from '../../frame/address.ts'
import { useAnswer } from '../../frame/copy-context.tsx'
import { useTimeZone } from '../../frame/time-zone.ts'
import type { SubscriptionAnswer } from '../../lists/subscription.ts'
import { Problem } from '../../parts/problem.tsx'
import { Tile } from '../../parts/tile.tsx'
import { subscriptionChangeText } from '../../records/subscription-change-text.ts'
import { ListSums } from '../../tables/list-sums.tsx'
import { RowsTable } from '../../tables/rows-table.tsx'
import { Table } from '../../tables/table.tsx'
import { day, monthText } from '../../text/dates.ts'
import { amountsText, money } from '../../text/format.ts'
import { RecordPage } from './record-page.tsx'

/** The current plan, its value and the state of a subscription. */
const CurrentState = ({ customer, plans, state, since, planSince }: SubscriptionAnswer) => {
  const timeZone = useTimeZone()
  return (
    <div class="tiles">
      <Tile title="Plan" value={plans.map(({ label }) => label).join(' + ')}>
        <a href={linkTo(['customers', customer.id])}>
          <bdi>{customer.name}</bdi>
        </a>
      </Tile>
      <Tile title="Monthly value, net" value={amountsText(plans.map(({ monthly }) => monthly))}>
        After discounts, without tax
      </Tile>
      <Tile title="State" value={state}>
        {since === undefined ? '' : `Since ${day(since, timeZone)}`}
        {planSince !== undefined && `, with this plan since ${day(planSince, timeZone)}`}
      </Tile>
    </div>
  )
}

/** The changes of a subscription by month, the latest first. */
const Changes = ({ changes, currentMonth }: SubscriptionAnswer) => (
  <>
    <h2>Changes</h2>
    <Table
      label="Changes"
      isStackedOnPhone
      columns={['Month', 'Change', 'Before, a month', 'After, a month', 'Difference', 'Reason']}
      isNumber={(columnIndex) => columnIndex >= 2 && columnIndex <= 4}
      rows={changes.map(({ month, kind, currency, before, after, amount, why }) => [
        monthText(month),
        subscriptionChangeText(kind, month === currentMonth),
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
      <CurrentState {...answer} />
      <Changes {...answer} />
      <h2>Invoices</h2>
      <ListSums sums={answer.sums} columns={answer.columns} noun="invoice" />
      <RowsTable label="Invoices" columns={answer.columns} rows={answer.invoices} noun="invoice" />
    </>
  )
}

/** The page of a subscription: its current plan and value, its changes, and its invoices. */
export const SubscriptionView = ({ id }: { readonly id: string }) => (
  <RecordPage kind="Subscription" plural="subscriptions" id={id} include="external_id">
    {(subscription) => <History id={subscription.id} />}
  </RecordPage>
)
