import { ok, strictEqual } from 'node:assert/strict'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContext, Page } from 'playwright-core'
import { createClient } from '../../client/index.ts'
import { setLogSink } from '../../shared/log.ts'
import { type LocalService, startService } from '../../tools/local/service.ts'
import { localSettings } from '../../tools/local/settings.ts'
import { missingTool } from '../support/missing-tool.ts'
import { chromiumPath, launch, NO_CHROMIUM } from './chromium.ts'
import { expectNothing, watch } from './troubles.ts'

/**
 * Reads all invoices of an application into the console in a real browser: stopped, continued after a reload, and through a
 * lost network. CONSOLE_INVOICES says how many there are. With a folder as its argument it leaves pictures there.
 */

const count = Number(process.env.CONSOLE_INVOICES ?? 10_000)
const pictures = process.argv[2]
const PAGE = 100
const PATIENCE_MILLIS = 60_000
const CUSTOMERS = 50
const MONTHS = 24

const day = (month: number): string => new Date(Date.UTC(2024, month, 1)).toISOString().slice(0, 10)
const totalOf = (index: number): number => 1000 + (index % 7)

/** Bodies of invoices of fifty customers over two years. */
const bodies = function* () {
  for (let index = 0; index < count; index += 1) {
    const month = index % MONTHS
    const customer = index % CUSTOMERS
    const period = { period_start: day(month), period_end: day(month + 1) }
    const plan = { type: 'recurring', interval: 'month', interval_count: 1, price_id: 'monthly' } as const
    const line = { id: '1', amount: totalOf(index), quantity: 1, ...plan }
    yield {
      ...{ id: index, total: totalOf(index), created: day(month), ...period, currency: 'EUR' },
      ...{ customer_id: customer, subscription_id: customer, line_items: [line] },
    }
  }
}

const seed = async ({ baseUrl, demo }: LocalService): Promise<void> => {
  const client = createClient({ baseUrl, appId: demo.app_id, apiKey: demo.api_key })
  await client.products.create({ id: 'plan', name: 'Plan' })
  const every = { interval: 'month', interval_count: 1 } as const
  const price = { product_id: 'plan', currency: 'EUR', price: 1000, type: 'recurring', ...every } as const
  await client.prices.create({ id: 'monthly', ...price })
  const customers = Array.from({ length: CUSTOMERS }, (_, id) => ({ id, name: `Customer ${id}` }))
  for (const { failed } of [
    await client.customers.createAll(customers),
    await client.invoices.createAll(bodies()),
  ])
    strictEqual(failed.length, 0)
}

interface Open {
  readonly page: Page
  readonly context: BrowserContext
  readonly service: LocalService
}

const signIn = async ({ page, service }: Open): Promise<void> => {
  await page.goto(`${service.baseUrl}/console`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Analytics' }).waitFor()
}

const button = (page: Page, name: string) => page.getByRole('button', { name })

/** Waits until some pages have been read since the last start. */
const somePagesRead = (page: Page) => page.getByText(/Reading … [\d,]{3,} records/).waitFor()

/** Expects a copy that is not complete, of which no figure is shown, and returns how many invoices it has. */
const keptInPart = async (page: Page): Promise<number> => {
  await page.getByText('not all. There are no figures').waitFor()
  strictEqual(await page.locator('figure').count(), 0)
  return kept(page)
}

const kept = async (page: Page): Promise<number> => {
  const text = await page.getByText(/invoices and .* are in this browser/).innerText()
  return Number(text.split(' ')[0]!.replaceAll(',', ''))
}

const stopsAndContinues = async (open: Open): Promise<void> => {
  const { page, context } = open
  await button(page, 'Read the data').click()
  await somePagesRead(page)
  await button(page, 'Stop').click()
  await button(page, 'Continue reading').waitFor()
  const stopped = await keptInPart(page)
  ok(stopped > 0 && stopped < count && stopped % PAGE === 0, `${stopped} invoices were kept`)
  await page.reload()
  await signIn(open)
  await button(page, 'Continue reading').waitFor()
  strictEqual(await keptInPart(page), stopped)
  await button(page, 'Continue reading').click()
  await somePagesRead(page)
  await context.setOffline(true)
  await page.getByText('The service could not be reached').waitFor()
  const lost = await keptInPart(page)
  // A walk begins with the last second that it has, of which all may be known.
  ok(lost >= stopped && lost < count, `${lost} invoices were kept`)
  await context.setOffline(false)
  await button(page, 'Continue reading').click()
  await button(page, 'Bring up to date').waitFor()
  strictEqual(await kept(page), count)
}

/** Another visit reads what changed since: a page of each list, after the request that tries the key. */
const comesBack = async (open: Open): Promise<void> => {
  const { page } = open
  let requests = 0
  page.on('request', (request) => {
    if (request.url().includes('/api/')) requests += 1
  })
  await page.reload()
  await signIn(open)
  await button(page, 'Bring up to date').waitFor()
  strictEqual(await kept(page), count)
  ok(requests <= 10, `another visit takes ${requests} requests`)
  console.log(`console: another visit takes ${requests} requests`)
}

const analytics = async ({ page }: Open): Promise<void> => {
  const total = Array.from({ length: count }, (_, index) => totalOf(index)).reduce((a, b) => a + b, 0)
  const rows = page.getByRole('region', { name: 'Invoiced by month, EUR' }).locator('td')
  await page.getByText(/^Read \w+ \d+, \d{4}, .* UTC\. /).waitFor()
  const shown = (await rows.allInnerTexts()).map((text) => Number(text.replace(/[^\d]/g, '')))
  strictEqual(
    shown.reduce((a, b) => a + b, 0),
    total,
  )
  const { violations } = await new AxeBuilder({ page }).analyze()
  expectNothing(
    'Accessibility',
    violations.map(({ id }) => id),
  )
  if (pictures) await page.screenshot({ path: join(pictures, 'console-analytics.png') })
}

/** Signs out, and reads everything again without a stop. */
const forgets = async (open: Open): Promise<void> => {
  const { page } = open
  await button(page, 'Sign out').click()
  await button(page, 'Sign in').waitFor()
  await page.waitForFunction('indexedDB.databases().then(({ length }) => length === 0)')
  await signIn(open)
  const startedAt = performance.now()
  await button(page, 'Read the data').click()
  await button(page, 'Bring up to date').waitFor()
  console.log(`console: ${count} invoices are read in ${Math.round(performance.now() - startedAt)} ms`)
}

const check = async (path: string): Promise<void> => {
  setLogSink(() => undefined)
  const service = await startService(localSettings({ PORT: '0' }, ['--memory']))
  await seed(service)
  const browser = await launch(path)
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE_MILLIS)
    const troubles = watch(page, service.baseUrl)
    const open: Open = { page, context, service }
    await signIn(open)
    await stopsAndContinues(open)
    console.log('console: reading stops, continues, and survives a lost network')
    await comesBack(open)
    await analytics(open)
    console.log('console: the analytics count every invoice')
    await forgets(open)
    const lost = /ERR_INTERNET_DISCONNECTED|^failed: /
    expectNothing(
      'The analytics',
      troubles.filter((trouble) => !lost.test(trouble)),
    )
  } finally {
    await browser.close()
    await service.stop()
  }
}

if (chromiumPath) await check(chromiumPath)
else missingTool(NO_CHROMIUM)
