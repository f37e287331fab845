import { monthlyInvoice } from '../records/monthly-invoice.ts'
import { goTo, openConsole, rowsOf } from '../steps/console.ts'
import { expect, type Page, type Session, testOnDemo as test } from '../steps/session.ts'

/** The addresses of lists, each of another list than the one before, and the title of their last column. */
const lists: Readonly<Record<string, string>> = {
  invoices: 'Total',
  customers: 'Invoiced, all time, with tax',
  'invoices?by=segment': 'Total',
  subscriptions: 'Monthly value, net',
}

/** A font whose characters are wider than those of most system fonts. */
const WIDE_FONT = 'DejaVu Sans, Verdana, sans-serif'

/** Records an invoice whose customer has a long name, with a period in two years and a high amount. */
const recordWideInvoice = async ({ client }: Session) => {
  await client.customers.update('C-1001', { name: 'Wolfgang Maximilian Freiherr von Hohenstein' })
  await client.invoices.create({
    ...monthlyInvoice('wide-invoice', 100_000_00),
    customer_id: 'C-1001',
    subscription_id: 'wide-subscription',
  })
}

const openList = async (page: Page, session: Session, hash: string) => {
  await goTo(page, session, hash)
  await page.evaluate(`document.body.style.fontFamily = '${WIDE_FONT}'`)
  await expect(rowsOf(page).first()).toBeVisible()
}

/** Returns the distance in pixels between the right edges of the last column and of the card; infinite while there is no list. */
const distanceFromEdge = async (page: Page): Promise<number> => {
  const card = await page.locator('.rows').boundingBox()
  const title = await page.locator('.rows thead th:visible').last().boundingBox()
  if (!card || !title) return Number.POSITIVE_INFINITY
  return Math.abs(card.x + card.width - (title.x + title.width))
}

/** Returns the number of dates that do not fit into their cells. */
const cutDates = (page: Page): Promise<number> =>
  rowsOf(page)
    .locator(':is([data-column="created"], [data-column="start"], [data-column="since"])')
    .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length)

const expectLegendWhole = async (page: Page): Promise<void> => {
  const legend = page.locator('.legend').first()
  await expect(legend).toContainText('Billed')
  expect(await legend.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
}

const expectReadOutsWhole = async (page: Page): Promise<void> => {
  const readOuts = page.locator('.read-out > *')
  await expect(readOuts.first()).toBeVisible()
  const cut = await readOuts.evaluateAll((values) =>
    values
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map((value) => value.textContent),
  )
  expect(cut).toEqual([])
}

test("the last column of each list, and of the overview's table of plans, is in view, and dates and read values are whole", async ({
  page,
  session,
}) => {
  await recordWideInvoice(session)
  await openConsole(page, session)
  for (const width of [1440, 1024])
    await test.step(`at ${width} pixels`, async () => {
      await page.setViewportSize({ width, height: 900 })
      await goTo(page, session)
      await expectLegendWhole(page)
      for (const [hash, lastColumn] of Object.entries({ ...lists, movements: 'Change' })) {
        await openList(page, session, hash)
        const titles = page.locator('.rows thead th:visible')
        await expect(titles.last(), hash).toContainText(lastColumn)
        // The table neither exceeds its card nor leaves a part of it empty.
        await expect
          .poll(() => distanceFromEdge(page), `pixels of ${hash} to the edge`)
          .toBeLessThanOrEqual(2)
        await expect.poll(() => cutDates(page), hash).toBe(0)
        await expect(page.locator('.application bdi')).toBeInViewport({ ratio: 1 })
      }
      await openList(page, session, 'invoices')
      await expect(page.locator('.rows thead [data-column="external_id"]')).toBeInViewport({ ratio: 1 })
      await goTo(page, session, 'finance')
      await expectReadOutsWhole(page)
    })
})

test('on a phone, the sums of a list name their rows first, the lines of an invoice do not scroll, and the tiles of a record adjoin each other', async ({
  page,
  session,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openConsole(page, session)
  for (const hash of Object.keys(lists)) {
    await openList(page, session, hash)
    const sums = page.locator('.rows .sums').first()
    const label = (await sums.locator('th').boundingBox())!
    const amount = (await sums.locator('td:visible').last().boundingBox())!
    expect(label.x + label.width, hash).toBeLessThanOrEqual(amount.x)
  }
  await page.locator('.rows tbody a.row').first().click()
  const tiles = page.locator('.tile')
  await expect(tiles).toHaveCount(3)
  const [first, second] = [(await tiles.nth(0).boundingBox())!, (await tiles.nth(1).boundingBox())!]
  expect(second.x - (first.x + first.width)).toBeLessThan(1)
  await openList(page, session, 'movements')
  for (const key of ['customer', 'kind', 'plan', 'change'])
    await expect(page.locator(`.rows tr:not(.sums) > td[data-column="${key}"]`).first()).toBeInViewport({
      ratio: 1,
    })
  await openList(page, session, 'invoices')
  await expect(rowsOf(page).locator('[data-column="external_id"]').first()).toBeVisible()
  await page.locator('.rows tbody [data-column="external_id"] a').first().click()
  const lines = page.getByRole('region', { name: 'Lines' })
  await expect(lines.locator('[data-title="Net"]').first()).toBeVisible()
  expect(await lines.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
})
