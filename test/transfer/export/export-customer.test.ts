import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runExport } from '../../../tools/transfer/export/export.ts'
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
import { aroundQueries, dataIn, exportAs, parsedLines } from '../exporting.ts'

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
    /** Records a customer with three invoices of two subscriptions. Every value contains `mark`. */
    const recordCustomer = async (id: string, mark: string) => {
      await client.create('/api/customers', {
        id,
        name: `${mark}-name`,
        email: `${mark}@x`,
        metadata: { note: `${mark}-note` },
        phone: `${mark}-phone`,
        description: `${mark}-old`,
      })
      await client.put(`/api/customers/${id}`, { id, email: `${mark}-new@x`, description: null })
      const line_items = [lineItem({ id: `${mark}-line`, price_id: 'sold' })]
      for (const number of range(3)) {
        const ids = { id: `${mark}-${number}`, subscription_id: `${mark}-sub-${number % 2}`, customer_id: id }
        await client.create('/api/invoices', invoiceBody({ ...ids, discounts: ['used'], line_items }))
      }
    }
    await recordCustomer('other', 'Bob')
    await recordCustomer('42', SENTINEL)
    const exported = await exportAs(client, '42')
    const text = exported.paths.map((path) => readFileSync(path, 'utf8')).join('')
    expect(text).not.toMatch(/Bob|unused/)
    const storedValues = (await dumpTable()).match(new RegExp(`${SENTINEL}[\\w@-]*`, 'g'))
    expect([...new Set(storedValues)].filter((value) => !text.includes(value))).toEqual([])
    expect(exported.manifest).toMatchObject({ customer_id: '42' })
    const counts = Object.fromEntries(exported.manifest.files.map(({ type, count }) => [type, count]))
    expect(counts).toMatchObject({
      product: 1,
      price: 1,
      customer: 1,
      discount: 1,
      invoice: 3,
      subscription: 2,
    })
    expect(parsedLines(exported, 'customer')).toMatchObject([
      {
        data: { id: '42', email: `${SENTINEL}-new@x` },
        originally: { id: '42', email: `${SENTINEL}@x`, description: `${SENTINEL}-old` },
      },
    ])
    expect(dataIn(exported, 'subscription')).toContainEqual({
      id: `${SENTINEL}-sub-1`,
      customer_id: '42',
      latest_invoice_id: `${SENTINEL}-1`,
      currency: 'EUR',
      interval: 'month',
      interval_count: 1,
      created: '2024-01-01T00:00:00Z',
      current_period_start: '2024-01-01T00:00:00Z',
      current_period_end: '2024-02-01T00:00:00Z',
    })
    const { id: serverId } = (await client.get('/api/customers/42')).json.data.customer
    expect((await exportAs(client, serverId)).lines).toEqual(exported.lines)
    await client.put('/api/customers/42')
    expect(parsedLines(await exportAs(client, '42'), 'customer')).toEqual([
      {
        type: 'customer',
        data: expect.objectContaining({ id: '42', name: expect.stringMatching(/anonymous/i) }),
        erased: true,
      },
    ])
  })

  it('does not read the records of other customers', async () => {
    const client = await newClient()
    const customers = await inParallel(range(9), () => client.create('/api/customers', customerBody()))
    for (const { id } of customers) await client.create('/api/invoices', invoiceBody({ customer_id: id }))
    let readItems = 0
    const countItems = <Item>(items: Item[]) => {
      readItems += items.length
      return items
    }
    aroundQueries(async () => undefined, countItems)
    await exportAs(client, customers[3].id)
    // An invoice and a subscription.
    expect(readItems).toBe(2)
  })
})

const recordCustomer42 = async () => {
  const client = await newClient()
  await client.create('/api/customers', customerBody({ id: 42 }))
  await client.create('/api/invoices', invoiceBody({ customer_id: 42 }))
  return { app: client.credentials.app_id, folder: temporaryFolder() }
}

