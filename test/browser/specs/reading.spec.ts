import type { Route } from '@playwright/test'
import { range } from '../../support/range.ts'
import { INVOICE_PAGES, invoiceAt, serveInvoices } from '../records/generated-lists.ts'
import { goTo, showAsTable } from '../steps/console.ts'
import { processorTime } from '../steps/processor-time.ts'
import { expectQuickReturn } from '../steps/quick-return.ts'
import { expect, expectTroubles, type Page, type Session, test } from '../steps/session.ts'

/**
 * Reads all invoices of an application into the console: stopped, continued after a reload, and through a lost network.
 * CONSOLE_INVOICES says how many there are.
 */

const count = Number(process.env.CONSOLE_INVOICES ?? 1_500)
const CUSTOMERS = 50
const PAGE = 100
/** The number of pages of invoices that are read before reading is stopped or the network is lost. */
const PAGES_BEFORE_HOLD = 5
/**
 * The longest time that opening may block the page, in milliseconds of processor time: far more than it does, because processors
 * differ. `many-invoices.spec.ts` checks the promised 100 ms.
 */
const MAX_BLOCKED_MILLIS = 300

const button = (page: Page, name: string) => page.getByRole('button', { name })

const lose = (route: Route) => route.abort('internetdisconnected')

/** Serves the first pages of invoices and holds the requests for others. Returns a function that aborts these and stops holding. */
const holdLaterPages = async (page: Page) => {
  const held: Route[] = []
  let passed = 0
  const hold = (route: Route) => {
    passed += 1
    if (passed <= PAGES_BEFORE_HOLD) return route.fallback()
    held.push(route)
    return undefined
  }
  await page.route(INVOICE_PAGES, hold)
  return async () => {
    await page.unroute(INVOICE_PAGES, hold)
    // Requests that the page has aborted meanwhile cannot be aborted again.
    await Promise.allSettled(held.map(lose))
  }
}

/** Waits until some pages have been read since the last start. */
const somePagesRead = (page: Page) => expect(page.getByText(/Reading … [\d,]{3,} records/)).toBeVisible()

/** The text that the page shows for an incomplete copy, after its size. */
const INCOMPLETE = 'so far. Figures appear once all records have been read.'

/** Collects the texts that the page shows for an incomplete copy, however briefly. */
const collectSizes = (page: Page) =>
  page.evaluate(`globalThis.sizes = new Set()
    new MutationObserver(() => {
      const text = document.querySelector('.status p').textContent
      if (text.includes('${INCOMPLETE}')) sizes.add(text)
    }).observe(document.querySelector('.status'), { childList: true, characterData: true, subtree: true })`)

/** Expects an incomplete copy, of which no figure is shown. Returns the number of its invoices. */
const incompleteSize = async (page: Page): Promise<number> => {
  const text = await page.getByText(INCOMPLETE).innerText()
  await expect(page.locator('.tile')).toHaveCount(0)
  // No other size is shown even for a moment, such as the size from before the reading.
  expect(await page.evaluate('sizes.size')).toBe(1)
  return Number(text.split(' ')[0]!.replaceAll(',', ''))
}

const complete = (page: Page) =>
  expect(
    page.getByText(`${count.toLocaleString('en-US')} invoices and ${CUSTOMERS} customers, up to date`),
  ).toBeVisible({ timeout: 600_000 })

/** Opens the overview and a list, and expects that no task blocks the page long, at the best of three times. */
const expectUnblocked = async (page: Page, session: Session): Promise<void> => {
  const open = async () => {
    await goTo(page, session)
    await complete(page)
    await expect(page.locator('.tile').first()).toBeVisible()
    await goTo(page, session, 'invoices')
    await expect(page.locator('.title [role=status]')).toHaveText(`${count.toLocaleString('en-US')} invoices`)
  }
  const longest: number[] = []
  while (longest.length < 3 && !longest.some((millis) => millis <= MAX_BLOCKED_MILLIS))
    longest.push((await processorTime(page, open)).longest)
  console.log(`longest tasks: ${longest.map(Math.round).join(', ')} ms`)
  expect(Math.min(...longest)).toBeLessThanOrEqual(MAX_BLOCKED_MILLIS)
}

test('reading stops, continues, survives a lost network, and never blocks the page', async ({
  page,
  session,
}) => {
  test.setTimeout(3_600_000)
  await serveInvoices(page, count, CUSTOMERS)
  const endFirstHold = await holdLaterPages(page)
  await goTo(page, session)
  await somePagesRead(page)
  await expect(page.getByRole('progressbar', { name: 'Reading all records' })).toBeVisible()
  await expect(page.locator('.placeholder')).toHaveCount(6)
  await collectSizes(page)
  await button(page, 'Stop').click()
  const stopped = await incompleteSize(page)
  await expect(page.locator('.placeholder')).toHaveCount(0)
  expect(stopped).toBeGreaterThan(0)
  expect(stopped).toBeLessThan(count)
  expect(stopped % PAGE).toBe(0)
  await endFirstHold()
  const endSecondHold = await holdLaterPages(page)
  await page.reload()
  await somePagesRead(page)
  await collectSizes(page)
  await page.route(INVOICE_PAGES, lose)
  await endSecondHold()
  await expect(page.getByText('The service could not be reached')).toBeVisible({ timeout: 60_000 })
  // Reading continues with the last second that was read, whose changes may all be known already.
  expect(await incompleteSize(page)).toBeGreaterThanOrEqual(stopped)
  await page.unroute(INVOICE_PAGES, lose)
  await button(page, 'Continue reading').click()
  await complete(page)
  let requests = 0
  page.on('request', (request) => {
    if (request.url().includes('/api/')) requests += 1
  })
  await page.reload()
  await complete(page)
  await expect(page.locator('.tile').first()).toBeVisible()
  // Two for each of the six lists, and two for the sign-in.
  expect(requests).toBeLessThanOrEqual(14)
  await expectUnblocked(page, session)
  await goTo(page, session)
  const all = page.getByRole('link', { name: 'All', exact: true })
  await all.click()
  await expect(all).toHaveAttribute('aria-current', 'true')
  await showAsTable(page, 'Invoiced')
  const rows = page.getByRole('region', { name: 'Invoiced, figures' }).locator('td')
  await expect(rows.first()).toBeVisible()
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
  const expectedTotal = sum(range(count).map((index) => invoiceAt(index, CUSTOMERS).total))
  const shownTotal = async () => {
    const texts = await rows.allInnerTexts()
    return sum(texts.map((text) => Number(text.replace(/[^\d]/g, ''))))
  }
  await expect.poll(shownTotal).toBe(expectedTotal)
  await expectQuickReturn(page, session, { from: '', to: 'customers/customer-7' })
  await expectQuickReturn(page, session, { from: 'invoices', to: 'customers/customer-7' })
  expectTroubles(session, /ERR_INTERNET_DISCONNECTED|^failed: /)
})
