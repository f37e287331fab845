import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test as base, expect } from '@playwright/test'
import { type BuildOptions, build } from 'esbuild'
import type * as client from '../../../client/index.ts'
import { createTestService, type TestService } from '../../../tools/testing/index.ts'

declare const billing: typeof client

/** A test double, and a page of another origin that is allowed to call it and that serves the credentials. */
const test = base.extend<{ readonly service: TestService }>({
  service: async ({ page }, use) => {
    const server = createServer(({ url }, response) => {
      if (url === '/billing-access.json') response.end(JSON.stringify(accessOf(service)))
      else response.setHeader('content-type', 'text/html').end('<!doctype html><body></body>')
    })
    await once(server.listen(0, 'localhost'), 'listening')
    const corsOrigin = `http://localhost:${(server.address() as AddressInfo).port}`
    const service = await createTestService({ corsOrigin })
    await page.goto(corsOrigin)
    await use(service)
    await page.close()
    await service.stop()
    server.close()
  },
})

/** Returns the options with which a client calls a test double. */
const accessOf = ({ baseUrl, appId, apiKey }: TestService) => ({ baseUrl, appId, apiKey })

/** Builds a script as the bundler of an application would. */
const bundleScript = async (contents: string, options: BuildOptions): Promise<string> => {
  const alias = { 'billing-data-api': './client/index.ts' }
  const stdin = { contents, resolveDir: '.' }
  const { outputFiles } = await build({ stdin, alias, bundle: true, write: false, ...options })
  return outputFiles![0]!.text
}

/** Runs in the page: creates, lists and retrieves customers. Returns what the client returned. */
const useClient = async (access: ReturnType<typeof accessOf>) => {
  const { customers } = billing.createClient(access)
  for (const id of [1, 2, 3]) await customers.create({ id, name: `Customer ${id}` })
  const names: (string | null)[] = []
  for await (const { name } of customers.all({ limit: 2 })) names.push(name)
  const error: unknown = await customers.retrieve(4).catch((reason: unknown) => reason)
  if (!(error instanceof billing.BillingApiError)) throw error
  const { status, errors, requestId } = error
  return { names, status, title: errors[0]?.title, hasRequestId: requestId !== undefined }
}

test('the client works in a page of another origin, also if a response is lost or a call is refused', async ({
  page,
  service,
}) => {
  const content = await bundleScript("export * from 'billing-data-api'", {
    format: 'iife',
    globalName: 'billing',
  })
  await page.addScriptTag({ content })
  await service.faults.add({ operation: 'customers.create', call: 2, lose: 'answer' })
  await service.faults.add({ operation: 'customers.list', answer: 503, retryAfter: 0 })
  expect(await page.evaluate(useClient, accessOf(service))).toEqual({
    names: ['Customer 3', 'Customer 2', 'Customer 1'],
    status: 404,
    title: 'Entity not found',
    hasRequestId: true,
  })
  expect(await service.faults.pending()).toEqual([])
})

test('the example of docs/client.md lists the customers in a page', async ({ page, service }) => {
  await service.reset({ seed: { customers: [{ id: 1, name: 'Customer 1' }] } })
  const [, example = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/client.md', 'utf8')) ?? []
  await page.addScriptTag({ type: 'module', content: await bundleScript(example, { format: 'esm' }) })
  await page.getByText('Customer 1').waitFor()
})
