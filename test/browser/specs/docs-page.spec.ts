import { catalogue } from '../../../shared/catalogue.ts'
import { DOCS_PATH } from '../../../shared/contract/document-function.ts'
import { tagName } from '../../../shared/openapi/components.ts'
import { expectFits } from '../steps/accessibility.ts'
import { openMenu } from '../steps/console.ts'
import { expect, type Page, test } from '../steps/session.ts'

test.use({ viewport: { width: 1440, height: 1000 } })

/** Opens the documentation page, and waits until it shows every resource. */
const openDocs = async (page: Page, url: string): Promise<void> => {
  await page.goto(url)
  await page.getByRole('heading', { name: 'Subscription Billing Data API' }).first().waitFor()
  for (const tag of new Set(catalogue.map(({ resource }) => tagName(resource))))
    await page.getByText(tag, { exact: true }).first().waitFor({ state: 'attached' })
}

/** Expects that every link among the guides leads to a heading. */
const expectLinks = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'The API in detail' }).first().click()
  await page.getByRole('heading', { name: 'The API in detail' }).first().waitFor()
  const links = await page.evaluate<string[]>(
    `[...document.querySelectorAll('a[href^="#description/"]')].map((link) => link.getAttribute('href').slice(1))`,
  )
  const brokenLinks = async () => {
    const ids = await page.evaluate<string[]>(`[...document.querySelectorAll('[id]')].map(({ id }) => id)`)
    return links.filter((link) => !ids.some((id) => id.endsWith(link)))
  }
  await expect.poll(brokenLinks).toEqual([])
  expect(links.length).toBeGreaterThanOrEqual(10)
}

// The steps share one page, because opening it takes seconds.
test('the documentation page fits a wide screen, introduces the API, and leads through the guides', async ({
  page,
  session,
}) => {
  const { baseUrl } = session.service
  await openDocs(page, baseUrl + DOCS_PATH)
  await test.step('it fits a wide screen, also in the dark', async () => {
    await expectFits(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectFits(page)
  })
  await test.step('it shows what the API does, its address, and then the guides', async () => {
    const parts = [
      page.getByText('Record what your application bills'),
      page.getByText(baseUrl, { exact: true }),
      page.getByRole('heading', { name: 'API overview' }),
    ]
    const boxes = await Promise.all(parts.map((part) => part.first().boundingBox()))
    const tops = boxes.map((box) => box!.y)
    expect(tops).toEqual(tops.toSorted((a, b) => a - b))
  })
  await test.step('its search finds words of the text, and leads to their section', async () => {
    await page.keyboard.press('/')
    for (const word of ['churn', 'deferred', 'VAT', 'Excel']) {
      await page.getByRole('combobox', { name: 'Search the documentation' }).fill(word)
      await expect(page.getByRole('option').first()).toContainText(new RegExp(word, 'i'))
    }
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'From a spreadsheet' })).toBeInViewport()
  })
  await test.step('every link among the guides leads to a heading', () => expectLinks(page))
  await test.step('its side bar shows a heading before the click returns', async () => {
    const top = await page.evaluate<number>(`{
      document.querySelector('a[href="#description/integrate-other-systems"]').click()
      document.querySelector('[id$="/description/integrate-other-systems"]').getBoundingClientRect().top
    }`)
    expect(top).toBeGreaterThanOrEqual(0)
    expect(top).toBeLessThan(200)
  })
  await test.step('no link of its side bar has an address with "undefined"', () =>
    expect(page.locator('a[href*="undefined"]')).toHaveCount(0))
  await test.step('it leads to the console, which leads back', async () => {
    await page.getByRole('link', { name: 'Console', exact: true }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await openMenu(page)
    const documentation = page.getByRole('link', { name: 'Documentation', exact: true })
    await expect(documentation).toHaveAttribute('href', new RegExp(`${DOCS_PATH}$`))
  })
})

// A deployed gateway without a domain serves the page below the name of its stage.
test('below the name of a stage, the documentation page shows all of an operation, sends its example with the key of the demo, and fits a narrow screen', async ({
  page,
  session,
}) => {
  const { baseUrl } = session.service
  await page.route('**/stage/**', (route) =>
    route.continue({ url: route.request().url().replace('/stage/', '/') }),
  )
  await openDocs(page, `${baseUrl}/stage${DOCS_PATH}#tag/products/POST/api/products`)
  const operation = page.locator('[id$="tag/products/POST/api/products"]')
  await operation.getByText('billing.products.').first().waitFor()
  for (const status of [200, 400, 401, 403, 409, 413, 415, 422, 429, 500, 503])
    await operation.locator('.tab-list').getByText(`${status}`).first().click()
  const truncated = await operation
    .locator('pre')
    .evaluateAll((blocks) =>
      blocks
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => textContent),
    )
  expect(truncated).toEqual([])
  await operation
    .getByRole('button', { name: /Test Request/ })
    .first()
    .click()
  // The page also sends on_conflict=update: it selects the only value of an optional parameter.
  const response = page.waitForResponse((received) => received.url().startsWith(`${baseUrl}/api/products`))
  await page.getByRole('button', { name: /^Send/ }).first().click()
  expect((await response).status()).toBe(200)
  await page.getByText('200 OK').first().waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectFits(page)
})