const notEmpty = (folder: string) => `"${folder}" exists and is not an empty folder; choose another one`

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
    [['--app', 'a', '--out', ''], /^the value of --out is empty$/],
    [['--app', 'a', '--customer', ''], /^the value of --customer is empty$/],
    [['--app', 'app_nobody'], /^no application has the id "app_nobody"/],
    [['--app', 'a', 'b'], /'b'/],
  ])('refuses the arguments %j in one line', (args, message) => expect(run(...args)).rejects.toThrow(message))

  it('refuses an unknown customer', async () => {
    const { credentials } = await newClient()
    await expect(run('--app', credentials.app_id, '--customer', 'x')).rejects.toThrow(
      /^No customer matches the id "x"\.?$/,
    )
  })

  it('refuses a folder that it cannot create or that is not empty', async () => {
    const { credentials } = await newClient()
    const exportTo = (folder: string) => run('--app', credentials.app_id, '--out', folder)
    for (const folder of ['/dev/null/x', '/proc/no/where'])
      await expect(exportTo(folder)).rejects.toThrow(`cannot create the folder "${folder}"`)
    const folder = join(temporaryFolder(), 'out')
    await exportTo(`${folder}/`)
    expect(shown).toBe(`Exported 0 entities to "${folder}/".\n`)
    const file = join(folder, 'manifest.json')
    for (const path of [folder, file]) await expect(exportTo(path)).rejects.toThrow(notEmpty(path))
  })

  it('does not follow a link', async () => {
    const { credentials } = await newClient()
    const target = temporaryFolder()
    const link = join(temporaryFolder(), 'out')
    symlinkSync(target, link)
    await expect(run('--app', credentials.app_id, '--out', link)).rejects.toThrow(notEmpty(link))
    expect(readdirSync(target)).toEqual([])
  })

  it('lets only one of two exports into one folder succeed', async () => {
    const client = await newClient()
    await client.create('/api/customers', customerBody())
    const parent = temporaryFolder()
    const folder = join(parent, 'out')
    const exportInto = () => run('--app', client.credentials.app_id, '--out', folder)
    const results = await Promise.allSettled([exportInto(), exportInto()])
    const failures: string[] = []
    const manifests: unknown[] = []
    for (const result of results) {
      if (result.status === 'rejected') failures.push(result.reason.message)
      else manifests.push(result.value)
    }
    expect(failures).toEqual([notEmpty(folder)])
    expect(manifests).toEqual([JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))])
    expect(readdirSync(parent)).toEqual(['out'])
  })

  it('leaves nothing behind if it fails', async () => {
    const { app, folder } = await recordCustomer42()
    aroundQueries(() => Promise.reject(new Error('the table is gone')))
    const failing = run('--app', app, '--customer', '42', '--out', join(folder, 'out'))
    await expect(failing).rejects.toThrow('the table is gone')
    expect(readdirSync(folder)).toEqual([])
  })

  it('leaves nothing behind after SIGINT, SIGTERM and SIGHUP', async () => {
    const { app, folder } = await recordCustomer42()
    const proxy = await startFaultProxy(process.env.TEST_ENGINE as string)
    // The query of a list gets no response.
    proxy.inject(app, { label: 'Query', fault: () => undefined, calls: Number.POSITIVE_INFINITY })
    const env = { ...process.env, DYNAMODB_ENDPOINT: proxy.endpoint }
    /** Sends a signal to an export in progress. Returns its exit code and the files that it has left behind. */
    const interruptExport = async (signal: NodeJS.Signals) => {
      const parent = join(folder, signal)
      const args = ['--app', app, '--customer', '42', '--out', join(parent, 'out')]
      const child = spawn(process.execPath, ['bin/export.ts', ...args], { env, stdio: 'ignore' })
      const ended = once(child, 'exit')
      while (globSync(join(parent, '*/*')).length === 0) await pause(20)
      child.kill(signal)
      const [code] = await ended
      return { code, files: readdirSync(parent) }
    }
    const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
    expect(await Promise.all(signals.map(interruptExport))).toEqual(
      signals.map((signal) => ({ code: 128 + constants.signals[signal], files: [] })),
    )
    await proxy.stop()
  })
})
