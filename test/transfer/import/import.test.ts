import { execFileSync, spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { temporaryFolder } from '../../support/processes/temporary-folder.ts'
import {
  anonymisedValues,
  customerBody,
  discountBody,
  invoiceBody,
  priceBody,
  productBody,
} from '../../support/requests/bodies.ts'
import { newClient, serveForTests } from '../../support/requests/service.ts'
import { exportAs } from '../exporting.ts'
import {
  type Entry,
  importAs,
  importContents,
  importFiles,
  ndjson,
  recordedEntity,
  reportedOutcomes,
  reportLines,
  writeFiles,
} from '../importing.ts'

serveForTests()

/** Runs an import, and calls `onRequest` with the method of each of its requests. Returns the result of the import. */
const watchRequests = async <T>(onRequest: (method: string) => void, run: () => Promise<T>): Promise<T> => {
  const listener = (message: unknown) =>
    onRequest((message as { request: { method: string } }).request.method)
  subscribe('undici:request:create', listener)
  try {
    return await run()
  } finally {
    unsubscribe('undici:request:create', listener)
  }
}

/** Entities of all resources, in reverse order: each entity comes after the entities that refer to it. */
const history = () => {
  const common = { customer_id: 'c1', subscription_id: 's1' }
  return [
    ['invoice', invoiceBody({ id: 'i1', ...common, discounts: ['d1'] })],
    ['invoice', invoiceBody({ id: 'i2', ...common, period_end: '2024-03-01' })],
    ['price', priceBody({ id: 'p1', product_id: 'pro' })],
    ['discount', discountBody({ id: 'd1' })],
    ['customer', customerBody({ id: 'c1' })],
    ['product', productBody({ id: 'pro' })],
  ] as const
}

describe('import', () => {
  it('sends referenced entities first, whatever the order of files and rows', async () => {
    const client = await newClient()
    const files = writeFiles({
      'a.ndjson': ndjson(history().slice(0, 3)),
      'b.ndjson.gz': gzipSync(ndjson(history().slice(3))),
    })
    const { counts, lines } = await importFiles(client, files)
    expect(counts).toMatchObject({ rows: 6, created: 6, conflict: 0, invalid: 0, failed: 0 })
    const created = history().map(([type, { id }]) => [`${type} ${id}`, 'created'])
    expect(reportedOutcomes(files.report)).toEqual(Object.fromEntries(created))
    const invoice = await recordedEntity(client, 'invoices', 'i2', 'subscription')
    expect(invoice.subscription).toMatchObject({ latest_invoice_id: invoice.id })
    expect(lines.map(({ server_id }) => server_id)).toContain(invoice.id)
  })

  it('reads standard input, and records nothing twice', async () => {
    const client = await newClient()
    const importInput = async (entries: readonly Entry[], ...options: string[]) =>
      (await importAs(client, ['-', ...options], ndjson(entries))).counts
    expect(await importInput(history())).toMatchObject({ created: 6, unchanged: 0 })
    const more: Entry[] = [...history(), ['product', productBody({ id: 'new' })]]
    expect(await importInput(more)).toMatchObject({ created: 1, unchanged: 6 })
    expect(await importInput(more)).toMatchObject({ created: 0, unchanged: 7 })
    expect(await importInput(more, '--dry-run')).toMatchObject({ created: 0, unchanged: 7 })
  })

  it('reports the line, the outcome and the error of each row', async () => {
    const client = await newClient()
    await client.create('/api/products', { id: 'taken', name: 'Other' })
    const rows = [
      ndjson([['product', { id: 'taken', name: 'Taken' }]]).trim(),
      '',
      '{"data": {"id": "reversed", "name": "A"}, "type": "product"}\r',
      '{"type": "product", "data": {"id": "twice", "id": "twice", "name": "A"}}',
      '{"type": "product", "data": {"id": "x", "name": "A"}, "more": {}}',
      '{"type": "subscription", "data": {"id": "x"}}',
      '{"type": "product", "data": {"id": "x"',
      '{"type": "customer", "data": {"id": 12345678901234567890}}',
      ndjson([['invoice', invoiceBody({ id: 'i', customer_id: 'nobody', total: '1.5' })]]).trim(),
      ndjson([['invoice', invoiceBody({ id: 'j', customer_id: 'nobody' })]]).trim(),
      '{"type": "product", "data": {"id": "latin\xe4"}}',
      `{"type": "product", "data": {"id": "long", "name": "${'x'.repeat(2 ** 20)}"}}`,
    ]
    const files = writeFiles({ 'rows.ndjson': Buffer.from(rows.join('\n'), 'latin1') })
    const { counts, shown, lines } = await importFiles(client, files)
    expect(counts).toMatchObject({ rows: 11, created: 1, conflict: 1, invalid: 9 })
    const expected = (row: number, outcome: string, id: string | null, error: RegExp) => ({
      row,
      outcome,
      id,
      error: expect.stringMatching(error),
    })
    expect(
      lines.map(({ row, outcome, id, errors }) => ({ row, outcome, id, error: errors.join(' ') })),
    ).toEqual([
      expected(1, 'conflict', 'taken', /already the id of product .*: name/),
      expected(3, 'created', 'reversed', /^$/),
      expected(4, 'invalid', 'twice', /^id .*(once|twice)/),
      expected(5, 'invalid', null, /nothing else/),
      expected(6, 'invalid', null, /^type must be one of "product", .*\(got "subscription"\)/),
      expected(7, 'invalid', null, /must be JSON/),
      expected(8, 'invalid', null, /^id /),
      expected(9, 'invalid', 'i', /^total must be/),
      expected(10, 'invalid', 'j', /^customer_id must be the id of an existing customer; none has "nobody"/),
      expected(11, 'invalid', null, /must be UTF-8 \(its byte 42 is not\)/),
      expected(12, 'invalid', null, /at most 1 MiB/),
    ])
    expect(shown).toContain('rows.ndjson, line 1 (product taken): conflict. id must be unused')
    expect((await client.get('/api/products')).json.data.products).toHaveLength(2)
  })

  it('records customers marked as erased with one request each, and erases nobody', async () => {
    const client = await newClient()
    await client.create('/api/customers', customerBody({ id: 'taken' }))
    // Responses do not show that this customer is not erased.
    await client.create('/api/customers', { id: 'hidden', ...anonymisedValues, phone: '+49 30 1234567' })
    await client.create('/api/customers', customerBody({ id: 'erased' }))
    await client.put('/api/customers/erased')
    const before = (await exportAs(client)).lines.customer!
    const ids = ['new', 'taken', 'hidden', 'erased']
    const rows = ids.map((id): Entry => ['customer', { id, ...anonymisedValues }, true])
    const product: Entry = ['product', productBody({ id: 'p' }), true]
    const files = writeFiles({ 'rows.ndjson': ndjson([...rows, product]) })
    const methods: string[] = []
    await watchRequests(
      (method) => methods.push(method),
      () => importFiles(client, files),
    )
    expect(methods).toEqual(['GET', 'POST', 'POST', 'POST', 'POST'])
    expect(reportedOutcomes(files.report)).toEqual({
      'customer new': 'created',
      'customer taken': 'conflict',
      'customer hidden': 'conflict',
      'customer erased': 'unchanged',
      'product p': 'invalid',
    })
    const after = (await exportAs(client)).lines.customer!
    expect(after).toEqual(expect.arrayContaining(before))
    const added = after.filter((line) => !before.includes(line)).map((line) => JSON.parse(line))
    expect(added).toMatchObject([{ data: { id: 'new' }, erased: true }])
  })

  it('resumes from its report: skips recorded rows, and sends refused and changed rows again', async () => {
    const client = await newClient()
    const rows = history()
    const files = writeFiles({ 'a.ndjson': ndjson(rows.slice(0, 5)) })
    await importFiles(client, files, '--dry-run')
    expect((await importFiles(client, files)).counts).toMatchObject({ created: 4, invalid: 1, resumed: 0 })
    await client.create('/api/products', rows[5][1])
    // A killed process leaves an incomplete line behind.
    appendFileSync(files.report, '{"row":1,"file":')
    expect((await importFiles(client, files)).counts).toMatchObject({ created: 1, resumed: 4 })
    expect(reportedOutcomes(files.report)).toMatchObject({ 'price p1': 'created' })
    expect(reportLines(files.report).filter(({ dry_run }) => !dry_run)).toHaveLength(6)
    const changed = rows.map(([type, data]): Entry => {
      if (type === 'customer') return [type, data, true]
      return [type, type === 'discount' ? { ...data, name: 'Other' } : data]
    })
    writeFileSync(files.paths[0]!, ndjson(changed.slice(0, 5)))
    expect((await importFiles(client, files)).counts).toMatchObject({ conflict: 1, invalid: 1, resumed: 3 })
    // The rows are not recorded in another application.
    const other = await newClient()
    expect((await importFiles(other, files)).counts).toMatchObject({ resumed: 0 })
  })

  it('reads each file once, so that a change during the import has no effect', async () => {
    const client = await newClient()
    const { paths } = writeFiles({ 'rows.ndjson': ndjson(history().slice(2)) })
    const addRow = (method: string) => {
      if (method === 'POST') appendFileSync(paths[0]!, ndjson([['price', priceBody()]]))
    }
    const { counts } = await watchRequests(addRow, () => importAs(client, paths))
    expect(counts).toMatchObject({ rows: 4, created: 4 })
  })

  it('reads pipes', async () => {
    const client = await newClient()
    const pipe = join(temporaryFolder(), 'customers.csv')
    execFileSync('mkfifo', [pipe])
    const written = once(spawn('sh', ['-c', `printf 'id\n1\n2\n' > '${pipe}'`]), 'exit')
    expect((await importAs(client, [pipe])).counts).toMatchObject({ created: 2 })
    await written
  })

  it.each([{ options: [] }, { options: ['--update'] }])(
    'sends only GET requests in a dry run, whatever is recorded, with the options $options',
    async ({ options }) => {
      const client = await newClient()
      const rows: Entry[] = [...history(), ['customer', { id: 'gone', ...anonymisedValues }, true]]
      await importContents(client, { 'a.ndjson': ndjson(rows) })
      const changed = rows.map(([type, data]): Entry => [type, { ...(data as object), name: 'Other' }])
      const contents = { 'a.ndjson': ndjson([...rows, ...changed]) }
      const methods = new Set<string>()
      const { shown } = await watchRequests(
        (method) => methods.add(method),
        () => importContents(client, contents, '--dry-run', ...options),
      )
      expect([...methods]).toEqual(['GET'])
      expect(shown).toMatch(/This was a dry run\. Would record .* is not known before they are sent\.\n$/)
    },
  )
})
