import { monthlyInvoice } from '../records/monthly-invoice.ts'
import { goTo, openConsole, searchField } from '../steps/console.ts'
import { expect, test } from '../steps/session.ts'

/** A service holds changes back for 330 s when it is deployed: nobody who was erased is shown meanwhile. */
test.use({ settings: { HOLD_BACK_SECONDS: '330' } })

test.beforeEach(async ({ page, session }) => {
  await session.client.customers.create({ id: 'ann', name: 'Ann Example', email: 'ann@example.org' })
  await session.client.invoices.create(monthlyInvoice('first'))
  await openConsole(page, session)
})

test('what was just recorded is in the figures, though the service holds it back', async ({
  page,
  session,
}) => {
  await expect(page.getByText('1 invoice and 1 customer, up to date')).toBeVisible()
  await expect(page.getByText('Changes made elsewhere in the last 6 minutes may be missing.')).toBeVisible()
  await session.client.invoices.create(monthlyInvoice('second', 100))
  await page.getByRole('button', { name: 'Bring up to date' }).click()
  await expect(page.getByText('2 invoices and 1 customer, up to date')).toBeVisible()
  await expect(page.locator('.tile', { hasText: /^Invoiced/ }).getByText('€50.00')).toBeVisible()
})

test('the list of a customer, or of what has changed since, is as the address says', async ({
  page,
  session,
}) => {
  await session.client.customers.create({ id: 'bob', name: 'Bob Example' })
  await session.client.invoices.create({
    ...monthlyInvoice('other'),
    customer_id: 'bob',
    subscription_id: 'bob',
  })
  await page.getByRole('button', { name: 'Bring up to date' }).click()
  await expect(page.getByText('2 invoices and 2 customers, up to date')).toBeVisible()
  await goTo(page, session, 'invoices')
  await expect(page.locator('tbody tr')).toHaveCount(2)
  for (const query of ['customer_id=ann', 'customer_id=bob']) {
    await page.evaluate(`location.hash = '/invoices?${query}'`)
    const rows = page.locator('tbody tr')
    await expect(rows).toHaveCount(1)
    await expect(rows).toContainText(query.endsWith('ann') ? 'first' : 'other')
  }
  await goTo(page, session, 'customers?changed_since=2020-01-01')
  // What the service holds back is not in its list of changes.
  await expect(page.getByText('There are none.')).toBeVisible()
})

test('nobody who was erased or renamed here is shown as before, in any tab or after a reload', async ({
  page,
  context,
  session,
}) => {
  const [other, third] = [await context.newPage(), await context.newPage()]
  await openConsole(other, session)
  await openConsole(third, session)
  await goTo(third, session, 'customers/ann')
  await expect(third.getByText(/^1 invoice, /)).toBeVisible()
  await searchField(third).fill('ann')
  await expect(third.getByRole('option', { name: 'Ann Example' })).toBeVisible()
  await goTo(page, session, 'customers/ann')
  await page.getByText('Edit', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Ann Second')
  await page.getByRole('button', { name: 'Save customer' }).click()
  await expect(page.getByRole('heading', { name: 'Customer Ann Second' })).toBeVisible()
  await expect(page.getByText('The change is saved.')).toBeVisible()
  await expect(other.getByRole('link', { name: 'Ann Second' })).toBeVisible()
  await page.getByText('Erase', { exact: true }).click()
  await page.getByLabel('Type the id of the customer').fill('ann')
  await page.getByRole('button', { name: 'Erase for ever' }).click()
  for (const each of [page, third])
    await expect(each.getByRole('heading', { name: 'Customer Anonymous customer' })).toBeVisible()
  await expect(third.getByRole('option', { name: 'Anonymous customer' })).toBeVisible()
  // What is folded, such as the form and the JSON, is there too.
  await expect(third.getByText(/Ann (Example|Second)|ann@example/)).toHaveCount(0)
  expect(await third.getByRole('textbox', { name: 'Name', includeHidden: true }).inputValue()).toBe(
    'Anonymous customer',
  )
  for (const each of [page, other]) {
    await goTo(each, session)
    await expect(each.getByRole('link', { name: 'Anonymous customer' })).toBeVisible()
    await expect(each.getByText(/Ann (Example|Second)/)).toHaveCount(0)
  }
  // The copy that the browser kept, and the walk of a new visit, which is still held back.
  await page.reload()
  await expect(page.getByText('1 invoice and 1 customer, up to date')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Anonymous customer' })).toBeVisible()
  await searchField(page).fill('ann')
  await expect(page.getByRole('option', { name: 'Anonymous customer' })).toBeVisible()
  await expect(page.getByRole('option', { name: /example\.org/ })).toHaveCount(0)
})

test('a sign-out in one tab clears the others, and deletes the copy', async ({ page, context, session }) => {
  const other = await context.newPage()
  await openConsole(other, session)
  await page.getByRole('button', { name: 'Sign out' }).click()
  for (const each of [page, other]) await expect(each.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await page.waitForFunction('indexedDB.databases().then(({ length }) => length === 0)')
  const kept = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'
  for (const each of [page, other])
    expect(await each.evaluate<string>(kept)).not.toContain(session.service.demo.api_key)
})
