import { NOW, recordBusiness } from '../records/known-business.ts'
import { expectAccessible } from '../steps/accessibility.ts'
import {
  cardOf,
  goTo,
  openConsole,
  rowsOf,
  searchField,
  showAsTable,
  waitUntilSettled,
} from '../steps/console.ts'
import { saveCsv } from '../steps/csv-file.ts'
import { expect, type Page, test } from '../steps/session.ts'

/** The figures of the known business, which were counted by hand. They are polled, because a page shows them only once they are computed. */

test.beforeEach(async ({ page, session }) => {
  await recordBusiness(session.client)
  await page.clock.setFixedTime(NOW)
  await openConsole(page, session)
})

/** Returns the texts of the parts of each element that a selector finds, in one line for each element. */
const rowTexts = (page: Page, selector: string, parts: string) =>
  page.locator(selector).evaluateAll(
    (elements, parts) =>
      elements.map((element) =>
        [...element.querySelectorAll(parts)]
          .map((part) => part.textContent)
          .join(' | ')
          .replace(/[ |]+$/, ''),
      ),
    parts,
  )

/** Returns the figures of the tiles, each after its details and before its changes. */
const tiles = (page: Page) => rowTexts(page, '.tile', 'h2, .facts div, .big, .changes span')
const table = (page: Page, label: string) => rowTexts(page, `section[aria-label="${label}"] tr`, 'th, td')
/** Returns the heading of a table, its three latest months, and the first month. */
const firstAndLastRows = async (page: Page, label: string) => (await table(page, label)).toSpliced(4, 2)
const ranking = (page: Page, title: string) =>
  rowTexts(page, `.card:has(h2:text-is("${title}")) .ranking li`, 'li > :not(meter, .quiet)')

/** Saves the figures of a chart as CSV, and returns the lines of the file. */
const saveChart = async (page: Page, title: string) => {
  await page.getByRole('button', { name: `More about ${title}` }).click()
  return saveCsv(page, page.getByRole('button', { name: `${title} as CSV` }))
}

/** Clicks one of the choices above the figures. */
const choose = async (page: Page, choice: string) => {
  await page.locator('.chips').getByRole('link', { name: choice, exact: true }).click()
  await waitUntilSettled(page)
}

