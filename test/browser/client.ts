import { deepStrictEqual } from 'node:assert/strict'
import { build } from 'esbuild'
import type * as client from '../../client/index.ts'
import { createTestService, type TestService } from '../../tools/testing/index.ts'
import { missingTool } from '../support/missing-tool.ts'
import { chromiumPath, launch, NO_CHROMIUM } from './chromium.ts'

/** Uses the client in a real browser, against the test double. Not a part of `npm test`, which has no browser. */

declare const billing: typeof client

const bundled = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: ['client/index.ts'],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'billing',
    write: false,
  })
  return outputFiles[0]!.text
}

/** What runs in the page. */
const use = async ({ baseUrl, appId, apiKey }: Pick<TestService, 'baseUrl' | 'appId' | 'apiKey'>) => {
  const { customers } = billing.createClient({ baseUrl, appId, apiKey })
  for (const id of [1, 2, 3]) await customers.create({ id, name: `Customer ${id}` })
  const names: (string | null)[] = []
  for await (const { name } of customers.all({ limit: 2 })) names.push(name)
  const failed: unknown = await customers.retrieve(4).catch((error: unknown) => error)
  if (!(failed instanceof billing.BillingApiError)) throw failed
  return {
    names,
    status: failed.status,
    title: failed.errors[0]?.title,
    hasRequestId: failed.requestId !== undefined,
  }
}

const check = async (path: string): Promise<void> => {
  const service = await createTestService()
  const browser = await launch(path)
  try {
    const page = await browser.newPage()
    // A page of the service's own origin, which asks no leave for what it sends there.
    await page.route('**/page', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
    )
    await page.goto(`${service.baseUrl}/page`)
    await page.addScriptTag({ content: await bundled() })
    await service.faults.add({ operation: 'customers.create', call: 2, lose: 'answer' })
    await service.faults.add({ operation: 'customers.list', answer: 503, retryAfter: 0 })
    const { baseUrl, appId, apiKey } = service
    deepStrictEqual(await page.evaluate(use, { baseUrl, appId, apiKey }), {
      names: ['Customer 3', 'Customer 2', 'Customer 1'],
      status: 404,
      title: 'Entity not found',
      hasRequestId: true,
    })
    deepStrictEqual(await service.faults.pending(), [])
    console.log('client: works in a browser, faults on the way included')
  } finally {
    await browser.close()
    await service.stop()
  }
}

if (chromiumPath) await check(chromiumPath)
else missingTool(NO_CHROMIUM)
