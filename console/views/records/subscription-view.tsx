import { linkTo } from '../../frame/address.ts'
import { useAnswer } from '../../frame/copy-context.tsx'
import { useTimeZone } from '../../frame/time-zone.ts'
import type { SubscriptionAnswer } from '../../lists/subscription.ts'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Tiles } from '../../parts/tile.tsx'
import { ListTable } from '../../tables/list-table.tsx'
import { Table } from '../../tables/table.tsx'
import { day, monthText } from '../../text/dates.ts'
import { amountsText, changeText, money, signedMoney } from '../../text/format.ts'
import { RecordPage } from './record-page.tsx'

const CurrentState = ({ plans, state, since, planSince }: SubscriptionAnswer) => {
  const timeZone = useTimeZone()
  const dayOf = (seconds: number | undefined) => (seconds === undefined ? '–' : day(seconds, timeZone))
  return (
    <Tiles
      tiles={[
        {
          title: 'Monthly value, net',
          value: amountsText(plans.map(({ monthly }) => monthly)),
          changes: [{ text: 'After discounts, without tax' }],
        },
        { title: 'State', value: state },
        {
          title: 'Since',
          value: dayOf(since),
          changes: planSince === undefined ? [] : [{ text: `With this plan since ${dayOf(planSince)}` }],
        },
      ]}
    />
  )
}

/** The changes of a subscription by month, the latest first. */
const Changes = ({ changes, currentMonth }: SubscriptionAnswer) => (
  <Panel title="Changes" note="a month, net">
    <Table
      label="Changes"
      kind="rows"
      rows={changes}
      columns={[
        { key: 'month', title: 'Month', phone: 'note', cell: ({ month }) => monthText(month) },
        {
          key: 'kind',
          title: 'Change',
          phone: 'name',
          cell: ({ kind, month }) => changeText(kind, month === currentMonth),
        },
        { key: 'why', title: 'Reason', isCut: true, phone: 'note', cell: ({ why }) => why },
        {
          key: 'before',
          title: 'Before',
          isNumber: true,
          cell: ({ before, currency }) => money(before, currency),
        },
        {
          key: 'after',
          title: 'After',
          isNumber: true,
          phone: 'side',
          cell: ({ after, currency }) => money(after, currency),
        },
        {
          key: 'amount',
          title: 'Difference',
          isNumber: true,
          phone: 'amount',
          cell: ({ amount, currency }) => signedMoney(amount, currency),
        },
      ]}
    />
  </Panel>
)

export const SubscriptionHistory = ({ id }: { readonly id: string }) => {
  const { answer, error } = useAnswer('subscription', id)
  if (error !== undefined) return <Problem error={error} />
  if (!answer)
    return <p class="quiet">No recurring line has been invoiced, or the records are still being read.</p>
  const { customer, plans, columns, invoices, sums } = answer
  return (
    <>
      <p>
        <a href={linkTo(['customers', customer.id])}>
          <bdi>{customer.name}</bdi>
        </a>
        : <bdi>{plans.map(({ label }) => label).join(' + ')}</bdi>
      </p>
      <CurrentState {...answer} />
      <Changes {...answer} />
      <Panel title="Invoices">
        <ListTable label="Invoices" columns={columns} rows={invoices} noun="invoice" sums={sums} />
      </Panel>
    </>
  )
}

export const SubscriptionView = ({ id }: { readonly id: string }) => (
  <RecordPage kind="Subscription" plural="subscriptions" id={id} include="external_id">
    {(subscription) => <SubscriptionHistory id={subscription.id} />}
  </RecordPage>
)