test('the overview shows the figures of a business as they are counted by hand', async ({ page }) => {
  await expect
    .poll(() => tiles(page))
    .toEqual([
      'Monthly recurring revenue | At the start of this month€121.42 | Times 12, a year€1,085.04 | €90.42 | ▼\u00A025.5% month',
      'Net revenue retention | May 2026 alone112.4% | – | No recurring revenue a year ago',
      'Revenue churn, May 2026 | Lost, 1 customer−€20.00 | Contraction, 0 customers€0.00 | Quick ratio, 5 full months7.1 | 24.9% | ▲\u00A024.9\u00A0pts month',
      'Active customers, EUR | Each, a month€45.21 | In all currencies4 | 2 | ▼\u00A01 month | €45.21 each',
      'Renews in Jul 2026, net | Invoices expected1 | More this month0 | Expected in Q3 2026, 3 invoices€180.00 | €60.00 | 1 invoice',
      'Invoiced in Jun 2026 | This month so far€81.00 | May 2026€60.00 | €81.00 | €60.00 in May 2026',
    ])
  await expect
    .poll(() => table(page, 'Recurring revenue by plan, growth and billed'))
    .toEqual([
      'Plan, net | Now | Start | 12 months | Billed',
      'Basic | €30.42 | €0.00 | – | €415.00',
      'Pro | €60.00 | €0.00 | – | €151.00',
      'No plan named | €0.00 | €0.00 | – | −€10.00',
      'All plans | €90.42 | €0.00 | – | €556.00',
    ])
  await expect
    .poll(() => table(page, 'Movements of the month'))
    .toEqual([
      'Jun 2026 so far | Customers | Change, net | May 2026',
      'New | 0 | – | +€31.00',
      'Reactivated | 0 | – | –',
      'Expansion | 0 | – | +€30.00',
      'Contraction | 0 | – | –',
      'Lost or over 3 days late | 1 | −€31.00 | −€20.00',
      'Net change | 1 | −€31.00 | +€41.00',
    ])
  await expect(page.locator('.news a')).toHaveText(['1 credit note this month', 'Invoices of this week'])
  for (const chart of ['Recurring revenue by plan', 'Movements', 'Customers', 'Invoiced'])
    await showAsTable(page, chart)
  await expect
    .poll(() => firstAndLastRows(page, 'Recurring revenue by plan, figures'))
    .toEqual([
      'Month | All plans | Basic | Pro',
      '2026-06 so far | €90.42 | €30.42 | €60.00',
      '2026-05 | €121.42 | €30.42 | €91.00',
      '2026-04 | €80.42 | €80.42 | €0.00',
      '2026-01 | €30.42 | €30.42 | €0.00',
    ])
  await expect
    .poll(() => firstAndLastRows(page, 'Movements, figures'))
    .toEqual([
      'Month | Start | New | Reactivated | Expansion | Contraction | Lost | End',
      '2026-06 so far | €121.42 | €0.00 | €0.00 | €0.00 | €0.00 | −€31.00 | €90.42',
      '2026-05 | €80.42 | €31.00 | €0.00 | €30.00 | €0.00 | −€20.00 | €121.42',
      '2026-04 | €30.42 | €50.00 | €0.00 | €0.00 | €0.00 | €0.00 | €80.42',
      '2026-01 | €0.00 | €30.42 | €0.00 | €0.00 | €0.00 | €0.00 | €30.42',
    ])
  await expect
    .poll(() => firstAndLastRows(page, 'Customers, figures'))
    .toEqual([
      'Month | Active | New | Reactivated | Lost',
      '2026-06 so far | 4 | 1 | 0 | 1',
      '2026-05 | 4 | 2 | 0 | 1',
      '2026-04 | 3 | 2 | 0 | 0',
      '2026-01 | 1 | 1 | 0 | 0',
    ])
  const invoiced = ['Month | Invoiced', '2026-06 so far | €81.00', '2026-05 | €60.00']
  await expect.poll(async () => (await table(page, 'Invoiced, figures')).slice(0, 3)).toEqual(invoiced)
  await expect
    .poll(() => ranking(page, 'Largest customers'))
    .toEqual(['Bob | €365.00', 'Ann | €140.00', 'Dee | €31.00', 'Cem | €20.00'])
  await expect.poll(() => ranking(page, 'What discounts cost')).toEqual(['Welcome | €5.00'])
  await expect(
    page.getByRole('link', {
      name: 'invoices without a recurring line, which do not count as recurring revenue (1)',
    }),
  ).toBeVisible()
  await choose(page, 'JPY')
  const firstAndLastTile = async () => (await tiles(page)).filter((_, index) => index % 5 === 0)
  await expect
    .poll(firstAndLastTile)
    .toEqual([
      'Monthly recurring revenue | At the start of this month¥3,000 | Times 12, a year¥72,000 | ¥6,000 | ▲\u00A0100% month',
      'Invoiced in Jun 2026 | This month so far¥6,000 | May 2026¥3,000 | ¥6,000 | ¥3,000 in May 2026',
    ])
})

/** Expects a list of movements, of the customers with these names and no others. */
const expectMovementsOf = async (page: Page, ...names: string[]) => {
  await expect(rowsOf(page).locator('[data-column=customer]')).toHaveText(names)
  await expect(page.locator('.title [role=status]')).toHaveText(new RegExp(`^${names.length} movements?$`))
}

