import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { catalogue } from '../../../shared/catalogue.ts'
import type { Item } from '../../../shared/store/items.ts'
import { entityKey } from '../../../shared/store/keys.ts'
import { getItem } from '../../../shared/store/read.ts'
import { dynamodb, tableName } from '../../../shared/store/service.ts'
import { openExportFile } from '../../../tools/transfer/export/export-files.ts'
import { stopIntercepting } from '../../support/database/intercepted-calls.ts'
import { inParallel } from '../../support/in-parallel.ts'
import { temporaryFolder } from '../../support/processes/temporary-folder.ts'
import { range } from '../../support/range.ts'
import {
  customerBody,
  discountBody,
  invoiceBody,
  lineItem,
  priceBody,
  productBody,
} from '../../support/requests/bodies.ts'
import { newClient, serveForTests } from '../../support/requests/service.ts'
import { createExisting, existingIds, writeOperations } from '../../support/requests/write-operations.ts'
import { aroundQueries, dataIn, type Export, exportAs, parsedLines, sortedLines } from '../exporting.ts'
import { importAs, importFiles, reportedOutcomes } from '../importing.ts'

serveForTests()

const modeOf = (path: string) => statSync(path).mode & 0o777

describe('an export', () => {
  it('is the same after an import into an empty application, whatever was recorded', async () => {
    const from = await newClient()
    const to = await newClient()
    await createExisting(from)
    for (const [operation, { body, fields }] of Object.entries(writeOperations)) {
      if (operation === 'customers.update') continue
      const { path } = catalogue.find(({ id }) => id === operation) ?? { path: '/api/invoices' }
      const bodies = Object.entries(fields).flatMap(([field, { valid }]) =>
        valid.map((value) => body({ [field]: value })),
      )
      await inParallel(bodies, (sent) => from.create(path, sent))
    }
    const { updatedCustomer, customer } = existingIds
    await from.put(`/api/customers/${updatedCustomer}`, { id: updatedCustomer, metadata: { a: 1 } })
    await from.put(`/api/customers/${customer}`)
    const first = await exportAs(from)
    const { counts } = await importAs(to, first.paths)
    expect(counts).toMatchObject({ conflict: 0, invalid: 0, failed: 0 })
    const second = await exportAs(to)
    expect(sortedLines(second)).toEqual(sortedLines(first))
    expect(first.lines.invoice!.length).toBeGreaterThan(100)
  })

  it('contains bodies of creates: client ids, hidden fields, and no generated values', async () => {
    const client = await newClient()
    await client.create('/api/products', productBody({ id: 7 }))
    await client.create('/api/prices', priceBody({ id: 'p', product_id: '7', title: null, tiered: false }))
    const { id: customer_id } = await client.create(
      '/api/customers',
      customerBody({ id: 42, phone: '1', created: '2024-01-01' }),
    )
    await client.create('/api/discounts', discountBody({ id: 'd' }))
    const discounts = ['d', 'd']
    const line_items = [lineItem({ id: null, price_id: 'p' }), { id: 'l', amount: null }]
    const fields = { id: 'i', customer_id, subscription_id: 's', currency: 'eur', discounts, line_items }
    await client.create('/api/invoices', invoiceBody(fields))
    const exported = await exportAs(client)
    const created = '2024-01-01T00:00:00Z'
    const monthly = { type: 'recurring', interval: 'month', interval_count: 1 }
    const expected = {
      product: { id: '7', name: 'Basic' },
      price: { id: 'p', product_id: '7', currency: 'EUR', price: 999, ...monthly },
      customer: { id: '42', name: 'Ann Example', email: 'ann@example.org', created, phone: '1' },
      discount: { id: 'd', name: 'Spring', duration: 'once', percent_off: 10, currency: 'EUR' },
      invoice: {
        id: 'i',
        total: 999,
        created,
        period_start: created,
        period_end: '2024-02-01T00:00:00Z',
        currency: 'EUR',
        customer_id: '42',
        subscription_id: 's',
        discounts,
        line_items: [{ amount: 999, currency: 'EUR', quantity: 1, ...monthly, price_id: 'p' }, { id: 'l' }],
      },
    }
    for (const [type, data] of Object.entries(expected)) {
      expect(parsedLines(exported, type)).toEqual([{ type, data }])
      const description = { file: `${type}s.ndjson`, type, count: 1 }
      expect(exported.manifest.files).toContainEqual(expect.objectContaining(description))
    }
  })

  it('has files that only their owner can read, with the sizes and checksums of the manifest', async () => {
    const client = await newClient()
    await client.create('/api/customers', customerBody())
    const { manifest, folder } = await exportAs(client)
    for (const { file, bytes, sha256 } of manifest.files) {
      const content = readFileSync(join(folder, file))
      const hash = createHash('sha256').update(content).digest('hex')
      expect({ file, bytes, sha256 }).toEqual({ file, bytes: content.length, sha256: hash })
    }
    expect(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))).toEqual(manifest)
    expect(modeOf(folder)).toBe(0o700)
    const files = readdirSync(folder)
    expect(files.filter((file) => modeOf(join(folder, file)) !== 0o600)).toEqual([])
    expect(files).toHaveLength(manifest.files.length + 1)
  })

  it('writes checksums with all their digits', async () => {
    const folder = temporaryFolder()
    const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')
    const line = range(1_000)
      .map(String)
      .find((text) => digestOf(text).startsWith('0'))!
    const file = await openExportFile(folder, 'customers.ndjson', 'customer')
    await file.add([line])
    expect(file.complete().lines_sha256).toBe(digestOf(line))
  })

  it('restores no erased customer and reverts no update if it is imported again', async () => {
    const client = await newClient()
    for (const id of ['same', 'updated', 'erased'])
      await client.create('/api/customers', customerBody({ id, phone: id }))
    const before = await exportAs(client)
    await client.put('/api/customers/updated', { id: 'updated', email: null })
    await client.put('/api/customers/erased')
    const after = await exportAs(client)
    const importAgain = async ({ paths }: Export) => {
      const report = join(temporaryFolder(), 'report')
      await importFiles(client, { paths, report })
      expect(sortedLines(await exportAs(client))).toEqual(sortedLines(after))
      return reportedOutcomes(report)
    }
    expect(await importAgain(before)).toEqual({
      'customer same': 'unchanged',
      'customer updated': 'unchanged',
      'customer erased': 'conflict',
    })
    // The content of a create is compared with that of the first create.
    expect(await importAgain(after)).toEqual({
      'customer same': 'unchanged',
      'customer updated': 'conflict',
      'customer erased': 'unchanged',
    })
  })

  it('keeps an erased customer erased in another application', async () => {
    const client = await newClient()
    const erased = customerBody({ id: 'erased', phone: '1' })
    await client.create('/api/customers', erased)
    await client.create('/api/customers', customerBody({ id: 'other' }))
    const before = await exportAs(client)
    await client.put('/api/customers/erased')
    const after = await exportAs(client)
    const erasedIds = parsedLines(after, 'customer')
      .filter((line) => line.erased)
      .map(({ data }) => data.id)
    expect(erasedIds).toEqual(['erased'])

    const other = await newClient()
    await importAs(other, after.paths)
    const response = await other.post('/api/customers', erased)
    expect(response.status).toBe(409)
    expect(response.details).toEqual([expect.stringMatching(/has been anonymised\.$/)])
    expect((await importAs(other, before.paths)).counts).toMatchObject({ unchanged: 1, conflict: 1 })
    expect(sortedLines(await exportAs(other))).toEqual(sortedLines(after))
  })

  it('contains everything that its lines refer to, despite concurrent creates and delayed indexes', async () => {
    const client = await newClient()
    const line_items = range(9).map((index) => lineItem({ id: String(index) }))
    const record = async () => {
      const { id: customer_id } = await client.create('/api/customers', customerBody())
      const discount = await client.create('/api/discounts', discountBody())
      for (let invoices = 0; invoices < 5; invoices += 1)
        await client.create(
          '/api/invoices',
          invoiceBody({ customer_id, discounts: [discount.id], line_items }),
        )
    }
    await inParallel(range(21), record)
    // At random, the newest entities of the lists to which invoices refer are missing in the index.
    const hideSome = (items: Record<string, unknown>[]) =>
      items.filter(({ list }) => /invoices$/.test(String(list)) || Math.random() < 0.5)
    aroundQueries(async (list) => list === 'invoices' && record(), hideSome)
    const exported = await exportAs(client)
    stopIntercepting()
    const invoices = dataIn(exported, 'invoice')
    expect(invoices.length).toBeGreaterThanOrEqual(105)
    const expectComplete = (type: string, referencedIds: readonly string[]) => {
      const ids = dataIn(exported, type).map(({ id }) => id)
      expect(ids).toEqual(expect.arrayContaining([...new Set(referencedIds)]))
      expect(new Set(ids).size).toBe(ids.length)
    }
    expectComplete(
      'customer',
      invoices.map(({ customer_id }) => customer_id),
    )
    expectComplete(
      'discount',
      invoices.flatMap(({ discounts }) => discounts),
    )
    for (const invoice of invoices) expect(invoice.line_items).toHaveLength(9)
  })

  it.each<[string, (item: Item) => object, RegExp]>([
    ['a new field', ({ data, ...item }) => ({ ...item, data: { ...data, vip: 1 } }), /an unknown "data.vip"/],
    ['no data', ({ data: _, ...item }) => item, /#cus_\w+ has no "data"/],
    [
      'the id of a product',
      (item) => ({ ...item, pk: item.pk.replace('cus', 'prod') }),
      /#prod_\w+ is not a cus/,
    ],
    [
      'another key',
      (item) => ({ ...item, pk: 'note#a@example.org' }),
      /^"a@exampl…" is in the list of customers, but the table does not contain it/,
    ],
  ])('fails at an item that another version wrote: one with %s', async (_, change, message) => {
    const client = await newClient()
    const { id } = await client.create('/api/customers', customerBody({ id: 'ours' }))
    const item = (await getItem<Item>(entityKey(client.credentials.app_id, id)))!
    await dynamodb().send(new PutCommand({ TableName: tableName(), Item: change(item) }))
    await expect(exportAs(client)).rejects.toThrow(message)
  })
})
