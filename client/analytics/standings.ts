import type { Book } from './book.ts'
import { countedOf, type Holding } from './holdings.ts'
import { activeInAny } from './movements.ts'
import type { ValuedLine } from './recurring-lines.ts'
import type { Standing } from './types.ts'

/** Returns when a subscription was paid for to the second, by all that is recorded. */
const paidSpans = (lines: readonly ValuedLine[]) => {
  const spans = lines.map(({ currency, start, end, monthly }) => ({
    currency,
    from: start,
    to: end,
    monthly,
  }))
  return activeInAny([...Map.groupBy(spans, ({ currency }) => currency).values()].flatMap(countedOf))
}

const holdsOf = (holdings: readonly Holding[]): Standing['holds'] => {
  const groups = Map.groupBy(holdings, ({ currency, plan }) => `${currency} ${plan.key}`)
  return [...groups.values()].map((held) => ({
    ...held[0]!.plan,
    currency: held[0]!.currency,
    monthly: held.reduce((sum, { monthly }) => sum + monthly, 0),
  }))
}

/** Returns how each subscription with recurring lines stands now. */
export const standingsIn = ({ lines, holdings, calendar, now }: Book): Standing[] => {
  const current = calendar.monthOf(now)
  const held = Map.groupBy(
    holdings.filter(({ to }) => to > current),
    ({ invoice }) => invoice.subscription_id,
  )
  const groups = Map.groupBy(lines, ({ invoice }) => invoice.subscription_id)
  return [...groups].map(([subscription_id, of]) => {
    const mine = held.get(subscription_id) ?? []
    const paid = paidSpans(of)
    return {
      subscription_id,
      customer_id: of[0]!.invoice.customer_id,
      active: activeInAny(mine).length > 0,
      holds: holdsOf(mine).filter(({ monthly }) => monthly !== 0),
      since: paid[0]?.from,
      until: paid.at(-1)?.to,
    }
  })
}
