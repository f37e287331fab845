import { recurringByMonth } from '../../../client/analytics/index.ts'
import type { CreateInvoice } from '../../../client/index.ts'
import { money } from '../../../console/text/format.ts'
import { currencies } from '../../../shared/money/currencies.ts'
import { createSeed } from '../../../tools/testing/seed.ts'
import { expectAccessible } from '../steps/accessibility.ts'
import { goTo, openConsole } from '../steps/console.ts'
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

/** The first plan has a price in every currency, each other one in its own or that of the first. */
const currenciesOf = (plan: number): string[] =>
  plan === 0 ? codes : [...new Set([codes[0]!, codes[plan % codes.length]!])]

/** Invoices of a plan in a currency: of the first over more than a year, some with a discount. */
const history = (plan: number, currency: string): CreateInvoice[] =>
  Array.from({ length: plan === 0 ? 14 : 2 }, (_, ago) => {
    const amount = 4900 + 100 * plan
    const discount_amount = plan % 7 === 0 ? 700 : 0
    return {
      ...{ id: `${plan}-${currency}-${ago}`, total: amount - discount_amount, currency },
      ...{ customer_id: `customer-${plan % CUSTOMERS}`, subscription_id: `sub-${plan}-${currency}` },
      ...{ created: firstDay(ago), period_start: firstDay(ago), period_end: firstDay(ago - 1) },
      discounts: discount_amount > 0 ? [`discount-${currency}`] : [],
      line_items: [{ id: '1', amount, discount_amount, price_id: `${plan}-${currency}`, ...recurring }],
    }
  })

const numbers = Array.from({ length: PLANS }, (_, plan) => plan)
const offers = numbers.flatMap((plan) => currenciesOf(plan).map((currency) => ({ plan, currency })))
const seed = {
  customers: numbers.slice(0, CUSTOMERS).map((id) => ({ id: `customer-${id}`, name: hostileName(id) })),
  products: numbers.map((id) => ({ id: `plan-${id}`, name: hostileName(id) })),
  prices: offers.map(({ plan, currency }) => ({
    ...{ id: `${plan}-${currency}`, product_id: `plan-${plan}`, currency, price: 4900, ...recurring },
  })),
  discounts: codes.map((currency) => ({
    ...{ id: `discount-${currency}`, name: hostileName(3), duration: 'once' as const },
    ...{ amount_off: 700, currency },
  })),
  invoices: offers.flatMap(({ plan, currency }) => history(plan, currency)),
}

test('40 plans in 12 currencies with hostile names are shown as what they are', async ({ page, session }) => {
  const { baseUrl, demo } = session.service
  await createSeed(seed, { baseUrl, appId: demo.app_id, apiKey: demo.api_key })
  const include = ['line_items', 'price', 'discounts'] as const
  const invoices = await Array.fromAsync(session.client.invoices.all({ include: [...include] }))
  const recurring = recurringByMonth(invoices, Math.floor(Date.now() / 1000))
  await openConsole(page, session)
  await expect(page.getByText('35 other plans').first()).toBeVisible()
  await expectAccessible(page)
  for (const currency of codes) {
    await page.getByRole('navigation', { name: 'Currency' }).getByRole('link', { name: currency }).click()
    const { months } = recurring.find((each) => each.currency === currency)!
    await expect(page.locator('.big').first()).toHaveText(money(months.at(-1)!.total, currency))
    await expect(page.getByText(/NaN|undefined|Infinity/)).toHaveCount(0)
  }
  await page.setViewportSize({ width: 360, height: 740 })
  await expectAccessible(page)
  await goTo(page, session, 'customers/customer-0')
  await expectAccessible(page)
})
