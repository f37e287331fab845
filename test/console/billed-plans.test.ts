import { planStart } from '../../console/records/billed-plans.ts'
import { invoiceOf, lineOf, priceOf, seconds } from '../client/analytics/invoices.ts'

/** Returns an invoice of a month of a plan, from a date. */
const charge = (plan: string, start: string, amount = 1000) => {
  const period = { period_start: seconds(start), period_end: seconds(start) + 30 * 86_400 }
  return invoiceOf({
    id: `${plan} ${start}`,
    line_items: [lineOf({ ...period, amount, price: priceOf(plan) })],
  })
}

const fleet = [charge('Fleet', '2026-01-01'), charge('Fleet', '2026-02-01')]

it.each([
  ['no other plan', fleet, ['Fleet'], undefined],
  [
    'another plan before',
    [...fleet, charge('Studio', '2026-02-15'), charge('Studio', '2026-03-15')],
    ['Studio'],
    '2026-02-15',
  ],
  [
    'another plan between',
    [...fleet, charge('Studio', '2026-03-01'), charge('Fleet', '2026-04-01')],
    ['Fleet'],
    '2026-04-01',
  ],
  [
    'a credit of the other plan',
    [...fleet, charge('Studio', '2026-02-15'), charge('Fleet', '2026-02-15', -500)],
    ['Studio'],
    '2026-02-15',
  ],
  [
    'another plan that begins together with it, until the next charge',
    [charge('Studio', '2026-01-01'), charge('Fleet', '2026-01-01'), charge('Studio', '2026-02-01')],
    ['Studio'],
    '2026-02-01',
  ],
  ['two current plans', [...fleet, charge('Backup', '2026-02-01')], ['Fleet', 'Backup'], undefined],
  ['no current plan', fleet, [], undefined],
])('the current plan of a subscription with %s has its start', (_, invoices, current, expected) =>
  expect(planStart(invoices, new Set(current))).toBe(expected && seconds(expected)),
)
