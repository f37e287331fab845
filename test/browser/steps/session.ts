import { test as base, expect, type Page } from '@playwright/test'
import { type Client, createClient } from '../../../client/index.ts'
import { currentService } from '../../../shared/store/service.ts'
import { recordDemoBusiness } from '../../../tools/local/record-business.ts'
import { type LocalService, startService } from '../../../tools/local/service.ts'
import { localSettings } from '../../../tools/local/settings.ts'
import { watchTroubles } from './troubles.ts'

/** A page of a test and the local service that it uses. */
export interface Session {
  readonly service: LocalService
  readonly client: Client
  /** The errors, failed requests and requests to other hosts that the page has had, except those that a test has expected. */
  readonly troubles: string[]
}

interface Fixtures {
  /** Settings of the service's environment. */
  readonly settings: Readonly<Record<string, string>>
  readonly session: Session
}

const inMemory = (settings: Fixtures['settings'] = {}) =>
  localSettings({ PORT: '0', ...settings }, ['--memory'])

const startInMemory = (settings?: Fixtures['settings']): Promise<LocalService> => {
  currentService().log = () => undefined
  return startService(inMemory(settings))
}

/** Runs a test with a session on a service. Afterwards, expects that the page had no troubles except the expected ones. */
const useSession = async (page: Page, service: LocalService, use: (session: Session) => Promise<void>) => {
  const { baseUrl, demo } = service
  const client = createClient({ baseUrl, appId: demo.app_id, apiKey: demo.api_key })
  const troubles = watchTroubles(page, baseUrl)
  await use({ service, client, troubles })
  await page.context().close()
  expect(troubles).toEqual([])
}

/** A test with a service of its own, which is empty. */
export const test = base.extend<Fixtures>({
  settings: [{}, { option: true }],
  session: async ({ page, settings }, use) => {
    const service = await startInMemory(settings)
    await useSession(page, service, use)
    await service.stop()
  },
})

/** Records the invented business, as `npm start` does. */
export const recordDemo = async (service: LocalService): Promise<void> => {
  await recordDemoBusiness(service, inMemory())
}

/**
 * A test on a service with the records of the invented business. The tests of a worker share it and only add records, because
 * recording the business takes seconds.
 */
export const testOnDemo = base.extend<Pick<Fixtures, 'session'>, { readonly demoService: LocalService }>({
  demoService: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const service = await startInMemory()
      await recordDemo(service)
      await use(service)
      await service.stop()
    },
    { scope: 'worker' },
  ],
  session: ({ page, demoService }, use) => useSession(page, demoService, use),
})

/** Removes the troubles that a test expects from the troubles of its page. */
export const expectTroubles = ({ troubles }: Session, expected: RegExp): void => {
  const unexpected = troubles.filter((trouble) => !expected.test(trouble))
  troubles.splice(0, troubles.length, ...unexpected)
}

export { expect, type Page }
