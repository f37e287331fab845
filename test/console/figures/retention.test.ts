import type { Movement } from '../../../client/analytics/index.ts'
import { retentionSince } from '../../../console/figures/retention.ts'

const movement = (customer_id: string, month: number, amount: number): Movement => ({
  customer_id,
  month,
  amount,
  currency: 'EUR',
  kind: 'new',
})

it('retention compares the revenue of the customers who paid at the end of a month with their revenue now', () => {
  const movements = [
    movement('kept', 600, 1000),
    movement('grown', 599, 500),
    movement('grown', 601, 300),
    movement('gone', 600, 700),
    movement('gone', 602, -700),
    movement('back', 600, 200),
    movement('back', 601, -200),
    movement('back', 603, 250),
    movement('later', 601, 9000),
  ]
  expect(retentionSince(movements, 600)).toEqual({ month: 600, start: 2400, kept: 2050, lost: 700 })
})
