import type { CreateInvoice } from '../../../client/index.ts'
import { currencies } from '../../../shared/contract/currencies.ts'
import { expect, expectAccessible, goTo, type Opened, openConsole, test } from './open.ts'
import { expectOverview } from './overview-figures.ts'

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

/** Invoices of a plan in a currency over up to eight months, of the first over more than a year: upgrades, ends, a way back, discounts and credits among them. */
const history = function* (plan: number, currency: string): Generator<CreateInvoice> {
  const months = plan === 0 ? 14 : 1 + ((plan * 5) % 8)
  const ids = { customer_id: `customer-${plan % CUSTOMERS}`, subscription_id: `sub-${plan}-${currency}` }
  for (let ago = months - 1; ago >= 0; ago -= 1) {
    const isAway = (plan % 4 === 1 && ago === 0) || (plan % 4 === 2 && ago === 2)
    if (isAway) continue
    const amount = (4900 + 100 * plan) * (plan % 3 === 0 && ago < 2 ? 2 : 1)
    const discount = plan % 7 === 0 ? 700 : 0
    const line = { id: '1', amount, price_id: `${plan}-${currency}`, ...recurring }
    yield {
      ...{ id: `${plan}-${currency}-${ago}`, ...ids, total: amount - discount, currency },
      ...{ created: firstDay(ago), period_start: firstDay(ago), period_end: firstDay(ago - 1) },
      ...(discount ? { discounts: [`discount-${currency}`] } : {}),
      line_items: [{ ...line, ...(discount ? { discount_amount: discount } : {}) }],
    }
  }
  if (plan % 6 === 4)
    yield {
      ...{ id: `${plan}-${currency}-credit`, ...ids, total: -500, currency },
      ...{ created: firstDay(0), period_start: firstDay(0), period_end: firstDay(-1) },
      line_items: [{ id: '1', amount: -500, type: 'one_time' }],
    }
}

const seed = async ({ client }: Opened): Promise<void> => {
  const numbers = Array.from({ length: PLANS }, (_, plan) => plan)
  const offers = numbers.flatMap((plan) => currenciesOf(plan).map((currency) => ({ plan, currency })))
  const outcomes = [
    await client.customers.createAll(
      numbers.slice(0, CUSTOMERS).map((id) => ({ id: `customer-${id}`, name: hostileName(id) })),
    ),
    await client.products.createAll(numbers.map((id) => ({ id: `plan-${id}`, name: hostileName(id) }))),
    await client.prices.createAll(
      offers.map(({ plan, currency }) => ({
        ...{ id: `${plan}-${currency}`, product_id: `plan-${plan}`, currency, price: 4900, ...recurring },
      })),
    ),
    await client.discounts.createAll(
      codes.map((currency) => ({
        id: `discount-${currency}`,
        name: hostileName(3),
        duration: 'once' as const,
        amount_off: 700,
        currency,
      })),
    ),
    await client.invoices.createAll(offers.flatMap(({ plan, currency }) => [...history(plan, currency)])),
  ]
  expect(outcomes.flatMap(({ failed }) => failed)).toEqual([])
}

test('every figure of 40 plans in 12 currencies with hostile names is that of the functions', async ({
  page,
  opened,
}) => {
  await seed(opened)
  const { client } = opened
  const invoices = await Array.fromAsync(
    client.invoices.all({ include: ['line_items', 'price', 'discounts'] }),
  )
  const customers = await Array.fromAsync(client.customers.all())
  const names = new Map(customers.map(({ id, name }) => [id, name!]))
  await openConsole(page, opened)
  await expect(page.getByText('35 other plans').first()).toBeVisible()
  await expectAccessible(page)
  for (const currency of codes) {
    await page.getByRole('navigation', { name: 'Currency' }).getByRole('link', { name: currency }).click()
    await test.step(currency, () => expectOverview(page, { invoices, currency, names }))
  }
  await page.setViewportSize({ width: 360, height: 740 })
  await expectAccessible(page)
  await goTo(page, opened, 'customers/customer-0')
  await expectAccessible(page)
})
