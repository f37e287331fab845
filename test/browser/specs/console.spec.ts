import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { hostileCustomer, hostileCustomerPath } from '../records/hostile-customer.ts'
import { expectAccessible } from '../steps/accessibility.ts'
import {
  goTo,
  openConsole,
  rowsOf,
  searchField,
  searchResults,
  showAsTable,
  signOut,
  waitUntilSettled,
  waitUntilUpToDate,
} from '../steps/console.ts'
import { saveCsv } from '../steps/csv-file.ts'
import { expect, expectTroubles, testOnDemo as test } from '../steps/session.ts'

test('signs in with the key of the demo until a sign-out, refuses a wrong key, and stores no key unless asked', async ({
  page,
  session,
}) => {
  const { api_key: apiKey } = session.service.demo
  await page.goto(session.service.baseUrl)
  await waitUntilUpToDate(page)
  await page.reload()
  await waitUntilUpToDate(page)
  await signOut(page)
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('API key').fill('sk_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toContainText(/key is not valid[\s\S]*Request \S+/)
  await page.getByLabel('API key').fill(apiKey)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await waitUntilUpToDate(page)
  const addressAndStorage = 'location.href + JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'
  expect(await page.evaluate<string>(addressAndStorage)).not.toContain(apiKey)
  expectTroubles(session, /responded with a status of 401/)
})

test('shows a message if the browser blocks site data', async ({ page, session }) => {
  const blocked = `{ get: () => { throw new DOMException('blocked', 'SecurityError') } }`
  await page.addInitScript(`Object.defineProperty(globalThis, 'sessionStorage', ${blocked})`)
  await page.goto(session.service.baseUrl)
  await expect(page.getByText('needs site data, which this browser may block: blocked')).toBeVisible()
})

test('opens again without first showing the sign-in or the list of the service', async ({
  page,
  session,
}) => {
  await openConsole(page, session)
  await goTo(page, session, 'invoices')
  // Collects the form of the sign-in and the filters of the service's list, however briefly they are shown.
  await page.addInitScript(`globalThis.shownBriefly = []
    new MutationObserver(() => shownBriefly.push(...document.querySelectorAll('.sign-in form, .controls')))
      .observe(document, { childList: true, subtree: true })`)
  await page.reload()
  await expect(page.locator('.rows')).toBeVisible()
  expect(await page.evaluate('shownBriefly.length')).toBe(0)
})

test('finds a customer while typing, by name and by email address, and other records by their id', async ({
  page,
  session,
}) => {
  await openConsole(page, session)
  await page.locator('h1').press('/')
  await expect(searchField(page)).toBeFocused()
  await searchField(page).pressSequentially('verrault')
  await expect(searchResults(page).first()).toContainText('Verrault Assurances')
  await expectAccessible(page)
  await searchField(page).press('ArrowDown')
  await searchField(page).press('ArrowUp')
  await searchField(page).press('Enter')
  await expect(page.getByRole('heading', { name: 'Customer Verrault Assurances', exact: true })).toBeVisible()
  await searchField(page).fill('billing@nordhafen-umschlag.example')
  await searchResults(page).click()
  await expect(page.getByRole('heading', { name: 'Customer Nordhafen Umschlag', exact: true })).toBeVisible()
  await searchField(page).fill('billing')
  await searchResults(page)
    .filter({ hasText: /^\d+ more customers: show all \d+$/ })
    .click()
  await expect(page.getByLabel('Filter', { exact: true })).toHaveValue('billing')
  // The service is asked for an id that the copy does not contain. It distinguishes upper and lower case.
  await searchField(page).fill('STARTER')
  await expect(page.getByText('Press Enter to look up an id or a number.')).toBeVisible()
  await expectAccessible(page)
  await searchField(page).press('Enter')
  await expect(page.getByRole('heading', { name: 'Product Starter' })).toBeVisible()
  expectTroubles(session, /responded with a status of 404/)
})

test('exports the figures of each chart and ranking as CSV, and shows those of a chart as a table', async ({
  page,
  session,
}) => {
  await openConsole(page, session)
  const cards = page.locator('.boards .card')
  await expect(cards).toHaveCount(7)
  for (const card of await cards.all()) {
    const title = await card.getByRole('heading').first().textContent()
    const more = card.getByRole('button', { name: `More about ${title}` })
    await more.click()
    const lines = await saveCsv(page, card.getByRole('button', { name: /as CSV$/ }).first())
    expect(lines.length).toBeGreaterThan(1)
    const toTable = card.getByRole('button', { name: `${title} as a table` })
    // A ranking has no table.
    if ((await toTable.count()) === 0) continue
    await toTable.click()
    const table = card.getByRole('region', { name: `${title}, figures` })
    expect(lines).toHaveLength(await table.locator('tr').count())
    // The table of past months begins with the current month, and the file ends with it.
    const [firstAmount] = await table.locator('tbody tr').first().locator('td').allTextContents()
    const currentMonth = lines.filter((line) => /^\S+ (so far|from now on),/.test(line))
    expect(currentMonth.map((line) => line.split(',')[2])).toEqual([firstAmount!.replace(/[^\d.-]/g, '')])
  }
})

test('shows a chart as a table still after going back from a list', async ({ page, session }) => {
  await openConsole(page, session)
  await showAsTable(page, 'Customers')
  const figures = page.getByRole('region', { name: 'Customers, figures' })
  const linkOfPastMonth = figures.locator('tbody tr:not(:first-child) a').first()
  await linkOfPastMonth.click()
  await expect(page.getByRole('heading', { name: 'Movements', level: 1, exact: true })).toBeVisible()
  await page.goBack()
  await expect(linkOfPastMonth).toBeVisible()
})

test('sorts, filters and pages lists, and keeps these choices in the address', async ({ page, session }) => {
  await openConsole(page, session)
  await page.getByRole('link', { name: 'Invoices', exact: true }).click()
  const rows = rowsOf(page)
  await expect(rows).toHaveCount(100)
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page.getByText(/^Page 2 of \d$/)).toBeVisible()
  await page.getByRole('combobox', { name: 'Currency' }).selectOption('EUR')
  await page.getByRole('link', { name: 'Total' }).click()
  await expect(page.locator('th[aria-sort=descending]')).toContainText('Total')
  // It pays yearly for the most seats.
  await expect(rows.first()).toContainText('Nordhafen Umschlag')
  // Typed one key after another, the text stays in the field while the list is filtered.
  await page.getByLabel('Filter', { exact: true }).pressSequentially('verrault')
  await expect(rows.filter({ hasNotText: 'Verrault Assurances' })).toHaveCount(0)
  await waitUntilSettled(page)
  const [, ...csvRows] = await saveCsv(page, page.getByRole('button', { name: 'Invoices as CSV' }))
  expect(csvRows).toHaveLength(await rows.count())
  await page.reload()
  await expect(rows.first()).toContainText('Verrault Assurances')
  await page.getByRole('combobox', { name: 'Which' }).selectOption('Credit notes')
  await expect(page.getByText('There are no invoices to show with the filter “verrault”.')).toBeVisible()
})

