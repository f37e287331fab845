import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { catalogue } from '../../shared/catalogue.ts'
import { DOCS_PATH } from '../../shared/contract/deployable.ts'
import { setLogSink } from '../../shared/log.ts'
import { tagName } from '../../shared/openapi/components.ts'
import { startService } from '../../tools/local/service.ts'
import { localSettings } from '../../tools/local/settings.ts'
import { missingTool } from '../support/missing-tool.ts'
import { chromiumPath, launch, NO_CHROMIUM } from './chromium.ts'
import { expectNothing, watch } from './troubles.ts'

/**
 * Opens the documentation in a real browser, wide, narrow and dark, and sends a request from it.
 * Not a part of `npm test`, which has no browser. With a folder as its argument it leaves pictures there.
 */

const PATIENCE_MILLIS = 30_000

const pictures = process.argv[2]

const viewport = { width: 1440, height: 1000 }

const open = async (page: Page, url: string): Promise<void> => {
  page.setDefaultTimeout(PATIENCE_MILLIS)
  await page.goto(url)
  await page.getByRole('heading', { name: 'Subscription Billing Data API' }).first().waitFor()
  for (const tag of new Set(catalogue.map(({ resource }) => tagName(resource))))
    await page.getByText(tag, { exact: true }).first().waitFor({ state: 'attached' })
}

const picture = async (page: Page, name: string): Promise<void> => {
  if (pictures) await page.screenshot({ path: join(pictures, `docs-${name}.png`) })
}

/** Opens the page. Throws for any error, or if the page is wider than the screen. */
const renders = async (browser: Browser, baseUrl: string, [name, options]: readonly [string, object]) => {
  const page = await browser.newPage(options)
  const troubles = watch(page, baseUrl)
  // As the deployed gateway serves it below the name of its stage.
  await page.route('**/stage/**', (route) =>
    route.continue({ url: route.request().url().replace('/stage/', '/') }),
  )
  await open(page, `${baseUrl}/stage${DOCS_PATH}`)
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  if (overflow > 0) troubles.push(`wider than the screen by ${overflow} pixels`)
  await picture(page, name)
  expectNothing(`The ${name} page`, troubles)
  await page.close()
  console.log(`docs: ${name} renders`)
}

/** Follows the links between the guides. Throws for a broken one. */
const leads = async (browser: Browser, baseUrl: string): Promise<void> => {
  const page = await browser.newPage({ viewport })
  await open(page, `${baseUrl}${DOCS_PATH}`)
  await page.getByRole('link', { name: 'The API in detail' }).first().click()
  await page.getByRole('heading', { name: 'The API in detail' }).first().waitFor()
  const links = await page.evaluate<string[]>(
    `[...document.querySelectorAll('a[href^="#description/"]')].map((link) => link.getAttribute('href').slice(1))`,
  )
  const ids = await page.evaluate<string[]>(`[...document.querySelectorAll('[id]')].map(({ id }) => id)`)
  const broken = links.filter((link) => !ids.some((id) => id.endsWith(link)))
  if (links.length < 10) broken.push(`there are ${links.length} links`)
  expectNothing('The links among the guides', broken)
  console.log(`docs: ${links.length} links among the guides lead somewhere`)
}

/** Throws unless every status is within the analytics card, and no line of the sample is wider than its box. */
const expectUncut = async (operation: Locator, statuses: readonly string[]): Promise<void> => {
  for (const status of statuses) await operation.locator('.tab-list').getByText(status).first().click()
  const cut = await operation
    .locator('pre')
    .evaluateAll((all) =>
      all.flatMap(({ scrollWidth, clientWidth, textContent }) =>
        scrollWidth > clientWidth ? [textContent] : [],
      ),
    )
  expectNothing('The lines that are cut off', cut)
}

/** Looks for what the page begins with, and for the guide about cursors by the search. */
const begins = async (browser: Browser, baseUrl: string): Promise<void> => {
  const page = await browser.newPage({ viewport })
  await open(page, `${baseUrl}${DOCS_PATH}`)
  const tops = await Promise.all(
    [
      page.getByText('Record what your application bills'),
      page.getByText(baseUrl, { exact: true }),
      page.getByRole('heading', { name: 'The API in a page' }),
    ].map(async (text) => (await text.first().boundingBox())?.y ?? Number.NaN),
  )
  if (!(tops[0]! < tops[1]! && tops[1]! < tops[2]!))
    throw new Error(`What the API is, the server and the guides are at ${tops.join(', ')}`)
  await page
    .getByRole('button', { name: /Search/ })
    .first()
    .click()
  await page.keyboard.type('cursor')
  await page.getByRole('option', { name: 'Lists and cursors' }).waitFor()
  await page.close()
  console.log('docs: begins with what the API is, and its search finds the guide about cursors')
}

/** Looks for the code sample of creating a product, then sends its example with the credentials in the page. */
const sends = async (browser: Browser, baseUrl: string): Promise<void> => {
  const page = await browser.newPage({ viewport })
  const troubles = watch(page, baseUrl)
  await open(page, `${baseUrl}${DOCS_PATH}#tag/products/POST/api/products`)
  const operation = page.locator('[id$="tag/products/POST/api/products"]')
  await operation.getByText('billing.products.').first().waitFor()
  await expectUncut(operation, ['200', '400', '401', '403', '409', '413', '415', '422', '429', '500', '503'])
  const test = operation.getByRole('button', { name: /Test Request/ })
  await test.first().click()
  const answered = page.waitForResponse((response) => response.url() === `${baseUrl}/api/products`)
  await page.getByRole('button', { name: /^Send/ }).first().click()
  const status = (await answered).status()
  if (status !== 200) troubles.push(`the request from the page was answered with ${status}`)
  await page.getByText('200 OK').first().waitFor()
  await picture(page, 'request')
  expectNothing('The request from the page', troubles)
  console.log('docs: a request sent from the page succeeds')
}

const check = async (path: string): Promise<void> => {
  setLogSink(() => undefined)
  const service = await startService(localSettings({ PORT: '0', DYNAMODB_PORT: '0' }, ['--memory']))
  const browser = await launch(path)
  try {
    await renders(browser, service.baseUrl, ['wide', { viewport }])
    await renders(browser, service.baseUrl, ['narrow', { viewport: { width: 390, height: 844 } }])
    await renders(browser, service.baseUrl, ['dark', { viewport, colorScheme: 'dark' }])
    await begins(browser, service.baseUrl)
    await leads(browser, service.baseUrl)
    await sends(browser, service.baseUrl)
  } finally {
    await browser.close()
    await service.stop()
  }
}

if (chromiumPath) await check(chromiumPath)
else missingTool(NO_CHROMIUM)
