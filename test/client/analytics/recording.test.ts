import { readFileSync } from 'node:fs'
import { createClient } from '../../../client/index.ts'
import { currentService } from '../../../shared/store/service.ts'
import { type LocalService, startService } from '../../../tools/local/service.ts'
import { localSettings } from '../../../tools/local/settings.ts'
import { seenIn } from './paper.ts'
import { figuresLike } from './written.ts'

/** The bodies and the expected figures of each section of docs/recording.md. */
const sections = readFileSync('docs/recording.md', 'utf8')
  .split(/^## /m)
  .map((text) => ({
    title: text.split('\n')[0]!,
    rows: [...text.matchAll(/^\{.*\}$/gm)].map(([row]) => JSON.parse(row)),
    seen: text
      .split(/^Seen on /m)
      .slice(1)
      .map(seenIn),
  }))

let service: LocalService
beforeAll(async () => {
  currentService().log = () => undefined
  service = await startService(localSettings({ PORT: '0' }, ['--memory']))
})
afterAll(() => service.stop())

it.each(sections)('computes the results in the guide from its bodies: $title', async ({ rows, seen }) => {
  const { baseUrl, demo } = service
  const client = createClient({ baseUrl, appId: demo.app_id, apiKey: demo.api_key })
  const before = new Set((await Array.fromAsync(client.invoices.all())).map(({ id }) => id))
  for (const { type, data } of rows) await client[`${type}s` as 'invoices'].create(data)
  const include = ['line_items', 'price', 'discounts'] as const
  const all = await Array.fromAsync(client.invoices.all({ include }))
  const invoices = all.filter(({ id }) => !before.has(id))
  expect(rows.length).toBeGreaterThan(0)
  for (const each of seen) expect(figuresLike(invoices, each)).toEqual(each.rows)
})
