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

export { expect, type Page }
