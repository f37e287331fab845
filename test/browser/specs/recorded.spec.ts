import { currencies } from '../../../shared/contract/currencies.ts'
import { newApiKey } from '../../../shared/store/credentials.ts'
import { addApiKey } from '../../../tools/applications/api-keys.ts'
import { expect, expectAccessible, expectTroubles, goTo, openConsole, test, upToDate } from './open.ts'

const today = (): string => new Date().toISOString().slice(0, 10)

const bill = (id: string, { price, currency = 'EUR' }: { price?: string; currency?: string } = {}) => ({
  ...{ id, total: 4900, currency, customer_id: 'ann', subscription_id: `sub-${id}` },
  ...{ created: today(), period_start: today(), period_end: '2100-01-01' },
  line_items: [
    {
      ...({ id: '1', amount: 4900, type: 'recurring', interval: 'month', interval_count: 1 } as const),
      ...(price ? { price_id: price } : {}),
    },
  ],
})

test('an empty application says how to begin, and looks again by itself', async ({ page, opened }) => {
  await openConsole(page, opened)
  await expect(page.getByText('No invoice is recorded yet')).toBeVisible()
  await expectAccessible(page)
  const { demo } = opened.service
  await expect(page.locator('pre').first()).toContainText(`-H "x-app-id: ${demo.app_id}"`)
  for (const list of ['customers', 'invoices', 'subscriptions']) {
    await goTo(page, opened, list)
    await expect(page.getByText(`0 ${list}`)).toBeVisible()
  }
  await goTo(page, opened)
  await opened.client.customers.create({ id: 'ann', name: 'Ann' })
  await opened.client.invoices.create(bill('1'))
  await expect(page.getByText('1 invoice and 1 customer, up to date')).toBeVisible()
  await expect(page.locator('.tile', { hasText: 'Monthly recurring' }).getByText('€49.00')).toBeVisible()
  await expect(page.getByText(/NaN|undefined|Infinity/)).toHaveCount(0)
  await expectAccessible(page)
})

test('40 plans in 12 currencies with hostile names are told apart', async ({ page, opened }) => {
  const { customers, products, prices, invoices } = opened.client
  await customers.create({ id: 'ann', name: 'Ann' })
  const name = (index: number) => `=<img src=x onerror=alert(${index})>\u202E${'W'.repeat(index * 4)}`
  const codes = [...currencies].slice(0, 12)
  const monthly = { type: 'recurring', interval: 'month', interval_count: 1 } as const
  for (let index = 0; index < 40; index += 1) {
    await products.create({ id: `plan-${index}`, name: name(index) })
    for (const currency of codes.slice(0, index === 0 ? 12 : 1)) {
      const price = `${index}-${currency}`
      await prices.create({ id: price, product_id: `plan-${index}`, currency, price: 4900, ...monthly })
      await invoices.create(bill(`${price}`, { price, currency }))
    }
  }
  await openConsole(page, opened)
  await expect(page.getByText('35 other plans').first()).toBeVisible()
  await expectAccessible(page)
  for (const currency of codes) {
    await page.getByRole('navigation', { name: 'Currency' }).getByRole('link', { name: currency }).click()
    await expect(page.locator('.tile').first()).not.toContainText('NaN')
  }
  await page.setViewportSize({ width: 360, height: 740 })
  await expectAccessible(page)
})

test('a key that only reads shows no form', async ({ page, opened }) => {
  await opened.client.customers.create({ id: 'ann', name: 'Ann' })
  await openConsole(page, opened)
  await page.getByRole('button', { name: 'Sign out' }).click()
  const { api_key: apiKey } = await addApiKey(opened.service.demo.app_id, {
    apiKey: newApiKey({ isReadOnly: true }),
  })
  await page.getByLabel('API key').fill(apiKey)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await upToDate(page)
  for (const hash of ['customers', 'products', 'customers/ann']) {
    await goTo(page, opened, hash)
    await expect(page.locator('h1:focus')).toBeVisible()
    await expect(page.getByText(/^(Create|Edit|Erase)$/)).toHaveCount(0)
  }
  await expect(page.getByText('Customer since')).toBeVisible()
  expectTroubles(opened, /^$/)
})
