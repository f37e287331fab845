import { hostile, hostilePath } from './hostile.ts'
import {
  expect,
  expectAccessible,
  expectTroubles,
  goTo,
  type Opened,
  openConsole,
  type Page,
  testOnScenario as test,
} from './open.ts'

/** What each view shows once it is there, by its address. */
const views: Readonly<Record<string, string>> = {
  '': '.tile',
  products: 'tbody tr',
  '?currency=JPY&months=all': '.tile',
  'finance?months=all': '.cohorts',
  'prices?limit=50': 'tbody tr',
  discounts: 'tbody tr',
  customers: 'tbody tr',
  'invoices?kind=credits': 'tbody tr',
  subscriptions: 'tbody tr',
  'customers/customer-2': '.tile',
  'products/basic': 'tbody tr',
  'find?id=nowhere': '.empty',
  'invoices/nowhere': '[role=alert]',
  'customers/nobody': '[role=alert]',
  banana: 'main > a',
  [hostilePath]: '.who',
}

const showsEveryView = async (page: Page, opened: Opened): Promise<void> => {
  await opened.client.customers.create(hostile)
  await openConsole(page, opened)
  for (const [hash, shown] of Object.entries(views)) {
    await goTo(page, opened, hash)
    await expect(page.locator(shown).first()).toBeVisible()
    await expect(page.locator('h1:focus')).toBeVisible()
    await test.step(`#/${hash}`, () => expectAccessible(page))
  }
  expectTroubles(opened, /responded with a status of (404|422)/)
}

test('shows every view', ({ page, opened }) => showsEveryView(page, opened))

test('shows every view in the dark, 360 pixels wide', async ({ page, opened }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 360, height: 740 })
  await showsEveryView(page, opened)
  await goTo(page, opened)
  const bar = await page.locator('.top-bar').boundingBox()
  expect(bar!.height).toBeLessThan(64)
})
