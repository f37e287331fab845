import { expectAccessible } from '../steps/accessibility.ts'
import { cardOf, goTo, openConsole, waitUntilUpToDate } from '../steps/console.ts'
import { expectQuickReturn, scrollDown } from '../steps/quick-return.ts'
import { expect, type Session, testOnDemo as test } from '../steps/session.ts'

/** The console on a phone, in print, in forced colours and in the title of a tab, and its scroll position after going back. */

/** Gives a customer long texts. */
const recordLongTexts = ({ client }: Session) =>
  client.customers.update('C-1001', {
    name: 'Wolfgang Maximilian Freiherr von und zu Hohenstein-Ehrenberg',
    email: 'wolfgang.maximilian.von.und.zu.hohenstein-ehrenberg@example.org',
  })

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('a row has two lines, however long its texts are', async ({ page, session }) => {
    await recordLongTexts(session)
    await openConsole(page, session)
    const lists = ['customers', 'invoices', 'subscriptions']
    for (const hash of [...lists, 'customers/C-1001', 'customers/C-2002']) {
      await goTo(page, session, hash)
      await expect(page.locator('.rows tbody tr').first()).toBeVisible()
      const heightsOf = (rows: string) =>
        page.evaluate<number[]>(
          `[...document.querySelectorAll('${rows}')].map(({ offsetHeight }) => offsetHeight)`,
        )
      expect(Math.max(...(await heightsOf('.rows tbody tr:not(.sums)'))), hash).toBeLessThan(66)
      await expectAccessible(page)
    }
  })

  test('a tap on a plot moves the table beside it to the tapped month, and a second tap on a bar leads to its list', async ({
    page,
    session,
  }) => {
    await openConsole(page, session)
    const revenue = cardOf(page, 'Recurring revenue by plan')
    const month = revenue.locator('.legend thead th').nth(1)
    const plot = revenue.locator('.plot svg')
    await expect(month).toHaveText('Now')
    const { width } = (await plot.boundingBox())!
    await plot.tap({ position: { x: width / 2, y: 60 } })
    await expect(month).toHaveText(/20\d\d/)
    await plot.tap({ position: { x: width - 4, y: 60 } })
    await expect(month).toHaveText('Now')
    const invoiced = cardOf(page, 'Invoiced')
    const readMonth = invoiced.locator('.read-out b')
    await expect(readMonth).toContainText('so far')
    const bar = invoiced.locator('.plot a').first()
    await bar.scrollIntoViewIfNeeded()
    await bar.tap()
    await expect(readMonth).not.toContainText('so far')
    await expect(invoiced).toBeVisible()
    // On a busy machine, a tap can come before the plot has taken in the first one.
    await expect(async () => {
      await bar.tap({ timeout: 1000 })
      await expect(page.getByRole('heading', { name: 'Invoices', exact: true })).toBeVisible({
        timeout: 2000,
      })
    }).toPass()
    expect(page.url()).toContain('within=')
  })
})

test('going back shows each page where it was left, at once', async ({ page, session }) => {
  await openConsole(page, session)
  await expectQuickReturn(page, session, { from: '', to: 'customers/C-2002' })
  await expectQuickReturn(page, session, { from: 'invoices?page=2', to: 'customers/C-1001' })
  await expectQuickReturn(page, session, { from: 'customers/C-2002', to: 'invoices' })
  await test.step('also a page of a list to which a link led', async () => {
    await goTo(page, session, 'invoices')
    await page.getByRole('link', { name: 'Next' }).click()
    await expect(page.getByText(/^Page 2 of \d$/)).toBeVisible()
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(0)
    // This is what a link to the present address does.
    await page.evaluate('location.hash = location.hash')
    await scrollDown(page, 700)
    await page.locator('tbody a[href*=customers]').nth(20).click()
    await expect(page.getByText('Customer since')).toBeVisible()
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await page.goBack()
    await expect(page.getByText(/^Page 2 of \d$/)).toBeVisible()
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(700)
  })
  await test.step('and a list of the service, as soon as it is read again', async () => {
    await page.setViewportSize({ width: 800, height: 400 })
    await goTo(page, session, 'prices')
    await expect(page.locator('tbody tr').first()).toBeVisible()
    await scrollDown(page, 200)
    await goTo(page, session, 'customers')
    await expect(page.locator('.rows')).toBeVisible()
    await page.goBack()
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(200)
  })
})

