import { deepStrictEqual } from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type BuildOptions, build } from 'esbuild'
import type * as client from '../../client/index.ts'
import { createTestService, type TestService } from '../../tools/testing/index.ts'
import { missingTool } from '../support/missing-tool.ts'
import { chromiumPath, launch, NO_CHROMIUM } from './chromium.ts'

/** Checks the client in a real browser against the test double. Not part of `npm test`, which has no browser. */

declare const billing: typeof client

/** Builds a script as an application's bundler would. */
const bundled = async (contents: string, options: BuildOptions): Promise<string> => {
  const alias = { 'billing-data-api': './client/index.ts' }
  const stdin = { contents, resolveDir: '.' }
  const { outputFiles } = await build({ stdin, alias, bundle: true, write: false, ...options })
  return outputFiles![0]!.text
}

/** The whole client, under the name `billing`. */
const wholeClient = (): Promise<string> =>
  bundled("export * from 'billing-data-api'", { format: 'iife', globalName: 'billing' })

/** The example of the documents. */
const example = (): Promise<string> => {
  const [, contents = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/client.md', 'utf8')) ?? []
  return bundled(contents, { format: 'esm' })
}

/** The script in the page. */
const use = async ({ baseUrl, appId, apiKey }: Pick<TestService, 'baseUrl' | 'appId' | 'apiKey'>) => {
  const { customers } = billing.createClient({ baseUrl, appId, apiKey })
  for (const id of [1, 2, 3]) await customers.create({ id, name: `Customer ${id}` })
  const names: (string | null)[] = []
  for await (const { name } of customers.all({ limit: 2 })) names.push(name)
  const failed: unknown = await customers.retrieve(4).catch((error: unknown) => error)
  if (!(failed instanceof billing.BillingApiError)) throw failed
  const { status, errors, requestId } = failed
  return { names, status, title: errors[0]?.title, hasRequestId: requestId !== undefined }
}

/** A server of a page at another origin, which the example asks for its access. */
const startPages = async (access: () => unknown) => {
  const server = createServer(({ url }, response) => {
    if (url === '/billing-access.json') response.end(JSON.stringify(access()))
    else response.setHeader('content-type', 'text/html').end('<!doctype html><body></body>')
  })
  await once(server.listen(0, 'localhost'), 'listening')
  return { server, origin: `http://localhost:${(server.address() as AddressInfo).port}` }
}

const check = async (path: string): Promise<void> => {
  const { server, origin } = await startPages(() => access)
  const service = await createTestService({ corsOrigin: origin })
  const access = { baseUrl: service.baseUrl, appId: service.appId, apiKey: service.apiKey }
  const browser = await launch(path)
  try {
    const page = await browser.newPage()
    await page.goto(origin)
    await page.addScriptTag({ content: await wholeClient() })
    await service.faults.add({ operation: 'customers.create', call: 2, lose: 'answer' })
    await service.faults.add({ operation: 'customers.list', answer: 503, retryAfter: 0 })
    deepStrictEqual(await page.evaluate(use, access), {
      names: ['Customer 3', 'Customer 2', 'Customer 1'],
      status: 404,
      title: 'Entity not found',
      hasRequestId: true,
    })
    deepStrictEqual(await service.faults.pending(), [])
    await page.addScriptTag({ type: 'module', content: await example() })
    await page.getByText('Customer 1').waitFor()
    console.log('client: works in a browser from another origin, faults on the way included')
  } finally {
    await browser.close()
    await service.stop()
    server.close()
  }
}

if (chromiumPath) await check(chromiumPath)
else missingTool(NO_CHROMIUM)
