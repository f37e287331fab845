import { appendFileSync } from 'node:fs'
import { type ImportCounts, type ImportRow, importFiles, importRows } from '../../tools/transfer/index.ts'
import { customerBody } from '../support/bodies.ts'
import { filesOf, linesOf } from '../support/importing.ts'
import { upTo } from '../support/lists.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

const accessOf = ({ credentials, baseUrl }: Client) => ({
  ...{ baseUrl, appId: credentials.app_id, apiKey: credentials.api_key },
})
const rows: readonly ImportRow[] = [
  { type: 'price', data: { id: 'p', product_id: 'pro', currency: 'EUR', price: 1, type: 'one_time' } },
  { type: 'product', data: { id: 'pro', name: 'Pro' } },
  { type: 'customer', data: { id: 1, name: 'Ann' }, erased: true },
]

describe('the module of the import', () => {
  it('imports rows that a program makes, reports progress and refused rows, and resumes', async () => {
    const client = await newClient()
    const { report } = filesOf({})
    const [progress, refused]: [number[], unknown[]] = [[], []]
    const options = {
      ...accessOf(client),
      report,
      onProgress: ({ created }: ImportCounts) => void progress.push(created),
      onRefused: (row: unknown) => void refused.push(row),
    }
    async function* generated() {
      yield* rows
      yield { type: 'price', data: { ...rows[0]!.data, id: 'q', product_id: 'none' } } as ImportRow
    }
    expect(await importRows(generated(), { ...options, dryRun: true, report: undefined })).toMatchObject({
      ...{ rows: 4, created: 3, invalid: 1 },
    })
    expect((await client.get('/api/products')).json.data.products).toEqual([])
    progress.length = 0
    expect(await importRows(generated(), options)).toMatchObject({ rows: 4, created: 3, invalid: 1 })
    expect([progress.length, progress.at(-1)]).toEqual([8, 3])
    expect(refused).toHaveLength(2)
    expect(refused[1]).toEqual({
      ...{ file: '-', row: 4, type: 'price', id: 'q', outcome: 'invalid', server_id: null },
      errors: [expect.stringMatching(/^product_id must be the id of an existing product; none has "none"/)],
    })
    expect((await client.get('/api/customers/1')).json.data.customer.name).toBe('Anonymous customer')
    expect(await importRows(rows, options)).toMatchObject({ rows: 3, resumed: 3, created: 0 })
    expect(linesOf(report)).toHaveLength(4)
  })

  it('imports files in the format of their names, or in the one that is given', async () => {
    const client = await newClient()
    const product = { object: 'product', id: 'a', name: 'A' }
    const { paths } = filesOf({ 'products.csv': 'id,name\nb,B\n', 'stripe.json': JSON.stringify(product) })
    const [csv, stripe] = paths as [string, string]
    expect(await importFiles([csv], accessOf(client))).toMatchObject({ rows: 1, created: 1 })
    const counts = await importFiles([stripe], { ...accessOf(client), format: 'stripe' })
    expect(counts).toMatchObject({ rows: 1, created: 1 })
    expect((await client.get('/api/products')).json.data.products).toHaveLength(2)
  })

  it('stops when its signal is aborted, and when a callback throws', async () => {
    const client = await newClient()
    const many = upTo(100).map((id): ImportRow => ({ type: 'customer', data: customerBody({ id: `${id}` }) }))
    const controller = new AbortController()
    const aborting = importRows(many, {
      ...accessOf(client),
      signal: controller.signal,
      onProgress: ({ created }) => void (created === 20 && controller.abort(new Error('enough'))),
    })
    await expect(aborting).rejects.toThrow('enough')
    const throwing = importRows(many, {
      ...accessOf(client),
      onProgress: ({ unchanged }) => {
        if (unchanged === 10) throw new Error('no more')
      },
    })
    await expect(throwing).rejects.toThrow('no more')
    expect(await importRows(many, accessOf(client))).toMatchObject({ rows: 100, failed: 0, invalid: 0 })
  })

  it('rejects when a file changes after its rows were counted', async () => {
    const { paths } = filesOf({ 'products.csv': 'id,name\na,A\n' })
    let isChanged = false
    const onProgress = () => {
      if (!isChanged) appendFileSync(paths[0]!, 'b,B\n')
      isChanged = true
    }
    const importing = importFiles(paths, { ...accessOf(await newClient()), onProgress })
    await expect(importing).rejects.toThrow('2 rows were found after 1 were counted: the files have changed')
  })

  it.each([
    ['baseUrl is missing', { baseUrl: '' }],
    ['baseUrl must be an address such as https://billing.example.org (got "x")', { baseUrl: 'x' }],
    ['concurrency must be an integer from 1 to 1000 (got 0)', { concurrency: 0 }],
  ])('rejects with one sentence: %s', async (message, options) => {
    await expect(importRows(rows, { ...accessOf(await newClient()), ...options })).rejects.toThrow(message)
  })
})

/** What the compiler must refuse; nothing here runs. */
export const refused: ImportRow[] = [
  // @ts-expect-error a product has a name
  { type: 'product', data: { id: 1 } },
  // @ts-expect-error nothing creates a subscription
  { type: 'subscription', data: { id: 1 } },
  // @ts-expect-error only customers can be anonymised
  { type: 'product', data: { id: 1, name: 'A' }, erased: true },
]