test('creates a customer, shows each error at its field, and shows the JSON that its curl command prints', async ({
  page,
  session,
}) => {
  await openConsole(page, session)
  await page.getByRole('link', { name: 'Customers', exact: true }).click()
  await page.getByText('Create', { exact: true }).click()
  const form = page.getByRole('form', { name: 'Create customer' })
  await form.getByLabel('Your id (required)').fill('console-1')
  await form.getByLabel('Name').fill('Ann')
  await form.getByLabel('Created').fill('2026-02-30')
  await form.getByLabel('Metadata').fill('{"seats": 3')
  await form.getByRole('button', { name: 'Create customer' }).click()
  await expect(page.locator('.field', { hasText: 'Created' }).getByText(/^created must /)).toBeVisible()
  await expect(page.getByText('metadata must be JSON')).toBeVisible()
  await expectAccessible(page)
  await form.getByLabel('Created').fill('2026-02-28')
  await form.getByLabel('Metadata').fill('{"seats": 3}')
  await form.getByRole('button', { name: 'Create customer' }).click()
  await expect(page.getByRole('heading', { name: 'Customer Ann' })).toBeVisible()
  await session.client.customers.create(hostileCustomer)
  await goTo(page, session, hostileCustomerPath)
  await page.getByRole('button', { name: 'Developer' }).click()
  const [curl, json] = await page.locator('.wide:popover-open pre').allTextContents()
  const { api_key: apiKey, app_id: appId } = session.service.demo
  expect(curl).not.toContain(apiKey)
  const env = { ...process.env, API_KEY: apiKey, APP_ID: appId }
  const { stdout } = await promisify(execFile)('sh', ['-c', `${curl} --silent`], { env })
  expect(JSON.parse(stdout).data.customer).toEqual(JSON.parse(json!))
  expect(JSON.parse(json!).metadata).toEqual(hostileCustomer.metadata)
  expectTroubles(session, /responded with a status of 422/)
})

test('works again after a lost network, and offers the sign-in when a key is refused', async ({
  page,
  context,
  session,
}) => {
  await openConsole(page, session)
  await goTo(page, session, 'products')
  await expect(page.locator('tbody tr').first()).toBeVisible()
  await context.setOffline(true)
  await goTo(page, session, 'prices')
  await expect(page.getByText('The service could not be reached')).toBeVisible({ timeout: 30_000 })
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.locator('tbody tr').first()).toBeVisible()
  await context.route('**/api/prices*', (route) =>
    route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer revoked' } }),
  )
  await goTo(page, session, 'prices?limit=50')
  await expect(page.getByRole('alert')).toContainText('key is not valid')
  await context.unroute('**/api/prices*')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.locator('tbody tr').first()).toBeVisible()
  expectTroubles(session, /ERR_INTERNET_DISCONNECTED|^failed: |status of 401/)
})
