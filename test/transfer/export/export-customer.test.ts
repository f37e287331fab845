import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runExport } from '../../../tools/transfer/export/export-command.ts'
import { dumpTable } from '../../support/database/dump-table.ts'
import { startFaultProxy } from '../../support/database/fault-proxy.ts'
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
import { newClient, SENTINEL, serveForTests } from '../../support/requests/service.ts'
import { aroundQueries, dataIn, exported } from '../exporting.ts'

serveForTests()

describe("the export of one customer's record", () => {
  it('contains everything stored about the customer, including values before updates, and nothing about others', async () => {
    const client = await newClient()
    await client.create('/api/discounts', discountBody({ id: 'used' }))
    await client.create('/api/discounts', discountBody({ id: 'unused' }))
    for (const id of ['sold', 'unused']) {
      await client.create('/api/products', productBody({ id }))
      await client.create('/api/prices', priceBody({ id, product_id: id }))
    }
    const make = async (id: string, mark: string) => {
      const visible = { id, name: `${mark}-name`, email: `${mark}@x`, metadata: { note: `${mark}-note` } }
      const hidden = { phone: `${mark}-phone`, description: `${mark}-old` }
      await client.create('/api/customers', { ...visible, ...hidden })
      await client.put(`/api/customers/${id}`, { id, email: `${mark}-new@x`, description: null })
      const line_items = [lineItem({ id: `${mark}-line`, price_id: 'sold' })]
      const common = { customer_id: id, discounts: ['used'], line_items }
      for (const number of range(3)) {
        const ids = { id: `${mark}-${number}`, subscription_id: `${mark}-sub-${number % 2}` }
        await client.create('/api/invoices', invoiceBody({ ...ids, ...common }))
      }
    }
    await make('other', 'Bob')
    await make('42', SENTINEL)
    const found = await exported(client, '42')
    const text = found.paths.map((path) => readFileSync(path, 'utf8')).join('')
    expect(text).not.toMatch(/Bob|unused/)
    const stored = (await dumpTable()).match(new RegExp(`${SENTINEL}[\\w@-]*`, 'g'))
    expect([...new Set(stored)].filter((value) => !text.includes(value))).toEqual([])
    expect(found.manifest).toMatchObject({ customer_id: '42' })
    const counts = { product: 1, price: 1, customer: 1, discount: 1, invoice: 3, subscription: 2 }
    const listed = found.manifest.files.map(({ type, count }) => [type, count])
    expect(Object.fromEntries(listed)).toMatchObject(counts)
    expect(JSON.parse(found.lines.customer![0]!)).toMatchObject({
      data: { id: '42', email: `${SENTINEL}-new@x` },
      originally: { id: '42', email: `${SENTINEL}@x`, description: `${SENTINEL}-old` },
    })
    const [start, end] = ['2024-01-01T00:00:00Z', '2024-02-01T00:00:00Z']
    expect(dataIn(found, 'subscription')).toContainEqual({
      ...{ id: `${SENTINEL}-sub-1`, customer_id: '42', latest_invoice_id: `${SENTINEL}-1`, currency: 'EUR' },
      ...{ interval: 'month', interval_count: 1 },
      ...{ created: start, current_period_start: start, current_period_end: end },
    })
    const { id } = (await client.get('/api/customers/42')).json.data.customer
    expect((await exported(client, id)).lines).toEqual(found.lines)
    await client.put('/api/customers/42')
    const erased = await exported(client, '42')
    expect(JSON.parse(erased.lines.customer![0]!)).toEqual({
      type: 'customer',
      data: expect.objectContaining({ id: '42', name: expect.stringMatching(/anonymous/i) }),
      erased: true,
    })
  })

  it('does not read the records of other customers', async () => {
    const client = await newClient()
    const made = await inParallel(range(9), () => client.create('/api/customers', customerBody()))
    for (const { id } of made) await client.create('/api/invoices', invoiceBody({ customer_id: id }))
    let read = 0
    const counting = <Item>(items: Item[]) => {
      read += items.length
      return items
    }
    aroundQueries(async () => undefined, counting)
    await exported(client, made[3].id)
    expect(read).toBe(2)
  })
})

