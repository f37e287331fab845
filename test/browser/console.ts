import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContext, Page } from 'playwright-core'
import { setLogSink } from '../../shared/log.ts'
import { type LocalService, startService } from '../../tools/local/service.ts'
import { localSettings } from '../../tools/local/settings.ts'
import { scenario } from '../../tools/testing/scenario.ts'
import { createSeed } from '../../tools/testing/seed.ts'
import { missingTool } from '../support/missing-tool.ts'
import { chromiumPath, launch, NO_CHROMIUM } from './chromium.ts'
import { expectNothing, watch } from './troubles.ts'

/**
 * Uses the console in a real browser on the real service. Not a part of `npm test`, which has no browser. With a folder as
 * its argument it leaves pictures there.
 */

const pictures = process.argv[2]

/** An open console, the troubles of its page, and the service below it. */
interface Console {
  readonly page: Page
  readonly context: BrowserContext
  readonly service: LocalService
  readonly troubles: string[]
}

const picture = async (page: Page, name: string): Promise<void> => {
  if (pictures) await page.screenshot({ path: join(pictures, `console-${name}.png`) })
}

const goTo = (page: Page, { baseUrl }: LocalService, hash: string) =>
  page.goto(`${baseUrl}/console${hash && `#/${hash}`}`)

const signIn = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}

/** Expects that axe finds nothing, and that the page is not wider than the screen. */
const expectAccessible = async (page: Page, what: string): Promise<void> => {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  if (overflow > 0) found.push(`wider than the screen by ${overflow} pixels`)
  expectNothing(what, found)
}

/** A customer of hostile values: markup, ten thousand characters, and text from right to left. */
const hostile = {
  id: '<img src=x onerror=alert(1)>',
  name: '"><script>alert(document.domain)</script>\u202Egnp.exe שלום',
  email: `${'x'.repeat(250)}@example.org`,
  metadata: { long: 'W'.repeat(10_000), '<b>key</b>': ['<svg onload=alert(1)>'], __proto__x: null },
}