test('movements are chosen by months, kind and reason, with the sum of each kind, and saved and printed', async ({
  page,
}) => {
  await page.getByRole('link', { name: 'Customers', exact: true }).click()
  await page.getByRole('link', { name: 'Movements', exact: true }).click()
  const kinds = page.getByRole('navigation', { name: 'Kind of movement' }).getByRole('link')
  await expect(kinds).toHaveText([
    'Net change · 8+€60.00, +¥6,000',
    'New · 5+€81.00, +¥6,000',
    'Reactivated · 0–',
    'Expansion · 1+€30.00',
    'Contraction · 0–',
    'Lost · 2−€51.00',
  ])
  await page.getByRole('button', { name: 'Changed in Q2 2026' }).click()
  await page.getByRole('link', { name: '2026', exact: true }).click()
  await expect(kinds.first()).toHaveText('Net change · 9+€90.42, +¥6,000')
  await kinds.filter({ hasText: 'Lost' }).click()
  const rows = () => rowTexts(page, '.rows tbody tr:not(.sums)', 'th, td')
  const lost = [
    'Jun 2026 | Dee | Lost | Pro | not renewed, or over 3 days late | May 2026 | 31.00 | −31.00',
    'May 2026 | Cem | Lost | Basic | not renewed | Apr 2026 | 20.00 | −20.00',
  ]
  await expect.poll(rows).toEqual(lost)
  await expectAccessible(page)
  await page.getByRole('combobox', { name: 'Plan' }).selectOption('Basic')
  await expect.poll(rows).toEqual(lost.slice(1))
  await page.getByRole('combobox', { name: 'Plan' }).selectOption('')
  await kinds.first().click()
  await page.getByRole('combobox', { name: 'Reason' }).selectOption('Plan')
  await expect
    .poll(rows)
    .toEqual(['May 2026 | Ann | Expansion | Pro | plan: Basic → Pro | 30.00 | 60.00 | +30.00'])
  expect(await saveCsv(page, page.getByRole('button', { name: 'Movements as CSV' }))).toEqual([
    'Month,Customer,Customer id,Email,Movement,Plan,Reason,Since,"Before, a month",After,Change,Currency,Id',
    expect.stringMatching(/^2026-05,Ann,.*,Expansion,Pro,plan: Basic → Pro,,30\.00,60\.00,30\.00,EUR,/),
  ])
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText('Filtered by')).toHaveText('Filtered by: Changed in 2026, Reason: Plan')
  await expect(page.locator('.rows .sums').filter({ visible: true })).toHaveText('1 movement, EUR+€30.00')
})

