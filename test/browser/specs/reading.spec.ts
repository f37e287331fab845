import type { Route } from '@playwright/test'
import { INVOICE_PAGES, invoiceAt, serveInvoices } from '../records/generated-lists.ts'
import { goTo } from '../steps/console.ts'
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
/** The pages of invoices that are read before reading is stopped, or the network lost. */
const SOME = 5
/**
 * The longest that opening may hold up the page, in milliseconds of processor time: far more than it does, since processors
 * differ. `many-invoices.spec.ts` has the promise of 100 ms.
 */
const MAX_BLOCKED_MILLIS = 300

const button = (page: Page, name: string) => page.getByRole('button', { name })

const lose = (route: Route) => route.abort('internetdisconnected')

/** Serves the first pages of invoices and holds the others. Returns a function that loses those, and ends this. */
const holdAfterSome = async (page: Page) => {
  const held: Route[] = []
  let passed = 0
  const hold = (route: Route) => {
    passed += 1
    return passed > SOME ? void held.push(route) : route.fallback()
  }
  await page.route(INVOICE_PAGES, hold)
  return async () => {
    await page.unroute(INVOICE_PAGES, hold)
    // What the page has given up meanwhile cannot be lost.
    await Promise.allSettled(held.map(lose))
  }
}

/** Waits until some pages have been read since the last start. */
const somePagesRead = (page: Page) => expect(page.getByText(/Reading … [\d,]{3,} records/)).toBeVisible()

/** What the page says of a copy that is not complete. */
const IN_PART = 'so far. Figures appear once all records have been read.'

/** Notes whatever is said of a copy in part, however briefly. */
const noteSizes = (page: Page) =>
  page.evaluate(`globalThis.sizes = new Set()
    new MutationObserver(() => {
      const text = document.querySelector('.status p').textContent
      if (text.includes('${IN_PART}')) sizes.add(text)
    }).observe(document.querySelector('.status'), { childList: true, characterData: true, subtree: true })`)

/** Expects a copy that is not complete, of which no figure is shown, and returns how many invoices it has. */
const keptInPart = async (page: Page): Promise<number> => {
  const text = await page.getByText(IN_PART).innerText()
  await expect(page.locator('.tile')).toHaveCount(0)
  // Not even for a moment is another size shown, such as that from before the reading.
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
    await expect(page.locator('.counted p')).toHaveText(`${count.toLocaleString('en-US')} invoices`)
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
  const endFirst = await holdAfterSome(page)
  await goTo(page, session)
  await somePagesRead(page)
  await expect(page.getByRole('progressbar', { name: 'Reading all records' })).toBeVisible()
  await expect(page.locator('.place')).toHaveCount(6)
  await noteSizes(page)
  await button(page, 'Stop').click()
  const stopped = await keptInPart(page)
  await expect(page.locator('.place')).toHaveCount(0)
  expect([stopped > 0, stopped < count, stopped % PAGE]).toEqual([true, true, 0])
  await endFirst()
  const endSecond = await holdAfterSome(page)
  await page.reload()
  await somePagesRead(page)
  await noteSizes(page)
  await page.route(INVOICE_PAGES, lose)
  await endSecond()
  await expect(page.getByText('The service could not be reached')).toBeVisible({ timeout: 60_000 })
  // A walk begins with the last second that it has, of which all may be known.
  expect(await keptInPart(page)).toBeGreaterThanOrEqual(stopped)
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
  expect(requests).toBeLessThanOrEqual(10)
  await expectUnblocked(page, session)
  await goTo(page, session)
  const all = page.getByRole('link', { name: 'All', exact: true })
  await all.click()
  await expect(all).toHaveAttribute('aria-current', 'true')
  await page.locator('.card', { hasText: 'Invoiced, with tax' }).last().getByText('Figures').click()
  const rows = page.getByRole('region', { name: 'Invoiced, with tax, figures' }).locator('td')
  await expect(rows.first()).toBeVisible()
  const shown = (await rows.allInnerTexts()).map((text) => Number(text.replace(/[^\d]/g, '')))
  const total = Array.from({ length: count }, (_, index) => invoiceAt(index, CUSTOMERS).total).reduce(
    (a, b) => a + b,
    0,
  )
  expect(shown.reduce((a, b) => a + b, 0)).toBe(total)
  await expectQuickReturn(page, session, { from: '', to: 'customers/customer-7' })
  await expectQuickReturn(page, session, { from: 'invoices', to: 'customers/customer-7' })
  expectTroubles(session, /ERR_INTERNET_DISCONNECTED|^failed: /)
})
