import { readFileSync } from 'node:fs'
import { createClient } from '../../../client/index.ts'
import { currentService } from '../../../shared/store/service.ts'
import { type LocalService, startService } from '../../../tools/local/service.ts'
import { localSettings } from '../../../tools/local/settings.ts'
import { expectedFiguresIn, paperHistories } from './documented-figures.ts'
import { reportedCounts, rowsLike } from './written-figures.ts'

describe('the figures of docs/figures.md and of its edge cases', () => {
  const examples = paperHistories().flatMap(({ title, invoices, customers, expectations }) =>
    expectations.map((expected) => ({
      title,
      date: new Date(expected.now * 1000).toISOString(),
      invoices,
      customers,
      expected,
    })),
  )

  it('are found in more than 40 tables', () => expect(examples.length).toBeGreaterThan(40))

  it.each(examples)('are the figures of "$title" on $date', ({ invoices, customers, expected }) => {
    expect(rowsLike(invoices, expected, customers)).toEqual(expected.rows)
    expect(reportedCounts(invoices, expected)).toBe(expected.reported)
  })
})

describe('the guide to recording', () => {
  /** The bodies and the expected figures of each section of docs/recording.md. */
  const sections = readFileSync('docs/recording.md', 'utf8')
    .split(/^## /m)
    .map((text) => ({
      title: text.split('\n')[0]!,
      bodies: [...text.matchAll(/^\{.*\}$/gm)].map(([line]) => JSON.parse(line)),
      expectations: expectedFiguresIn(text),
    }))

  let service: LocalService
  beforeAll(async () => {
    currentService().log = () => undefined
    service = await startService(localSettings({ PORT: '0' }, ['--memory']))
  })
  afterAll(() => service.stop())

  it.each(sections)(
    'yields the figures of the guide from its bodies: $title',
    async ({ bodies, expectations }) => {
      const { baseUrl, demo } = service
      const client = createClient({ baseUrl, appId: demo.app_id, apiKey: demo.api_key })
      const earlier = await Array.fromAsync(client.invoices.all())
      const earlierIds = new Set(earlier.map(({ id }) => id))
      expect(bodies).not.toEqual([])
      for (const { type, data } of bodies) await client[`${type}s` as 'invoices'].create(data)
      const include = ['line_items', 'price', 'discounts'] as const
      const all = await Array.fromAsync(client.invoices.all({ include }))
      const invoices = all.filter(({ id }) => !earlierIds.has(id))
      for (const expected of expectations) expect(rowsLike(invoices, expected)).toEqual(expected.rows)
    },
  )
})
