import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { catalogue } from '../../../shared/catalogue.ts'
import type { Item } from '../../../shared/store/items.ts'
import { entityKey } from '../../../shared/store/keys.ts'
import { getItem } from '../../../shared/store/read.ts'
import { dynamodb, tableName } from '../../../shared/store/service.ts'
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
import { aroundQueries, dataIn, type Export, exported, sortedLines } from '../exporting.ts'
import { importAs, outcomesIn } from '../importing.ts'

serveForTests()

const modeOf = (path: string) => statSync(path).mode & 0o777

describe('an export', () => {
  it('is the same after an import into an empty application, whatever was recorded', async () => {
    const [from, to] = [await newClient(), await newClient()]
    await createExisting(from)
    for (const [operation, { body, fields }] of Object.entries(writeOperations)) {
      const { path } = catalogue.find(({ id }) => id === operation) ?? { path: '/api/invoices' }
      if (operation === 'customers.update') continue
      const bodies = Object.entries(fields).flatMap(([field, { valid }]) =>
        valid.map((value) => body({ [field]: value })),
      )
      await inParallel(bodies, (each) => from.create(path, each))
    }
    await from.put(`/api/customers/${existingIds.updatedCustomer}`, {
      id: existingIds.updatedCustomer,
      metadata: { a: 1 },
    })
    await from.put(`/api/customers/${existingIds.customer}`)
    const first = await exported(from)
    const { counts } = await importAs(to, first.paths)
    expect(counts).toMatchObject({ conflict: 0, invalid: 0, failed: 0 })
    const second = await exported(to)
    expect(sortedLines(second)).toEqual(sortedLines(first))
    expect(first.lines.invoice!.length).toBeGreaterThan(100)
  })

  it('contains bodies of creates: client ids, hidden fields, and no generated values', async () => {
    const client = await newClient()
    await client.create('/api/products', productBody({ id: 7 }))
    await client.create('/api/prices', priceBody({ id: 'p', product_id: '7', title: null, tiered: false }))
    const person = customerBody({ id: 42, phone: '1', created: '2024-01-01' })
    const { id } = await client.create('/api/customers', person)
    await client.create('/api/discounts', discountBody({ id: 'd' }))
    const discounts = ['d', 'd']
    const line_items = [lineItem({ id: null, price_id: 'p' }), { id: 'l', amount: null }]
    const body = invoiceBody({ id: 'i', customer_id: id, subscription_id: 's', currency: 'eur', discounts })
    await client.create('/api/invoices', { ...body, line_items })
    const { lines, manifest, folder } = await exported(client)
    const [created, period_end] = ['2024-01-01T00:00:00Z', '2024-02-01T00:00:00Z']
    const monthly = { type: 'recurring', interval: 'month', interval_count: 1 }
    const expected = {
      product: { id: '7', name: 'Basic' },
      price: { id: 'p', product_id: '7', currency: 'EUR', price: 999, ...monthly },
      customer: { id: '42', name: 'Ann Example', email: 'ann@example.org', created, phone: '1' },
      discount: { id: 'd', name: 'Spring', duration: 'once', percent_off: 10, currency: 'EUR' },
      invoice: {
        ...{ id: 'i', total: 999, created, period_start: created, period_end, currency: 'EUR' },
        ...{ customer_id: '42', subscription_id: 's', discounts },
        line_items: [{ amount: 999, currency: 'EUR', quantity: 1, ...monthly, price_id: 'p' }, { id: 'l' }],
      },
    }
    for (const [type, data] of Object.entries(expected)) {
      expect(lines[type]!.map((line) => JSON.parse(line))).toEqual([{ type, data }])
      expect(manifest.files).toContainEqual(expect.objectContaining({ file: `${type}s.ndjson`, count: 1 }))
    }
    for (const { file, bytes, sha256 } of manifest.files) {
      const content = readFileSync(join(folder, file))
      expect([bytes, sha256]).toEqual([content.length, createHash('sha256').update(content).digest('hex')])
    }
    expect(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))).toEqual(manifest)
    expect(modeOf(folder)).toBe(0o700)
    for (const file of readdirSync(folder)) expect([file, modeOf(join(folder, file))]).toEqual([file, 0o600])
    expect(readdirSync(folder)).toHaveLength(manifest.files.length + 1)
  })

  it('restores no erased customer and reverts no update if it is imported again', async () => {
    const client = await newClient()
    const names = ['same', 'updated', 'erased']
    for (const id of names) await client.create('/api/customers', customerBody({ id, phone: id }))
    const before = await exported(client)
    await client.put('/api/customers/updated', { id: 'updated', email: null })
    await client.put('/api/customers/erased')
    const now = await exported(client)
    const again = async ({ paths }: Export) => {
      const report = join(temporaryFolder(), 'report')
      await importAs(client, [...paths, '--report', report])
      expect(sortedLines(await exported(client))).toEqual(sortedLines(now))
      return names.map((name) => outcomesIn(report)[`customer ${name}`])
    }
    expect(await again(before)).toEqual(['unchanged', 'unchanged', 'conflict'])
    // The content of a create is compared with that of the first create.
    expect(await again(now)).toEqual(['unchanged', 'conflict', 'unchanged'])
    expect(now.lines.customer!.map((line) => JSON.parse(line).erased)).toEqual([undefined, undefined, true])

    const empty = await newClient()
    await importAs(empty, now.paths)
    const person = customerBody({ id: 'erased', phone: 'erased' })
    const { status, details } = await empty.post('/api/customers', person)
    expect([status, details]).toEqual([409, [expect.stringMatching(/has been anonymised\.$/)]])
    expect((await importAs(empty, before.paths)).counts).toMatchObject({ unchanged: 1, conflict: 2 })
    expect(sortedLines(await exported(empty))).toEqual(sortedLines(now))
  })

  it('contains everything that its lines refer to, despite concurrent creates and delayed indexes', async () => {
    const client = await newClient()
    const line_items = range(9).map((index) => lineItem({ id: String(index) }))
    const record = async () => {
      const { id: customer_id } = await client.create('/api/customers', customerBody())
      const discount = await client.create('/api/discounts', discountBody())
      for (const body of range(5).map(() => invoiceBody({ customer_id, discounts: [discount.id] })))
        await client.create('/api/invoices', { ...body, line_items })
    }
    await inParallel(range(21), record)
    // The newest entities of a list are missing in the index at random.
    const hidden = (items: Record<string, unknown>[]) =>
      items.filter(({ list }) => /invoices$/.test(String(list)) || Math.random() < 0.5)
    aroundQueries(async (list) => list === 'invoices' && record(), hidden)
    const found = await exported(client)
    stopIntercepting()
    const invoices = dataIn(found, 'invoice')
    expect(invoices.length).toBeGreaterThanOrEqual(105)
    for (const [type, named] of [
      ['customer', invoices.map(({ customer_id }) => customer_id)],
      ['discount', invoices.flatMap(({ discounts }) => discounts)],
    ] as const) {
      const ids = dataIn(found, type).map(({ id }) => id)
      expect(named.filter((id) => !ids.includes(id))).toEqual([])
      expect(new Set(ids).size).toBe(ids.length)
    }
    for (const { line_items } of invoices) expect(line_items).toHaveLength(9)
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
      /^"a@exampl…" is listed and is not a cus/,
    ],
  ])('fails at an item that another version wrote: one with %s', async (_, change, message) => {
    const client = await newClient()
    const { id } = await client.create('/api/customers', customerBody({ id: 'ours' }))
    const item = (await getItem<Item>(entityKey(client.credentials.app_id, id)))!
    await dynamodb().send(new PutCommand({ TableName: tableName(), Item: change(item) }))
    await expect(exported(client)).rejects.toThrow(message)
  })
})
