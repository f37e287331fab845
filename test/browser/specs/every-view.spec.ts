import { hostileCustomer, hostileCustomerPath } from '../records/hostile-customer.ts'
import { expectAccessible } from '../steps/accessibility.ts'
import { goTo, openConsole } from '../steps/console.ts'
import { expect, expectTroubles, type Page, type Session, testOnDemo as test } from '../steps/session.ts'

/** A selector of what each view shows once it is loaded, by its address. */
const views: Readonly<Record<string, string>> = {
  '': '.tile',
  products: 'tbody tr',
  '?currency=JPY&months=all': '.tile',
  'finance?months=all': '.average',
  'prices?limit=50': 'tbody tr',
  discounts: 'tbody tr',
  customers: 'tbody tr',
  'invoices?kind=credits': 'tbody tr',
  'movements?by=country': '.kinds',
  subscriptions: 'tbody tr',
  'customers/C-1002': '.tile',
  'products/team': 'tbody tr',
  'discounts/welcome': '.tile',
  'subscriptions?within=2020': '.empty',
  'movements?customers=lost&within=2020-01': '.empty',
  'find?id=nowhere': '.empty',
  'invoices/nowhere': '[role=alert]',
  'customers/nobody': '[role=alert]',
  banana: 'main > a',
  [hostileCustomerPath]: '.side .facts',
}

const expectEveryView = async (page: Page, session: Session): Promise<void> => {
  for (const [hash, selector] of Object.entries(views)) {
    await goTo(page, session, hash)
    await expect(page.locator(selector).first()).toBeVisible()
    await expect(page.locator('h1:focus')).toBeVisible()
    await test.step(`#/${hash}`, () => expectAccessible(page))
  }
}

test('every view is accessible and fits the screen, also in dark mode, 360 pixels wide', async ({
  page,
  session,
}) => {
  test.slow()
  await session.client.customers.create(hostileCustomer)
  await openConsole(page, session)
  await expectEveryView(page, session)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 360, height: 740 })
  await expectEveryView(page, session)
  const bar = await page.locator('.top-bar').boundingBox()
  expect(bar!.height).toBeLessThan(64)
  expectTroubles(session, /responded with a status of (404|422)/)
})

test('the overview has six equal tiles and is at most 1,900 pixels high on a wide screen', async ({
  page,
  session,
}) => {
  await openConsole(page, session)
  await expect(page.locator('.tile')).toHaveCount(6)
  const widths = await page.locator('.tile').evaluateAll((tiles) => tiles.map((tile) => tile.clientWidth))
  expect(Math.max(...widths) - Math.min(...widths)).toBeLessThanOrEqual(1)
  expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThanOrEqual(1900)
})