const refusesAWrongKey = async ({ page, service }: Console): Promise<void> => {
  await page.goto(service.baseUrl)
  strictEqual(new URL(page.url()).pathname, '/console')
  await expectAccessible(page, 'The sign-in')
  await picture(page, 'sign-in')
  const key = page.getByLabel('API key')
  strictEqual(await key.inputValue(), service.demo.api_key)
  await key.fill('sk_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  const alert = page.getByRole('alert')
  ok(/key is not valid[\s\S]*Request \S+/.test(await alert.innerText()))
  await key.fill(service.demo.api_key)
}

const views: Readonly<Record<string, string>> = {
  products: 'tbody tr',
  'prices?limit=50': 'tbody tr',
  customers: 'tbody tr',
  discounts: 'tbody tr',
  'invoices?include=line_items,subscription,customer,discounts,price,external_id': 'tbody tr',
  'subscriptions?customer_id=customer-1': 'tbody tr',
  'customers/customer-2': '.timeline li',
  'customers/customer-1': '.timeline li',
  'products/basic': 'tbody tr',
  'find?id=nowhere': '.empty',
  'invoices/nowhere': '[role=alert]',
  'invoices?customer_id=nobody': '[role=alert]',
  banana: 'main > a',
  [`customers/${encodeURIComponent(hostile.id)}`]: '.fields',
}

const showsEveryView = async ({ page, service }: Console, name: string): Promise<void> => {
  for (const [hash, shown] of Object.entries(views)) {
    await goTo(page, service, hash)
    await page.locator(shown).first().waitFor()
    await page.locator('h1:focus').waitFor()
    const invoice = page.locator('.timeline summary').first()
    if (await invoice.isVisible()) await invoice.click()
    await expectAccessible(page, `${hash}, ${name}`)
    await picture(page, `${name}-${hash.replace(/\W+/g, '-').slice(0, 30)}`)
  }
}

const walksThroughAList = async ({ page, service }: Console): Promise<void> => {
  await goTo(page, service, 'customers')
  const first = page.locator('tbody th').first()
  const name = await first.innerText()
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByRole('link', { name: 'Previous' }).waitFor()
  ok((await first.innerText()) !== name)
  const next = page.url()
  await page.getByRole('link', { name: 'Previous' }).click()
  await page.getByRole('link', { name: 'Next' }).waitFor()
  strictEqual(await first.innerText(), name)
  await page.goBack()
  strictEqual(page.url(), next)
  await page.getByRole('link', { name: 'Invoices' }).click()
  await page.getByLabel('Customer', { exact: true }).first().fill('customer-2')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.waitForURL(/customer_id=customer-2/)
  await page.locator('tbody').getByText('Customer 2').first().waitFor()
  strictEqual(await page.locator('tbody').getByText('Customer 3').count(), 0)
}

const looksUp = async ({ page }: Console): Promise<void> => {
  const box = page.getByRole('searchbox')
  await box.fill('customer-3')
  await box.press('Enter')
  await page.getByRole('heading', { name: 'Customer 3' }).waitFor()
  const id = await page.locator('.fields code').first().innerText()
  await box.fill('pro')
  await box.press('Enter')
  await page.getByRole('heading', { name: 'Product Pro' }).waitFor()
  await box.fill(id)
  await box.press('Enter')
  await page.getByRole('heading', { name: 'Customer 3' }).waitFor()
}

const showsTheSource = async ({ page, service }: Console): Promise<void> => {
  await goTo(page, service, `customers/${encodeURIComponent(hostile.id)}`)
  const texts = page.locator('details > pre')
  const [json = '', curl = ''] = [
    await texts.nth(0).textContent(),
    await texts.nth(1).textContent(),
  ] as string[]
  ok(!curl.includes(service.demo.api_key))
  const env = { ...process.env, API_KEY: service.demo.api_key, APP_ID: service.demo.app_id }
  const { stdout } = await promisify(execFile)('sh', ['-c', `${curl} --silent`], { env })
  deepStrictEqual(JSON.parse(stdout).data.customer, JSON.parse(json))
  deepStrictEqual(JSON.parse(json).metadata, hostile.metadata)
}

const keepsTheKeyOnlyIfAsked = async ({ page, service }: Console): Promise<void> => {
  const leftBehind = () =>
    page.evaluate<string>('location.href + JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')
  await goTo(page, service, 'customers/customer-4')
  await page.locator('.timeline li').first().waitFor()
  ok(!(await leftBehind()).includes(service.demo.api_key))
  await page.reload()
  await page.getByLabel('Keep the key').check()
  await signIn(page)
  await page.getByRole('heading', { name: 'Customer 4' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Customer 4' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  ok(!(await leftBehind()).includes(service.demo.api_key))
  await signIn(page)
}

/** Creates, changes and erases a customer, each fault at its field. */
const changes = async ({ page, service }: Console): Promise<void> => {
  await goTo(page, service, 'customers')
  await page.getByLabel('Allow changes').check()
  await page.getByText('Create', { exact: true }).click()
  const form = page.getByRole('form', { name: 'Create customer' })
  await form.getByLabel('Id (required)').fill('console-1')
  await form.getByLabel('Name').fill('Ann')
  await form.getByLabel('Created').fill('2026-02-30')
  await form.getByLabel('Metadata').fill('{"seats": 3')
  await form.getByRole('button', { name: 'Create customer' }).click()
  await page
    .locator('.field', { hasText: 'Created' })
    .getByText(/^created /)
    .waitFor()
  await page.locator('.field', { hasText: 'Metadata' }).getByText('metadata must be JSON').waitFor()
  await expectAccessible(page, 'The form')
  await picture(page, 'form')
  await form.getByLabel('Created').fill('2026-02-28')
  await form.getByLabel('Metadata').fill('{"seats": 3}')
  await form.getByRole('button', { name: 'Create customer' }).click()
  await page.getByRole('heading', { name: 'Customer Ann' }).waitFor()
  await page.getByText('Change', { exact: true }).click()
  await page.getByLabel('Name').fill('Ann Example')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Customer Ann Example' }).waitFor()
  await page.getByText('The change is saved.').waitFor()
  await page.locator('h1:focus').waitFor()
  strictEqual(await page.title(), 'Customer Ann Example – Billing console')
  await page.getByText('{"seats":3}').first().waitFor()
  await page.getByText('Erase', { exact: true }).click()
  const erase = page.getByRole('button', { name: 'Erase for ever' })
  await page.getByLabel('Id of the customer to erase').fill('console-2')
  await erase.click()
  await page.getByText(/^This is not the id .* nothing was erased\.$/).waitFor()
  await page.getByLabel('Id of the customer to erase').fill('console-1')
  await erase.click()
  await page.getByRole('heading', { name: 'Customer Ann Example' }).waitFor({ state: 'detached' })
  strictEqual(await page.getByText('Ann Example').count(), 0)
  await page.getByLabel('Allow changes').uncheck()
}

/** Gives the attempts of the client's retries an end. */
const LOST_MILLIS = 15_000

const survivesALostNetwork = async ({ page, context, service, troubles }: Console): Promise<void> => {
  await goTo(page, service, 'products')
  await page.locator('tbody tr').first().waitFor()
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Discounts' }).click()
  await page.getByText('The service could not be reached').waitFor({ timeout: LOST_MILLIS })
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Welcome', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The service could not be reached').waitFor({ timeout: LOST_MILLIS })
  await context.setOffline(false)
  await signIn(page)
  // The browser tells of every lost request.
  const lost = (trouble: string) => /ERR_INTERNET_DISCONNECTED|^failed: /.test(trouble)
  troubles.splice(0, troubles.length, ...troubles.filter((trouble) => !lost(trouble)))
}

const leadsBackToTheSignIn = async ({ page, context, service }: Console): Promise<void> => {
  await context.route('**/api/prices*', (route) =>
    route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer revoked' } }),
  )
  await page.getByRole('link', { name: 'Prices' }).click()
  ok((await page.getByRole('alert').innerText()).includes('key is not valid'))
  await context.unroute('**/api/prices*')
  await signIn(page)
  await page.locator('tbody tr').first().waitFor()
  strictEqual(page.url(), `${service.baseUrl}/console#/prices`)
}

const check = async (path: string): Promise<void> => {
  setLogSink(() => undefined)
  const service = await startService(localSettings({ PORT: '0' }, ['--memory']))
  const { baseUrl, demo } = service
  await createSeed(scenario(Date.now()), { baseUrl, appId: demo.app_id, apiKey: demo.api_key })
  await createSeed({ customers: [hostile] }, { baseUrl, appId: demo.app_id, apiKey: demo.api_key })
  const browser = await launch(path)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
  const page = await context.newPage()
  const all = watch(page, baseUrl)
  page.setDefaultTimeout(LOST_MILLIS)
  const open: Console = { page, context, service, troubles: all }
  /** Does a check, and expects that the page had no trouble but the refusals that are shown. */
  const step = async (what: string, run: (open: Console) => Promise<void>) => {
    await run(open)
    const shown = /responded with a status of (401|404|422)/
    expectNothing(
      what,
      all.splice(0).filter((trouble) => !shown.test(trouble)),
    )
    console.log(`console: ${what}`)
  }
  try {
    await step('leads from / to the sign-in, which refuses a wrong key', refusesAWrongKey)
    await signIn(page)
    await step('walks through a list, back, and through a filter', walksThroughAList)
    await step('looks up any id', looksUp)
    await step('shows the JSON and the command that gets it', showsTheSource)
    await step('keeps the key only if asked', keepsTheKeyOnlyIfAsked)
    await step('creates, changes and erases', changes)
    await step('survives a lost network', survivesALostNetwork)
    await step('leads back to the sign-in when a key is refused', leadsBackToTheSignIn)
    await step('shows every view', (opened) => showsEveryView(opened, 'wide'))
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 360, height: 740 })
    await step('shows every view in the dark, 360 pixels wide', (opened) => showsEveryView(opened, 'narrow'))
  } finally {
    await browser.close()
    await service.stop()
  }
}

if (chromiumPath) await check(chromiumPath)
else missingTool(NO_CHROMIUM)
