import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'
import { type Client, createClient } from '../../../client/index.ts'
import { currentService } from '../../../shared/store/service.ts'
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
  /** Whether the service has the records of the invented business; otherwise, it is empty. */
  readonly hasDemo: boolean
  /** Settings of the service's environment. */
  readonly settings: Readonly<Record<string, string>>
  readonly session: Session
}

/** A test with a service of its own. Afterwards, expects that the page had no troubles except the expected ones. */
export const test = base.extend<Fixtures>({
  hasDemo: [false, { option: true }],
  settings: [{}, { option: true }],
  session: async ({ page, hasDemo, settings }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'service-'))
    if (hasDemo) await cp(process.env.DEMO_FOLDER!, dataDir, { recursive: true })
    currentService().log = () => undefined
    const service = await startService(localSettings({ PORT: '0', DATA_DIR: dataDir, ...settings }))
    const { baseUrl, demo } = service
    const client = createClient({ baseUrl, appId: demo.app_id, apiKey: demo.api_key })
    const troubles = watchTroubles(page, baseUrl)
    await use({ service, client, troubles })
    await page.context().close()
    await service.stop()
    await rm(dataDir, { recursive: true })
    expect(troubles).toEqual([])
  },
})

/** A test with the records of the invented business. */
export const testOnDemo = test.extend({ hasDemo: true })

/** Removes the troubles that a test expects from the troubles of its page. */
export const expectTroubles = ({ troubles }: Session, expected: RegExp): void => {
  const unexpected = troubles.filter((trouble) => !expected.test(trouble))
  troubles.splice(0, troubles.length, ...unexpected)
}

export { expect, type Page }