/** Records a customer 42 with an invoice. Returns the application, and a folder for exports. */
const newRecord = async () => {
  const client = await newClient()
  await client.create('/api/customers', customerBody({ id: 42 }))
  await client.create('/api/invoices', invoiceBody({ customer_id: 42 }))
  return { app: client.credentials.app_id, folder: temporaryFolder() }
}

describe('the command', () => {
  let shown = ''
  const screen = { write: (text: string) => (shown += text) }
  const run = (...args: string[]) => {
    const { DYNAMODB_ENDPOINT, TABLE_NAME } = process.env
    return runExport(args, { DYNAMODB_ENDPOINT, TABLE_NAME }, screen)
  }

  it.each([
    [[], /^--app is missing$/],
    [['--app', 'a', '--region', 'x'], /^--region needs --table$/],
    [['--app', 'a', '--out', ''], /^--customer and --out must not be empty$/],
    [['--app', 'a', '--customer', ''], /^--customer and --out must not be empty$/],
    [['--app', 'app_nobody'], /^no application has the id "app_nobody"/],
    [['--app', 'a', 'b'], /'b'/],
  ])('refuses the arguments %j in one line', (args, message) => expect(run(...args)).rejects.toThrow(message))

  it('refuses an unknown customer, and a folder that it cannot create or that is not empty', async () => {
    const { credentials } = await newClient()
    const app = ['--app', credentials.app_id]
    await expect(run(...app, '--customer', 'x')).rejects.toThrow(/^No customer matches the id "x"\.?$/)
    for (const folder of ['/dev/null/x', '/proc/no/where'])
      await expect(run(...app, '--out', folder)).rejects.toThrow(`cannot create the folder "${folder}"`)
    const out = join(temporaryFolder(), 'out')
    await run(...app, '--out', `${out}/`)
    expect(shown).toBe(`Exported 0 entities to "${out}/".\n`)
    for (const taken of [out, join(out, 'manifest.json')])
      await expect(run(...app, '--out', taken)).rejects.toThrow(
        `"${taken}" exists and is not an empty folder; name another one`,
      )
  })

  it('follows no link, and lets only one of two exports into one folder succeed', async () => {
    const client = await newClient()
    await client.create('/api/customers', customerBody())
    const [folder, target] = [temporaryFolder(), temporaryFolder()]
    const out = join(folder, 'out')
    const command = ['--app', client.credentials.app_id, '--out', out]
    const taken = `"${out}" exists and is not an empty folder; name another one`
    symlinkSync(target, out)
    await expect(run(...command)).rejects.toThrow(taken)
    expect(readdirSync(target)).toEqual([])
    rmSync(out)
    const both = await Promise.allSettled([run(...command), run(...command)])
    const refused = both.flatMap((each) => (each.status === 'rejected' ? [each.reason.message] : []))
    const [manifest] = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(refused).toEqual([taken])
    expect(JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'))).toEqual(manifest)
    expect(readdirSync(folder)).toEqual(['out'])
  })

  it('leaves nothing behind if it fails', async () => {
    const { app, folder } = await newRecord()
    aroundQueries(() => Promise.reject(new Error('the table is gone')))
    const failing = run('--app', app, '--customer', '42', '--out', join(folder, 'out'))
    await expect(failing).rejects.toThrow('the table is gone')
    expect(readdirSync(folder)).toEqual([])
  })

  it('leaves nothing behind after SIGINT, SIGTERM and SIGHUP', async () => {
    const { app, folder } = await newRecord()
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
    const proxy = await startFaultProxy(process.env.TEST_ENGINE as string)
    // The query of a list gets no response.
    proxy.inject(app, { label: 'Query', fault: () => undefined, calls: Number.POSITIVE_INFINITY })
    const env = { ...process.env, DYNAMODB_ENDPOINT: proxy.endpoint }
    const ends = signals.map(async (signal) => {
      const out = join(folder, signal, 'out')
      const args = ['bin/export.ts', '--app', app, '--customer', '42', '--out', out]
      const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
      const ended = once(child, 'exit')
      while (globSync(join(folder, signal, '*/*')).length === 0) await pause(20)
      child.kill(signal)
      return [...(await ended), readdirSync(join(folder, signal))]
    })
    const expected = signals.map((signal) => [128 + constants.signals[signal], null, []])
    expect(await Promise.all(ends)).toEqual(expected)
    await proxy.stop()
  })
})
