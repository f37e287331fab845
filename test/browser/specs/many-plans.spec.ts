import { recurringByMonth } from '../../../client/analytics/index.ts'
import type { CreateInvoice } from '../../../client/index.ts'
import { money } from '../../../console/text/format.ts'
import { currencies } from '../../../shared/money/currencies.ts'
import { createSeed } from '../../../tools/testing/seed.ts'
import { range } from '../../support/range.ts'
import { expectAccessible } from '../steps/accessibility.ts'
import { goTo, openConsole, waitUntilSettled } from '../steps/console.ts'
import { expect, test } from '../steps/session.ts'

const PLANS = 40
const CUSTOMERS = 10
const codes = [...currencies].slice(0, 12)
const recurring = { type: 'recurring', interval: 'month', interval_count: 1 } as const

/** Markup, a formula of spreadsheets, text from right to left, and long words. */
const hostileName = (index: number): string =>
  `=<img src=x onerror=alert(${index})>\u202E${'W'.repeat(index * 4)}`

/** The first day of the month that is `ago` months before this one. */
const firstDay = (ago: number): string => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago)).toISOString().slice(0, 10)
}

/** Returns the currencies of a plan: all for the first plan, and the first currency and another one for each other plan. */
const currenciesOf = (plan: number): string[] =>
  plan === 0 ? codes : [...new Set([codes[0]!, codes[plan % codes.length]!])]

/** Returns the invoices of a plan in a currency: over more than a year for the first plan. Those of every seventh plan have a discount. */
const invoicesOf = (plan: number, currency: string): CreateInvoice[] =>
  range(plan === 0 ? 14 : 2).map((ago) => {
    const amount = 4900 + 100 * plan
    const discount_amount = plan % 7 === 0 ? 700 : 0
    return {
      id: `${plan}-${currency}-${ago}`,
      total: amount - discount_amount,
      currency,
      customer_id: `customer-${plan % CUSTOMERS}`,
      subscription_id: `sub-${plan}-${currency}`,
      created: firstDay(ago),
      period_start: firstDay(ago),
      period_end: firstDay(ago - 1),
      discounts: discount_amount > 0 ? [`discount-${currency}`] : [],
      line_items: [{ id: '1', amount, discount_amount, price_id: `${plan}-${currency}`, ...recurring }],
    }
  })

const plans = range(PLANS)
const offers = plans.flatMap((plan) => currenciesOf(plan).map((currency) => ({ plan, currency })))
const seed = {
  customers: range(CUSTOMERS).map((id) => ({ id: `customer-${id}`, name: hostileName(id) })),
  products: plans.map((id) => ({ id: `plan-${id}`, name: hostileName(id) })),
  prices: offers.map(({ plan, currency }) => ({
    id: `${plan}-${currency}`,
    product_id: `plan-${plan}`,
    currency,
    price: 4900,
    ...recurring,
  })),
  discounts: codes.map((currency) => ({
    id: `discount-${currency}`,
    name: hostileName(3),
    duration: 'once' as const,
    amount_off: 700,
    currency,
  })),
  invoices: offers.flatMap(({ plan, currency }) => invoicesOf(plan, currency)),
}

test('the revenue of 40 plans in 12 currencies is shown, and hostile names are shown as text', async ({
  page,
  session,
}) => {
  const { baseUrl, demo } = session.service
  await createSeed(seed, { baseUrl, appId: demo.app_id, apiKey: demo.api_key })
  const include = ['line_items', 'price', 'discounts'] as const
  const invoices = await Array.fromAsync(session.client.invoices.all({ include: [...include] }))
  const expected = recurringByMonth(invoices, Math.floor(Date.now() / 1000))
  await openConsole(page, session)
  await waitUntilSettled(page)
  await expectAccessible(page)
  for (const currency of codes) {
    await page.getByRole('navigation', { name: 'Currency' }).getByRole('link', { name: currency }).click()
    const { months } = expected.find((revenue) => revenue.currency === currency)!
    await expect(page.locator('.big').first()).toHaveText(money(months.at(-1)!.total, currency))
    await expect(page.getByText(/NaN|undefined|Infinity/)).toHaveCount(0)
  }
  await page.setViewportSize({ width: 360, height: 740 })
  await expectAccessible(page)
  await goTo(page, session, 'customers/customer-0')
  await expectAccessible(page)
})
