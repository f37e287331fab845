import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { newApiKey } from '../../../shared/store/credentials.ts'
import { addApiKey } from '../../../tools/applications/api-keys.ts'
import { monthlyInvoice } from '../records/monthly-invoice.ts'
import { expectAccessible } from '../steps/accessibility.ts'
import { cardOf, goTo, openConsole, signOut, waitUntilUpToDate } from '../steps/console.ts'
import { expect, expectTroubles, type Page, type Session, test } from '../steps/session.ts'

const expectInTile = (page: Page, title: string, amount: string) =>
  expect(page.locator('.tile', { hasText: title }).locator('.big').getByText(amount)).toBeVisible()

test('an empty application shows how to begin, and its first records appear without a reload', async ({
  page,
  session,
}) => {
  await openConsole(page, session)
  await expect(page.getByText('No invoice is recorded yet')).toBeVisible()
  await expectAccessible(page)
  for (const list of ['customers', 'invoices', 'subscriptions']) {
    await goTo(page, session, list)
    await expect(page.getByText(`0 ${list}`)).toBeVisible()
  }
  await goTo(page, session)
  await session.client.customers.create({ id: 'ann', name: 'Ann' })
  await session.client.invoices.create(monthlyInvoice('first'))
  await expect(page.getByText('1 invoice and 1 customer, up to date')).toBeVisible()
  await expect(page.getByText(/may be missing/)).toHaveCount(0)
  await expectInTile(page, 'Monthly recurring', '€49.00')
  await expect(page.getByText(/NaN|undefined|Infinity/)).toHaveCount(0)
  await expect(cardOf(page, 'Recurring revenue by plan').locator('.plot circle')).toHaveCount(1)
  await expect(cardOf(page, 'Customers').locator('.plot g text')).toHaveText(['0', '1'])
  await expectAccessible(page)
})

const files: Readonly<Record<string, string>> = {
  'customers.csv': 'id,name\nbob,Bob\n',
  'invoices.csv': `id,customer_id,subscription_id,total,currency,created,period_start,period_end
bob-1,bob,bob,900,EUR,2026-01-01,2026-01-01,2026-02-01
bob-2,bob,bob,900,EUR,2026-02-01,2026-02-01,2026-03-01
`,
  'line_items.csv': `invoice_id,id,amount,type,interval,interval_count
bob-1,1,900,recurring,month,1
bob-2,1,900,recurring,month,1
`,
}

/** Creates a folder with files to import, in which `npm run` runs the commands of this project. */
const folderWithFiles = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'first-day-'))
  for (const name of ['package.json', 'bin']) await symlink(resolve(name), join(folder, name))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

/** Runs commands as they run when a user pastes them into bash. */
const paste = async (commands: string, { service: { demo } }: Session): Promise<void> => {
  const folder = await folderWithFiles()
  const env = { ...process.env, API_KEY: demo.api_key }
  await promisify(execFile)('bash', ['-c', commands], { env, cwd: folder })
  await rm(folder, { recursive: true })
}

test('the shown commands for the first day can be pasted, and their records appear without a reload', async ({
  page,
  session,
}) => {
  await openConsole(page, session)
  await expect(page.locator('pre')).toHaveCount(3)
  const [customer, invoice, importing] = await page.locator('pre').allTextContents()
  await paste(`${customer}\n${invoice}\n`, session)
  await expect(page.getByText('1 invoice and 1 customer, up to date')).toBeVisible()
  await expectInTile(page, 'Monthly recurring', '€49.00')
  await paste(importing!, session)
  await page.getByRole('button', { name: 'Bring up to date' }).click()
  await expect(page.getByText('3 invoices and 2 customers, up to date')).toBeVisible()
  await goTo(page, session, 'customers/bob')
  await expectInTile(page, 'Billed in total', '€18.00')
})

test('a read-only key shows no form', async ({ page, session }) => {
  await session.client.customers.create({ id: 'ann', name: 'Ann' })
  await openConsole(page, session)
  await signOut(page)
  const { api_key: apiKey } = await addApiKey(session.service.demo.app_id, {
    apiKey: newApiKey({ isReadOnly: true }),
  })
  await page.getByLabel('API key').fill(apiKey)
  await page.getByLabel('Keep the key until this tab is closed').check()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await waitUntilUpToDate(page)
  // The console signs in with the stored key, not with the key of the demo.
  await page.reload()
  for (const hash of ['customers', 'products', 'customers/ann']) {
    await goTo(page, session, hash)
    await expect(page.locator('h1:focus')).toBeVisible()
    await expect(page.getByText(/^(Create|Edit|Erase)$/)).toHaveCount(0)
  }
  await expect(page.getByText('Customer since')).toBeVisible()
  expectTroubles(session, /^$/)
})
