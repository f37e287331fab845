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
import { exported } from '../exporting.ts'
import { type Entry, filesOf, importAs, linesOf, ndjson, outcomesIn } from '../importing.ts'

serveForTests()

/** Runs an import and calls `onRequest` with the method of each of its requests. */
const watched = async (onRequest: (method: string) => void, run: () => Promise<unknown>): Promise<void> => {
  const listener = (message: unknown) =>
    onRequest((message as { request: { method: string } }).request.method)
  subscribe('undici:request:create', listener)
  try {
    await run()
  } finally {
    unsubscribe('undici:request:create', listener)
  }
}

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
  it('sends referenced entities first, whatever the order of files and rows, and reports which were recorded before', async () => {
    const client = await newClient()
    const [first, second] = [history().slice(0, 3), history().slice(3)]
    const { paths, report } = filesOf({ 'a.ndjson': ndjson(first), 'b.ndjson.gz': gzipSync(ndjson(second)) })
    const { counts } = await importAs(client, [...paths, '--report', report])
    expect(counts).toMatchObject({ rows: 6, created: 6, conflict: 0, invalid: 0, failed: 0 })
    const reported = history().map(([type, { id }]) => [`${type} ${id}`, 'created'])
    expect(outcomesIn(report)).toEqual(Object.fromEntries(reported))
    const { json } = await client.get('/api/invoices/i2?include=subscription')
    expect(json.data.invoice.subscription.latest_invoice_id).toBe(json.data.invoice.id)
    expect(linesOf(report).map(({ server_id }) => server_id)).toContain(json.data.invoice.id)
    const rows = ndjson([...history(), ['product', productBody({ id: 'new' })]])
    for (const [files, created] of [
      [['-'], 1] as const,
      [['-'], 0] as const,
      [['-', '--dry-run'], 0] as const,
    ])
      expect((await importAs(client, files, rows)).counts).toMatchObject({ created, unchanged: 7 - created })
  })

  it('reports the line, the outcome and the error of each row', async () => {
    const client = await newClient()
    await client.create('/api/products', { id: 'taken', name: 'Other' })
    const { paths, report } = filesOf({
      'rows.ndjson': Buffer.from(
        [
          ndjson([['product', { id: 'taken', name: 'Taken' }]]).trim(),
          '',
          '{"data": {"id": "reversed", "name": "A"}, "type": "product"}\r',
          '{"type": "product", "data": {"id": "twice", "id": "twice", "name": "A"}}',
          '{"type": "product", "data": {"id": "x", "name": "A"}, "more": {}}',
          '{"type": "subscription", "data": {"id": "x"}}',
          '{"type": "product", "data": {"id": "x"',
          '{"type": "customer", "data": {"id": 12345678901234567890}}',
          ndjson([['invoice', invoiceBody({ id: 'i', customer_id: 'nobody', total: '1' })]]).trim(),
          ndjson([['invoice', invoiceBody({ id: 'j', customer_id: 'nobody' })]]).trim(),
          '{"type": "product", "data": {"id": "latin\xe4"}}',
          `{"type": "product", "data": {"id": "long", "name": "${'x'.repeat(2 ** 20)}"}}`,
        ].join('\n'),
        'latin1',
      ),
    })
    const { counts, shown } = await importAs(client, [...paths, '--report', report])
    expect(counts).toMatchObject({ rows: 11, created: 1, conflict: 1, invalid: 9 })
    const expected: [number, string, string | null, RegExp][] = [
      [1, 'conflict', 'taken', /already the id of product .*: name/],
      [3, 'created', 'reversed', /^$/],
      [4, 'invalid', 'twice', /^id .*(once|twice)/],
      [5, 'invalid', null, /nothing else/],
      [6, 'invalid', null, /^type must be one of "product", .*\(got "subscription"\)/],
      [7, 'invalid', null, /must be JSON/],
      [8, 'invalid', null, /^id /],
      [9, 'invalid', 'i', /^total must be/],
      [10, 'invalid', 'j', /^customer_id must be the id of an existing customer; none has "nobody"/],
      [11, 'invalid', null, /must be UTF-8 \(its byte 42 is not\)/],
      [12, 'invalid', null, /at most 1 MiB/],
    ]
    const lines = linesOf(report).sort((a, b) => a.row - b.row)
    expect(lines.map(({ row, outcome, id, errors }) => [row, outcome, id, errors.join(' ')])).toEqual(
      expected.map(([row, outcome, id, error]) => [row, outcome, id, expect.stringMatching(error)]),
    )
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
    const before = (await exported(client)).lines.customer!
    const methods: string[] = []
    const ids = ['new', 'taken', 'hidden', 'erased']
    const rows = ids.map((id): Entry => ['customer', { id, ...anonymisedValues }, true])
    const product: Entry = ['product', productBody({ id: 'p' }), true]
    const { paths, report } = filesOf({ 'rows.ndjson': ndjson([...rows, product]) })
    await watched(
      (method) => methods.push(method),
      () => importAs(client, [...paths, '--report', report]),
    )
    expect(methods).toEqual(['GET', ...ids.map(() => 'POST')])
    expect(outcomesIn(report)).toEqual({
      'customer new': 'created',
      'customer taken': 'conflict',
      'customer hidden': 'conflict',
      'customer erased': 'unchanged',
      'product p': 'invalid',
    })
    const after = (await exported(client)).lines.customer!
    expect(after).toEqual(expect.arrayContaining(before))
    const added = after.filter((line) => !before.includes(line)).map((line) => JSON.parse(line))
    expect(added).toMatchObject([{ data: { id: 'new' }, erased: true }])
  })

  it('reads the members of a line in any order', async () => {
    const client = await newClient()
    const members = [`"type":"customer"`, `"data":{"id":"x"}`, `"erased":true`]
    const orders = [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ] as const
    const lines = orders.map((order) => `{${order.map((at) => members[at]).join()}}\n`)
    const { counts } = await importAs(client, filesOf({ 'rows.ndjson': lines.join('') }).paths)
    expect(counts).toMatchObject({ created: 1, unchanged: 5 })
    expect((await client.get('/api/customers/x')).json.data.customer).toMatchObject(anonymisedValues)
  })

  it('resumes from its report: skips recorded rows, and sends refused and changed ones again', async () => {
    const client = await newClient()
    const rows = history()
    const { paths, report } = filesOf({ 'a.ndjson': ndjson(rows.slice(0, 5)) })
    const command = [...paths, '--report', report]
    await importAs(client, [...command, '--dry-run'])
    expect((await importAs(client, command)).counts).toMatchObject({ created: 4, invalid: 1, resumed: 0 })
    await client.create('/api/products', rows[5][1])
    // An incomplete line, as a killed process leaves it behind.
    appendFileSync(report, '{"row":1,"file":')
    expect((await importAs(client, command)).counts).toMatchObject({ created: 1, resumed: 4 })
    expect(outcomesIn(report)).toMatchObject({ 'price p1': 'created' })
    expect(linesOf(report).filter(({ dry_run }) => !dry_run)).toHaveLength(6)
    const changed = rows.map(([type, data]): Entry => {
      if (type === 'customer') return [type, data, true]
      return [type, type === 'discount' ? { ...data, name: 'Other' } : data]
    })
    writeFileSync(paths[0]!, ndjson(changed.slice(0, 5)))
    expect((await importAs(client, command)).counts).toMatchObject({ conflict: 1, invalid: 1, resumed: 3 })
    // Nothing of it is recorded in another application.
    const other = await newClient()
    expect((await importAs(other, command)).counts).toMatchObject({ resumed: 0 })
  })

  it('reads each file once, so that a change meanwhile changes nothing', async () => {
    const { paths } = filesOf({ 'rows.ndjson': ndjson(history().slice(2)) })
    const client = await newClient()
    let counts: unknown
    const addRow = (method: string) => {
      if (method === 'POST') appendFileSync(paths[0]!, ndjson([['price', priceBody()]]))
    }
    await watched(addRow, async () => {
      counts = (await importAs(client, paths)).counts
    })
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

  it.each([[[]], [['--update']]])(
    'sends GET requests alone in a dry run, whatever is recorded (%j)',
    async (more) => {
      const client = await newClient()
      const rows = [...history(), ['customer', { id: 'gone', ...anonymisedValues }, true] as const]
      await importAs(client, filesOf({ 'a.ndjson': ndjson(rows) }).paths)
      const changed = rows.map(([type, data]): Entry => [type, { ...data, name: 'Other' }])
      const { paths } = filesOf({ 'a.ndjson': ndjson([...rows, ...changed]) })
      const methods = new Set<string>()
      let shown = ''
      await watched(
        (method) => methods.add(method),
        async () => {
          shown = (await importAs(client, [...paths, '--dry-run', ...more])).shown
        },
      )
      expect([...methods]).toEqual(['GET'])
      expect(shown).toMatch(
        /This was a dry run\. Would (not )?record .* is not known before they are sent\.\n$/,
      )
    },
  )
})
