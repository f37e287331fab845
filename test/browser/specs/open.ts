import { AxeBuilder } from '@axe-core/playwright'
import { test as base, type Download, expect, type Page } from '@playwright/test'
import { type Client, createClient } from '../../../client/index.ts'
import { currentService } from '../../../shared/store/service.ts'
import { type LocalService, startService } from '../../../tools/local/service.ts'
import { localSettings } from '../../../tools/local/settings.ts'
import { scenario } from '../../../tools/testing/scenario/scenario.ts'
import { createSeed } from '../../../tools/testing/seed.ts'
import { processorTime } from '../processor-time.ts'
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

const start = (settings: Fixtures['settings']): Promise<LocalService> => {
  currentService().log = () => undefined
  return startService(localSettings({ PORT: '0', ...settings }, ['--memory']))
}

/** Expects a page to have no trouble with a service but what `troubles` was relieved of. */
const openedWith = async (page: Page, service: LocalService, use: (opened: Opened) => Promise<void>) => {
  const { baseUrl, demo } = service
  const client = createClient({ baseUrl, appId: demo.app_id, apiKey: demo.api_key })
  const troubles = watch(page, baseUrl)
  await use({ service, client, troubles })
  await page.context().close()
  expect(troubles).toEqual([])
}

/** Tests with a service of their own, which is empty. */
export const test = base.extend<Fixtures>({
  settings: [{}, { option: true }],
  opened: async ({ page, settings }, use) => {
    const service = await start(settings)
    await openedWith(page, service, use)
    await service.stop()
  },
})

/** Tests that share a service with the records of the scenario, to which they only add, as recording them takes seconds. */
export const testOnScenario = base.extend<Pick<Fixtures, 'opened'>, { readonly filled: LocalService }>({
  filled: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const service = await start({})
      const { baseUrl, demo } = service
      await createSeed(scenario(Date.now()), { baseUrl, appId: demo.app_id, apiKey: demo.api_key })
      await use(service)
      await service.stop()
    },
    { scope: 'worker' },
  ],
  opened: ({ page, filled }, use) => openedWith(page, filled, use),
})

/** Takes away the troubles that a test expects. */
export const expectTroubles = ({ troubles }: Opened, expected: RegExp): void => {
  troubles.splice(0, troubles.length, ...troubles.filter((trouble) => !expected.test(trouble)))
}

/** Goes to another view, and waits until the one before is gone, which may have tiles and rows too. */
export const goTo = async (page: Page, { service }: Opened, hash = ''): Promise<void> => {
  await page.evaluate(`document.querySelector('main')?.setAttribute('data-left', '')`)
  await page.goto(`${service.baseUrl}/console${hash && `#/${hash}`}`)
  await expect(page.locator('main:not([data-left])')).toBeVisible()
}

/** Opens the console, which signs in by itself with the demo's key, and waits until its copy is complete. */
export const openConsole = async (page: Page, opened: Opened): Promise<void> => {
  await goTo(page, opened)
  await upToDate(page)
}

export const upToDate = async (page: Page): Promise<void> => {
  await expect(page.getByText(/up to date at/)).toBeVisible()
  await newest(page)
}

/** Waits until nothing is being read, and nothing is shown of a question before. */
export const newest = (page: Page) =>
  expect(page.locator('[aria-busy=true], .status:has-text("Reading")')).toHaveCount(0)

/** Expects that axe finds nothing, and that the page is not wider than the screen. */
export const expectAccessible = async (page: Page): Promise<void> => {
  await newest(page)
  // axe's legacy mode does not look into cross-origin frames. The console has none, and it takes half the time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await axe.analyze()
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([])
  expect(
    await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
  ).toBeLessThanOrEqual(0)
}

/** Returns the lines of a CSV file. */
export const linesOf = async (download: Download): Promise<string[]> => {
  const stream = (await download.createReadStream()).setEncoding('utf8')
  const text = (await Array.fromAsync(stream)).join('')
  // Excel needs the byte order mark.
  expect(text).toMatch(/^\u{FEFF}/u)
  return text.trim().split('\r\n')
}

/** The field of the search. */
export const search = (page: Page) => page.getByRole('combobox', { name: 'Name, email or any id' })

/** The customers that the search has found. */
export const searchResults = (page: Page) => page.getByRole('listbox').getByRole('option')

/** Scrolls a page down, and waits until it knows, which is before the next frame. Returns its position. */
export const scrollDown = async (page: Page, to: number): Promise<number> => {
  const position = await page.evaluate<number>(
    `new Promise((resolve) => { scrollTo(0, ${to}); requestAnimationFrame(() => resolve(scrollY)) })`,
  )
  expect(position).toBeGreaterThan(100)
  return position
}

/**
 * The most frames that going back may take, which are 200 ms unless the page is busy, and the milliseconds of processor time: far
 * more than it takes, since processors differ.
 */
const MAX = { frames: 12, millis: 1_000 }

/** Goes back, and returns how many frames are drawn until the page shows a tile or a list, scrolled to `left`. */
const framesOfReturn = (page: Page, left: number): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve, reject) => {
    const path = location.hash
    let frames = 0
    const look = () => {
      const isBack = location.hash !== path
      if (isBack && document.querySelector('.tile, .rows') && scrollY === ${left}) return resolve(frames)
      if (isBack) frames += 1
      if (frames > 1_000)
        return reject(new Error('still at ' + scrollY + ' of ' + location.hash + ', was left at ${left}'))
      return requestAnimationFrame(look)
    }
    history.back()
    look()
  })`)

/**
 * Scrolls a page down, goes on to another and back, and expects the page where it was left, at the best of three times: with
 * little work and, as a page that waits for another thread draws frames, without waiting. A busy machine draws fewer.
 */
export const expectQuickReturn = async (
  page: Page,
  opened: Opened,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> => {
  const times: { readonly millis: number; readonly frames: number }[] = []
  await goTo(page, opened, from)
  await expect(page.locator('.tile, .rows').first()).toBeVisible()
  await newest(page)
  const left = await scrollDown(page, 400)
  const isQuick = () => times.some(({ millis, frames }) => millis < MAX.millis && frames <= MAX.frames)
  while (times.length < 3 && !isQuick()) {
    await goTo(page, opened, to)
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(0)
    await expect(page.locator('.tile, .rows').first()).toBeVisible()
    let frames = 0
    const { all: millis } = await processorTime(page, async () => {
      frames = await framesOfReturn(page, left)
    })
    times.push({ millis, frames })
  }
  const shown = times.map(({ millis, frames }) => `${Math.round(millis)} ms in ${frames} frames`)
  console.log(`back to #/${from}: ${shown.join(', ')}`)
  expect(isQuick()).toBe(true)
}

export { expect, type Page }
