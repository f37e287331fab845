import { deepStrictEqual } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { createClient } from '../../client/index.ts'
import type { LocalService } from '../../tools/local/service.ts'
import { createTestService } from '../../tools/testing/index.ts'
import { REBOUND_NAME } from './chromium.ts'

/** What a page of another site can do to the servers of this machine, tried by a real browser. */

/** The options of `fetch` that the attacks use. */
interface Init {
  readonly method?: string
  readonly mode?: 'cors' | 'no-cors'
  readonly headers?: Record<string, string>
  readonly body?: string
}

interface Attempt {
  readonly url: string
  readonly init: Init
}

/** Sends a request from the page; returns the status and the text that the page can read, or `unreadable`. */
const attempt = (page: Page, url: string, init: Init = {}): Promise<string> =>
  page.evaluate<string, Attempt>(
    ({ url, init }) =>
      fetch(url, init).then(
        async (answer) => `${answer.status} ${await answer.text()}`,
        () => 'unreadable',
      ),
    { url, init },
  )

const listTables: Init = {
  method: 'POST',
  headers: {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'DynamoDB_20120810.ListTables',
    'x-amz-date': '20260101T000000Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=any/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=any',
  },
  body: '{}',
}
const FORBIDDEN = /^403 \{"errors":/

const expectForbidden = (what: string, answer: string): void => {
  if (!FORBIDDEN.test(answer)) throw new Error(`a page reads ${what}: ${answer.slice(0, 200)}`)
}

/** The same address under a name of the page's own, which it has rebound to this machine. */
const rebound = (url: string): string => {
  const address = new URL(url)
  address.hostname = REBOUND_NAME
  return address.href
}

const attackService = async (page: Page, { baseUrl, engineUrl, engine }: LocalService): Promise<void> => {
  // Without this attack's success where nothing refuses it, the refusals below would prove nothing.
  deepStrictEqual(await attempt(page, engine!.endpoint, listTables), '200 {"TableNames":["billing"]}')
  for (const url of [`${baseUrl}/docs`, `${baseUrl}/api/products`])
    deepStrictEqual(await attempt(page, url), 'unreadable')
  deepStrictEqual(await attempt(page, engineUrl!, listTables), 'unreadable')
  await page.goto(rebound(baseUrl))
  for (const path of ['/docs', '/api/products']) expectForbidden(path, await attempt(page, path))
  await page.goto(rebound(engineUrl!))
  expectForbidden('the engine', await attempt(page, '/', listTables))
}

const attackDouble = async (page: Page): Promise<void> => {
  const service = await createTestService({ seed: { customers: [{ id: 1 }] } })
  const controls = `${service.baseUrl}/__test`
  try {
    deepStrictEqual(await attempt(page, controls), 'unreadable')
    for (const mode of ['cors', 'no-cors'] as const)
      await attempt(page, `${controls}/reset`, { method: 'POST', mode, body: '{"seed": {}}' })
    await page.goto(rebound(controls))
    for (const init of [{}, { method: 'POST', body: '{"seed": {}}' }])
      expectForbidden('the controls', await attempt(page, '/__test/reset', init))
    await createClient(service).customers.retrieve(1)
  } finally {
    await service.stop()
  }
}

/** Throws if a page of another origin can read or change the service, its engine or a test double. */
export const refusesForeignPages = async (browser: Browser, service: LocalService): Promise<void> => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html>')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const page = await browser.newPage()
  try {
    await page.goto(url)
    await attackService(page, service)
    await page.goto(url)
    await attackDouble(page)
    console.log('service and test double: a page of another site reads and changes nothing')
  } finally {
    await page.close()
    server.close()
  }
}
