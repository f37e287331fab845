import { AxeBuilder } from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import { type Client, createClient } from '../../../client/index.ts'
import { setLogSink } from '../../../shared/log.ts'
import { type LocalService, startService } from '../../../tools/local/service.ts'
import { localSettings } from '../../../tools/local/settings.ts'
import { watch } from '../troubles.ts'

/** A local service with what a test needs of it. */
export interface Opened {
  readonly service: LocalService
  readonly client: Client
  /** What the page had of troubles: errors, failed requests and requests elsewhere. */
  readonly troubles: string[]
}

interface Fixtures {
  /** Settings of the service's environment. */
  readonly settings: Readonly<Record<string, string>>
  readonly opened: Opened
}

/** Tests with a service of their own, which is empty, and a page that has no trouble but what `opened.troubles` was relieved of. */
export const test = base.extend<Fixtures>({
  settings: [{}, { option: true }],
  opened: async ({ page, settings }, use) => {
    setLogSink(() => undefined)
    const service = await startService(localSettings({ PORT: '0', ...settings }, ['--memory']))
    const { baseUrl, demo } = service
    const client = createClient({ baseUrl, appId: demo.app_id, apiKey: demo.api_key })
    const troubles = watch(page, baseUrl)
    await use({ service, client, troubles })
    await page.context().close()
    await service.stop()
    expect(troubles).toEqual([])
  },
})

/** Takes away the troubles that a test expects. */
export const expectTroubles = ({ troubles }: Opened, expected: RegExp): void => {
  troubles.splice(0, troubles.length, ...troubles.filter((trouble) => !expected.test(trouble)))
}

export const goTo = (page: Page, { service }: Opened, hash = '') =>
  page.goto(`${service.baseUrl}/console${hash && `#/${hash}`}`)

/** Opens the console, which signs in by itself with the demo's key, and waits until its copy is complete. */
export const openConsole = async (page: Page, opened: Opened): Promise<void> => {
  await goTo(page, opened)
  await upToDate(page)
}

export const upToDate = (page: Page) => expect(page.getByText(/up to date at/)).toBeVisible()

/** Expects that axe finds nothing, and that the page is not wider than the screen. */
export const expectAccessible = async (page: Page): Promise<void> => {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([])
  expect(
    await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
  ).toBeLessThanOrEqual(0)
}

/** The field of the search. */
export const search = (page: Page) => page.getByRole('combobox')

/** The longest that going back may take. */
const MAX_RETURN_MILLIS = 200

/** Goes back, and returns how many milliseconds it takes until the page shows a tile or a list, scrolled to `left`. */
const millisOfReturn = (page: Page, left: number): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve, reject) => {
    const began = performance.now()
    const path = location.hash
    const look = () => {
      if (location.hash !== path && document.querySelector('.tile, .rows') && scrollY === ${left})
        return resolve(performance.now() - began)
      if (performance.now() - began > 10_000)
        return reject(new Error('still at ' + scrollY + ' of ' + location.hash + ', was left at ${left}'))
      return requestAnimationFrame(look)
    }
    history.back()
    look()
  })`)

/** Scrolls a page down, goes on to another and back, and expects the page where it was left, at the best of three times. */
export const expectQuickReturn = async (
  page: Page,
  opened: Opened,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> => {
  const times: number[] = []
  for (let round = 0; round < 3; round += 1) {
    await goTo(page, opened, from)
    // The page before may have tiles and rows too.
    await page.waitForTimeout(500)
    await expect(page.locator('.tile, .rows').first()).toBeVisible()
    await page.evaluate('scrollTo(0, 400)')
    await page.waitForTimeout(100)
    const left = await page.evaluate<number>('scrollY')
    expect(left).toBeGreaterThan(100)
    await goTo(page, opened, to)
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(0)
    await expect(page.locator('.tile, .rows').first()).toBeVisible()
    times.push(await millisOfReturn(page, left))
  }
  console.log(`back to #/${from} in ${times.map(Math.round).join(', ')} ms`)
  expect(Math.min(...times)).toBeLessThan(MAX_RETURN_MILLIS)
}

export { expect, type Page }
