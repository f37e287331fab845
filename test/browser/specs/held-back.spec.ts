import { monthlyInvoice } from '../records/monthly-invoice.ts'
import { goTo, openConsole, searchField, signOut } from '../steps/console.ts'
import { expect, test } from '../steps/session.ts'

/** A deployed service holds changes back for 330 seconds. Meanwhile, no erased customer is shown. */
test.use({ settings: { HOLD_BACK_SECONDS: '330' } })

test.beforeEach(async ({ page, session }) => {
  await session.client.customers.create({ id: 'ann', name: 'Ann Example', email: 'ann@example.org' })
  await session.client.invoices.create(monthlyInvoice('first'))
  await openConsole(page, session)
})

test('the figures include what was just recorded, although the service holds it back', async ({
  page,
  session,
}) => {
  await expect(page.getByText('1 invoice and 1 customer, up to date')).toBeVisible()
  await expect(page.getByText('Changes made elsewhere in the last 6 minutes may be missing.')).toBeVisible()
  await session.client.invoices.create(monthlyInvoice('second', 100))
  await page.getByRole('button', { name: 'Bring up to date' }).click()
  await expect(page.getByText('2 invoices and 1 customer, up to date')).toBeVisible()
  await expect(
    page
      .locator('.tile', { hasText: /^Invoiced/ })
      .getByText('€50.00')
      .last(),
  ).toBeVisible()
})

test('the list of a customer, or of changes since a date, follows the address', async ({ page, session }) => {
  await session.client.customers.create({ id: 'bob', name: 'Bob Example' })
  await session.client.invoices.create({
    ...monthlyInvoice('other'),
    customer_id: 'bob',
    subscription_id: 'bob',
  })
  await page.getByRole('button', { name: 'Bring up to date' }).click()
  await expect(page.getByText('2 invoices and 2 customers, up to date')).toBeVisible()
  await goTo(page, session, 'invoices')
  const rows = page.locator('tbody tr:not(.sums)')
  await expect(rows).toHaveCount(2)
  for (const [customer, invoice] of [
    ['ann', 'first'],
    ['bob', 'other'],
  ]) {
    await page.evaluate(`location.hash = '/invoices?customer_id=${customer}'`)
    await expect(rows).toHaveCount(1)
    await expect(rows).toContainText(invoice!)
  }
  await goTo(page, session, 'customers?changed_since=2020-01-01')
  // The service's list of changes omits the changes that it holds back.
  await expect(page.getByText('There are none.')).toBeVisible()
})

test('a customer who was renamed or erased here is not shown as before, in any tab or after a reload', async ({
  page,
  context,
  session,
}) => {
  const other = await context.newPage()
  const third = await context.newPage()
  await openConsole(other, session)
  await openConsole(third, session)
  await goTo(third, session, 'customers/ann')
  await expect(third.getByText(/^1 invoice, /).first()).toBeVisible()
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
  for (const tab of [page, third])
    await expect(tab.getByRole('heading', { name: 'Customer Anonymous customer' })).toBeVisible()
  await expect(third.getByRole('option', { name: 'Anonymous customer' })).toBeVisible()
  // This includes collapsed parts of the page, such as the form and the JSON.
  await expect(third.getByText(/Ann (Example|Second)|ann@example/)).toHaveCount(0)
  await expect(third.getByRole('textbox', { name: 'Name', includeHidden: true })).toHaveValue(
    'Anonymous customer',
  )
  for (const tab of [page, other]) {
    await goTo(tab, session)
    await expect(tab.getByRole('link', { name: 'Anonymous customer' })).toBeVisible()
    await expect(tab.getByText(/Ann (Example|Second)/)).toHaveCount(0)
  }
  // After a reload, the page shows the stored copy, and reads changes, which are still held back.
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
  await signOut(page)
  for (const tab of [page, other]) await expect(tab.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await page.waitForFunction('indexedDB.databases().then(({ length }) => length === 0)')
  const storage = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'
  for (const tab of [page, other])
    expect(await tab.evaluate<string>(storage)).not.toContain(session.service.demo.api_key)
})
