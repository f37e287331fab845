import type { CreateInvoice } from '../../../client/index.ts'
import { expectAccessible } from '../steps/accessibility.ts'
import {
  cardOf,
  goTo,
  openConsole,
  openMenu,
  rowsOf,
  showAsTable,
  waitUntilSettled,
  waitUntilUpToDate,
} from '../steps/console.ts'
import { saveCsv } from '../steps/csv-file.ts'
import { expect, type Page, test } from '../steps/session.ts'

/** The time zone of the page. The invoice is from the last evening of May in UTC, which is 1 June in Berlin. */

const NOW = new Date('2026-06-16T12:00:00Z')

const invoice: CreateInvoice = {
  id: 'late',
  customer_id: 'ann',
  subscription_id: 'ann',
  total: 3000,
  currency: 'EUR',
  created: '2026-05-31T23:30:00Z',
  period_start: '2026-05-31T23:30:00Z',
  period_end: '2026-06-30T23:30:00Z',
  line_items: [{ id: '1', amount: 3000, type: 'recurring', interval: 'month', interval_count: 1 }],
}

test.use({ timezoneId: 'America/Lima' })

test.beforeEach(async ({ page, session }) => {
  await session.client.customers.create({ id: 'ann', name: 'Ann', email: 'ann@example.org' })
  await session.client.invoices.create(invoice)
  await page.clock.setFixedTime(NOW)
  await openConsole(page, session)
})

const menu = (page: Page) => page.locator('.top-bar .menu')

/** Chooses a time zone in the menu, with the keyboard. */
const chooseTimeZone = async (page: Page, place: string) => {
  await page.locator('.application').press('Enter')
  const select = page.getByRole('combobox', { name: 'Another time zone' })
  await select.focus()
  await page.keyboard.type(place)
  await menu(page).getByRole('button', { name: 'Apply' }).press('Enter')
  await expect(menu(page).getByText('Months and dates are in')).toContainText(place)
  await waitUntilSettled(page)
}

/** Expects the invoice in this month in the figures, and with this date in the list, in the file and on its page. */
const expectInvoiceIn = async (page: Page, { month, day, date, zone }: Readonly<Record<string, string>>) => {
  const suffix = zone === 'UTC' ? '' : ` (${zone})`
  await page.getByRole('link', { name: 'Overview', exact: true }).click()
  await waitUntilSettled(page)
  const figures = cardOf(page, 'Invoiced')
  // The table stays when the user goes back.
  if (!(await figures.getByRole('table').isVisible())) await showAsTable(page, 'Invoiced')
  await figures.getByRole('link', { name: '€30.00' }).click()
  await expect(page).toHaveURL(new RegExp(`within=${month}`))
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(page.locator('.rows tbody')).toContainText(day!)
  const lines = await saveCsv(page, page.getByRole('button', { name: 'Invoices as CSV' }))
  const [heading, row] = lines.map((line) => line.split(','))
  expect(row![heading!.indexOf(`Date${suffix}`)]).toBe(date)
  await page.getByRole('link', { name: 'late' }).click()
  await expect(page.locator('.paper')).toContainText(`Date${day}`)
}

const utc = { month: '2026-05', day: '31 May 2026', date: '2026-05-31', zone: 'UTC' }
const berlin = { month: '2026-06', day: '1 Jun 2026', date: '2026-06-01', zone: 'Europe/Berlin' }