test('each figure about customers links to the movements that it counts', async ({ page }) => {
  const customersByLink: readonly (readonly [string | RegExp, string[]])[] = [
    // These are the expansion and the lost revenue of May, and the new revenue of April.
    ['€30.00', ['Ann']],
    ['−€20.00', ['Cem']],
    ['€50.00', ['Ann', 'Cem']],
  ]
  await page.getByRole('button', { name: 'About Revenue churn, May 2026' }).click()
  await page.getByRole('link', { name: '−€20.00' }).click()
  await expectMovementsOf(page, 'Cem')
  await page.goBack()
  await page.getByRole('link', { name: 'Lost or over 3 days late' }).click()
  await expectMovementsOf(page, 'Dee')
  await page.goBack()
  await showAsTable(page, 'Movements')
  for (const [link, names] of customersByLink) {
    await page
      .getByRole('region', { name: 'Movements, figures' })
      .getByRole('link', { name: link, exact: true })
      .click()
    await expectMovementsOf(page, ...names)
    await page.goBack()
  }
  await page.getByRole('button', { name: 'More about Movements' }).click()
  await page.getByRole('button', { name: 'Movements as a chart' }).click()
  await page.getByRole('link', { name: 'Invoices of this week' }).click()
  await expect(rowsOf(page)).toHaveCount(1)
  await expect
    .poll(() => rowTexts(page, '.rows tbody tr:not(.at-end)', 'th, td'))
    .toEqual([
      '0 invoices and 1 credit note, EUR |  |  | credit notes −€10.00  |  | −€10.00 | −€10.00',
      '15 Jun 2026 | credit | Ann | Credit | 1 Jun 2026 | −10.00 | −10.00',
    ])
  await expect(page.getByText('Created this week', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'credit', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Credit note credit', exact: true })).toBeVisible()
  await searchField(page).fill('ann')
  await searchField(page).press('Enter')
  await expect(page.getByRole('heading', { name: 'Customer Ann', exact: true })).toBeVisible()
  await expect
    .poll(() => tiles(page))
    .toEqual([
      'Monthly value, net | €60.00 | 1 active of 1 subscription',
      'Billed in total, net | €140.00 | €140.00 with tax, 4 invoices',
      'Billed until | 1 Jul 2026',
      'Customer since | 1 Apr 2026 | Latest invoice 15 Jun 2026',
    ])
})

test('a bar leads to its list, the arrow keys read out the values of a month, and the plot does not move', async ({
  page,
}) => {
  const card = cardOf(page, 'Movements')
  const month = card.getByRole('slider', { name: 'Movements, month' })
  await month.focus()
  await expect(month).toHaveAttribute(
    'aria-valuetext',
    'Jun 2026 so far: New €0.00, Reactivated €0.00, Expansion €0.00, Contraction €0.00, Lost −€31.00',
  )
  await month.press('ArrowLeft')
  await expect(month).toHaveAttribute(
    'aria-valuetext',
    'May 2026: New €31.00, Reactivated €0.00, Expansion €30.00, Contraction €0.00, Lost −€20.00',
  )
  await expect(card.locator('.legend thead th').first()).toHaveText('May 2026')
  const expansion = card.locator('.plot a[href*="kind=expansion"]')
  const churn = card.locator('.plot a[href*="kind=churn"]')
  // The keyboard reaches the same links in the table of the figures.
  await expect(card.locator('.plot a:not([tabindex="-1"])')).toHaveCount(0)
  await expectAccessible(page)
  await expansion.scrollIntoViewIfNeeded()
  const placeOfPlot = () => card.locator('.plot').boundingBox()
  const place = await placeOfPlot()
  for (const bar of [expansion, churn.first(), churn.last()]) {
    await bar.hover()
    expect(await placeOfPlot()).toEqual(place)
  }
  await expansion.click()
  await expectMovementsOf(page, 'Ann')
})

test('finance shows recognised and deferred revenue and cohorts as they were counted by hand', async ({
  page,
}) => {
  await page.getByRole('link', { name: 'Finance' }).click()
  await expect(page.locator('.average')).toHaveCount(2)
  await expect
    .poll(() => firstAndLastRows(page, 'Recognised and deferred revenue, net, figures'))
    .toEqual([
      'Month | Billed | Recognised | Deferred | Unbilled',
      // June has fifteen and a half days of Bob's and of Ann's revenue, less the credit.
      '2026-06 so far | €81.00 | €36.50 | €227.50 | €0.00',
      '2026-05 | €60.00 | €122.00 | €214.00 | €31.00',
      '2026-04 | €50.00 | €80.00 | €245.00 | €0.00',
      '2026-01 | €365.00 | €31.00 | €334.00 | €0.00',
    ])
  const schedule = ['Month | Recognised', '2026-06 from now on | €43.50', '2026-07 | €31.00']
  await expect
    .poll(async () => (await table(page, 'Deferred revenue schedule, net, figures')).slice(0, 3))
    .toEqual(schedule)
  const customers = 'Customers who stay, all currencies'
  const revenue = 'Recurring revenue that stays'
  await expect
    .poll(() => table(page, customers))
    .toEqual([
      'Month | Customers | +1 | +2 | +3 | +4 | +5',
      'Jun 2026 so far | 1',
      'May 2026 | 2 | 50%',
      'Apr 2026 | 2 | 50% | 50%',
      'Jan 2026 | 1 | 100% | 100% | 100% | 100% | 100%',
      // Of the five customers who joined a month ago or earlier, three stayed for a month.
      'Average | 1.5 | 60% | 66.7% | 100% | 100% | 100%',
    ])
  await expect
    .poll(async () => (await table(page, revenue)).slice(1))
    .toEqual([
      'May 2026 | €31.00 | 0%',
      'Apr 2026 | €50.00 | 120% | 120%',
      'Jan 2026 | €30.42 | 100% | 100% | 100% | 100% | 100%',
      'Average | €37.14 | 81.2% | 112.4% | 100% | 100% | 100%',
    ])
  await choose(page, 'Quarters')
  await expect
    .poll(() => table(page, customers))
    .toEqual(['Quarter | Customers | +1', 'Q2 2026 so far | 5', 'Q1 2026 | 1 | 100%', 'Average | 3 | 100%'])
  const quarters: readonly (readonly [string, string[]])[] = [
    [customers, ['Quarter,Currency,Customers,Quarter 1', '2026-Q1,,1,1', '2026-Q2 so far,,5']],
    // Ann and Cem joined in April, and Dee in May. Bob pays as much as at first.
    [revenue, ['Quarter,Currency,New,Quarter 1', '2026-Q1,EUR,30.42,30.42', '2026-Q2 so far,EUR,81.00']],
  ]
  for (const [title, lines] of quarters) expect(await saveChart(page, title)).toEqual(lines)
  const ofQuarter = (title: string) =>
    page.getByRole('region', { name: title }).getByRole('link', { name: 'Q2 2026' })
  await ofQuarter(customers).click()
  await expectMovementsOf(page, 'Dee', 'Ann', 'Cem', 'Fay', 'Eve')
  await page.goBack()
  await ofQuarter(revenue).click()
  await expectMovementsOf(page, 'Dee', 'Ann', 'Cem')
  await expect(page.getByRole('button', { name: 'Changed in Q2 2026' })).toBeVisible()
  await page.goBack()
  await choose(page, 'Months')
  await choose(page, 'Numbers')
  await expect.poll(async () => (await table(page, customers))[3]).toBe('Apr 2026 | 2 | 1 | 1')
  await expect.poll(async () => (await table(page, revenue))[2]).toBe('Apr 2026 | €50.00 | €60.00 | €60.00')
  const csv: readonly (readonly [string, number, string])[] = [
    ['Recognised and deferred revenue, net', 5, '2026-05,EUR,60.00,122.00,214.00,31.00'],
    ['Deferred revenue schedule, net', 1, '2026-06 from now on,EUR,43.50'],
    [customers, 2, '2026-04,,2,1,1'],
    [revenue, 2, '2026-04,EUR,50.00,60.00,60.00'],
  ]
  for (const [title, index, line] of csv) expect((await saveChart(page, title))[index]).toBe(line)
  // Figures link to their invoices and customers: in euros, in all currencies and in yen. The last two are opened by the keyboard.
  const may = (title: string) =>
    page.getByRole('region', { name: title }).getByRole('link', { name: 'May 2026' })
  await page.getByRole('link', { name: '€365.00' }).click()
  await expect(page.locator('main')).toContainText(/Jan 2026.*1 invoice.*bob-01/s)
  await page.goBack()
  await may(customers).press('Enter')
  await expectMovementsOf(page, 'Dee', 'Fay')
  await page.goBack()
  await choose(page, 'JPY')
  await page.getByRole('region', { name: revenue }).getByRole('link', { name: 'Jun 2026' }).press('Enter')
  await expectMovementsOf(page, 'Eve')
  await expect(page.getByRole('combobox', { name: 'Currency' })).toHaveValue('JPY')
  await page.goBack()
  await page.getByRole('button', { name: 'As closed', exact: true }).click()
  await page.getByLabel('As recorded until', { exact: true }).fill('2026-06-10')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByRole('button', { name: 'As recorded until 10 Jun 2026' })).toBeVisible()
  await expect(page.locator('.card small').getByText('as recorded until 10 Jun 2026')).toHaveCount(4)
})

test('finance is readable on a phone, in dark mode, on every shade and in print', async ({
  page,
  session,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await goTo(page, session, 'products')
    await goTo(page, session, 'finance')
    await expect(page.locator('.average')).toHaveCount(2)
    await expectAccessible(page)
    const shades = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.share')].map((share) => getComputedStyle(share).backgroundColor)`,
    )
    // The shares are 0, 50, 60, 67, 81, 100, 112 and 120 %. A share of 100 % is white.
    expect(new Set(shades).size).toBe(8)
  }
  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('.chips, button').filter({ visible: true })).toHaveCount(0)
  await expect(page.locator('.share').last()).toHaveCSS('print-color-adjust', 'exact')
})