test('a customer prints as a statement without controls, and a list prints with its rows and filters', async ({
  page,
  session,
}) => {
  await openConsole(page, session)
  await goTo(page, session, 'customers/C-2002')
  await expect(page.getByText('Edit', { exact: true })).toBeVisible()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  for (const control of ['.top-bar', 'button', 'input', 'summary', 'form', 'nav'])
    await expect(page.locator(control).filter({ visible: true })).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Customer Verrault Assurances' })).toBeVisible()
  await expect(page.getByText(/^Demo, .*20\d\d$/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Invoices' })).toContainText('Total')
  await expect(page.locator('body')).toHaveCSS('color', 'rgb(21, 24, 30)')
  expect((await page.pdf()).length).toBeGreaterThan(10_000)
  await goTo(page, session, 'customers')
  await expect(page.locator('.rows')).toBeVisible()
  await expect(page.getByText('Filtered by')).toHaveCount(0)
  await goTo(page, session, 'invoices?page=2')
  await expect(page.getByText(/^Rows 101–200 of \d+$/)).toBeVisible()
  await expect(page.getByText('Filtered by')).toHaveCount(0)
  for (const [list, filters] of [
    ['movements?kind=churn&within=2020-01&currency=EUR', 'Changed in Jan 2020, Lost, EUR'],
    ['invoices?text=customer 1&within=2020-01&currency=EUR', '“customer 1”, Created in Jan 2020, EUR'],
    ['prices?product_id=team', 'Product: team'],
    ['prices?changed_since=2026-01-31', 'Changed since: 2026-01-31'],
  ] as const) {
    await goTo(page, session, list)
    await expect(page.getByText('Filtered by')).toHaveText(`Filtered by: ${filters}`)
  }
})

test('a click on a header keeps the text that was typed just before', async ({ page, session }) => {
  await openConsole(page, session)
  await goTo(page, session, 'customers')
  await expect(page.locator('.rows')).toBeVisible()
  await page.evaluate(`(() => {
    const field = document.querySelector('[aria-label=Filter]')
    field.value = 'customer 1'
    field.dispatchEvent(new Event('input', { bubbles: true }))
    document.querySelector('th[data-column=name] a').click()
  })()`)
  await expect(page).toHaveURL(/\?text=customer\+1&sort=-name&app=/)
})

test('choices, plots and bars are visible in forced colours', async ({ page, session }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await openConsole(page, session)
  await expect(page.locator('.tile').first()).toBeVisible()
  await expect(page.locator('.chips [aria-current]').first()).toHaveCSS('outline-style', 'solid')
  await expect(page.locator('.ranking meter').first()).toHaveCSS('forced-color-adjust', 'none')
  await expectAccessible(page)
})

test('the title of the tab and the bar show the application, and the stage in the address', async ({
  page,
  session,
}) => {
  const { baseUrl } = session.service
  await openConsole(page, session)
  await expect(page).toHaveTitle('Overview – Demo – Billing console')
  await expect(page.locator('.application')).toContainText('Demo')
  await expect(page.locator('.application small')).toHaveCount(0)
  // A deployment without a domain of its own has its stage in every path.
  await page.route('**/dev/**', (route) =>
    route.continue({ url: route.request().url().replace('/dev/', '/') }),
  )
  await page.goto(`${baseUrl}/dev/console#/customers/C-2002`)
  await expect(page).toHaveTitle('Customer Verrault Assurances – Demo (dev) – Billing console')
  await expect(page.locator('.application small')).toHaveText('dev')
  await goTo(page, session)
  await waitUntilUpToDate(page)
})
