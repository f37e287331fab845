import { linkTo } from '../../frame/address.ts'
import { useAnswer } from '../../frame/copy-context.tsx'
import { useTimeZone } from '../../frame/time-zone.ts'
import type { SubscriptionAnswer } from '../../lists/subscription.ts'
import { Problem } from '../../parts/problem.tsx'
import { Tiles } from '../../parts/tile.tsx'
import { ListPanel } from '../../tables/list-panel.tsx'
import { day } from '../../text/dates.ts'
import { amountsText } from '../../text/format.ts'
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

export const SubscriptionHistoryView = ({ id }: { readonly id: string }) => {
  const { answer, error } = useAnswer('subscription', id)
  if (error !== undefined) return <Problem error={error} />
  if (!answer)
    return <p class="quiet">No recurring line has been invoiced, or the records are still being read.</p>
  const { customer, plans, columns, invoices, sums, changeColumns, changes } = answer
  return (
    <>
      <p>
        <a href={linkTo(['customers', customer.id])}>
          <bdi>{customer.name}</bdi>
        </a>
        : <bdi>{plans.map(({ label }) => label).join(' + ')}</bdi>
      </p>
      <CurrentState {...answer} />
      <ListPanel title="Changes" note="a month, net" columns={changeColumns} rows={changes} noun="change" />
      <ListPanel title="Invoices" columns={columns} rows={invoices} noun="invoice" sums={sums} />
    </>
  )
}

export const SubscriptionView = ({ id }: { readonly id: string }) => (
  <RecordPage kind="Subscription" plural="subscriptions" id={id} include="external_id">
    {(subscription) => <SubscriptionHistoryView id={subscription.id} />}
  </RecordPage>
)