test('figures, lists, pages and files are in the chosen time zone, and the page keeps it', async ({
  page,
  session,
}) => {
  await expect(page.getByText('up to date at 12:00 (UTC)')).toBeVisible()
  await expectInvoiceIn(page, utc)
  expect(page.url()).not.toContain('zone')
  await chooseTimeZone(page, 'Berlin')
  await expect(page.locator('.paper')).toContainText('Date1 Jun 2026')
  expect(page.url()).toContain('zone=Europe/Berlin')
  await expectInvoiceIn(page, berlin)
  await goTo(page, session, 'customers/ann/statement?within=2026-06&zone=Europe/Berlin')
  await expect(page.locator('.paper')).toContainText('Dates inEurope/Berlin')
  await expect(page.locator('.paper tbody')).toContainText('1 Jun 2026')
  await goTo(page, session)
  await expect(page.getByText('up to date at 14:00 (Europe/Berlin)')).toBeVisible()
  const address = page.url()
  expect(address).toContain('zone=Europe/Berlin')
  await page.reload()
  await waitUntilUpToDate(page)
  await expectInvoiceIn(page, berlin)
  // Another tab uses the zone that was chosen last, unless its address is that of a page: a page without a zone is in UTC.
  const tab = await page.context().newPage()
  await tab.clock.setFixedTime(NOW)
  await tab.goto(`${session.service.baseUrl}/console`)
  await waitUntilUpToDate(tab)
  expect(tab.url()).toContain('zone=Europe/Berlin')
  await tab.goto(address.replace('&zone=Europe/Berlin', '').replace('zone=Europe/Berlin&', ''))
  await expect(tab.getByText('up to date at 12:00 (UTC)')).toBeVisible()
  await tab.close()
})

test('the time zone of the browser is offered in one line until the user chooses one', async ({ page }) => {
  const offer = page.getByRole('complementary', { name: 'Time zone' })
  await expect(offer).toContainText('Months and dates are in UTC')
  await expectAccessible(page)
  await offer.getByRole('link', { name: 'Keep UTC' }).click()
  await expect(offer).toHaveCount(0)
  await page.reload()
  await waitUntilUpToDate(page)
  await expect(offer).toHaveCount(0)
  await page.evaluate('localStorage.clear()')
  await page.reload()
  await offer.getByRole('link', { name: 'Use America/Lima' }).click()
  await expect(page.getByText('up to date at 07:00 (America/Lima)')).toBeVisible()
  await expect(offer).toHaveCount(0)
})

test('the time zone of the browser and UTC are one click away, and every other is found by its place', async ({
  page,
  session,
}) => {
  await openMenu(page)
  await expect(menu(page).getByRole('link')).toContainText([
    'America/Lima of this browser',
    'UTC',
    'Documentation',
  ])
  await expectAccessible(page)
  // A click beside the field takes its focus, as a click on a button does in Safari.
  await page.getByRole('combobox', { name: 'Another time zone' }).focus()
  await menu(page).getByText('Months and dates are in UTC').click()
  await expect(menu(page)).toBeVisible()
  await menu(page).getByRole('link', { name: 'America/Lima' }).click()
  await expect(page.getByText('up to date at 07:00 (America/Lima)')).toBeVisible()
  await expect(menu(page)).toBeHidden()
  await chooseTimeZone(page, 'Tokyo')
  await expect(page.getByText('up to date at 21:00 (Asia/Tokyo)')).toBeVisible()
  await page.goBack()
  await expect(page.getByText('up to date at 07:00 (America/Lima)')).toBeVisible()
  // The menu fits a small phone with the longest name of a time zone.
  await goTo(page, session, 'finance?zone=America/Argentina/ComodRivadavia')
  await page.setViewportSize({ width: 360, height: 844 })
  await openMenu(page)
  await expectAccessible(page)
  await menu(page).getByRole('link', { name: 'UTC' }).click()
  await expect(page.getByText('up to date at 12:00 (UTC)')).toBeVisible()
  await expectAccessible(page)
})

test('an address with an unknown time zone says what is wrong, and leads to the page without it', async ({
  page,
  session,
}) => {
  await goTo(page, session, 'invoices?zone=Mars/Olympus')
  await expect(page.getByRole('alert')).toHaveText(
    'zone must be the name of a time zone, such as Europe/Berlin. The address has "Mars/Olympus".',
  )
  await page.getByRole('link', { name: 'To the page without its choices' }).click()
  await expect(page.locator('.rows tbody')).toContainText('31 May 2026')
})

test.describe('in a German browser', () => {
  test.use({ locale: 'de-DE', timezoneId: 'Europe/Berlin' })

  test('dates and amounts are in English like the page', async ({ page }) => {
    await page.getByRole('link', { name: 'Invoices', exact: true }).click()
    await expect(page.locator('.rows tbody')).toContainText('31 May 2026')
    await expect(page.locator('.rows tbody')).toContainText('30.00')
  })
})
