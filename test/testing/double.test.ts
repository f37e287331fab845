import { once } from 'node:events'
import { connect } from 'node:net'
import { ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { businessAt } from '../../tools/business/business.ts'
import { type Day, dayOf } from '../../tools/business/calendar.ts'
import { localClient } from '../../tools/local/database.ts'
import { startDouble, type TestDouble } from '../../tools/testing/double.ts'
import { range } from '../support/range.ts'
import { clientAt } from '../support/requests/service.ts'
import { doubleForTests } from './test-double.ts'

// A business of two months takes a twentieth of the time to record.
jest.mock('../../tools/business/business.ts', () => {
  const business = jest.requireActual<typeof import('../../tools/business/business.ts')>(
    '../../tools/business/business.ts',
  )
  const twoMonthsUntil = (today: Day) =>
    business.businessUntil(business.firstMonthOfBusiness(today) + 34, today)
  return { ...business, businessAt: (now: number) => twoMonthsUntil(dayOf(now)) }
})

const { double, call, control } = doubleForTests({ customers: [{ id: 'seeded', name: 'Ann' }] })

const customerNames = async (): Promise<string[]> => {
  const { json } = await call('GET', '/api/customers')
  return json.data.customers.map(({ name }: { name: string }) => name)
}
const createCustomer = (name: string) => call('POST', '/api/customers', { body: { id: name, name } })

describe('a test double', () => {
  it('starts with its seed, and restores it at each reset without another seed', async () => {
    expect((await createCustomer('Bob')).status).toBe(200)
    expect(await customerNames()).toEqual(['Bob', 'Ann'])
    await control('POST', '/reset')
    expect(await customerNames()).toEqual(['Ann'])
    await control('POST', '/reset', { seed: { customers: [{ id: 1, name: 'Eve' }], products: null } })
    expect(await customerNames()).toEqual(['Eve'])
    await control('POST', '/reset', { seed: {} })
    expect(await customerNames()).toEqual([])
    await control('POST', '/reset', { seed: null })
    expect(await customerNames()).toEqual(['Ann'])
  })

  it('records the invented business up to the day of its clock', async () => {
    const now = Date.UTC(2026, 10, 20, 8)
    await control('POST', '/reset', { seed: 'scenario', now: new Date(now).toISOString() })
    const { customers, invoices } = businessAt(now)
    expect(await customerNames()).toEqual(customers.map(({ name }) => name).reverse())
    const { json } = await call('GET', '/api/invoices?limit=100&include=external_id')
    expect(json.data.invoices.map(({ external_id }: { external_id: string }) => external_id)).toEqual(
      invoices.map(({ id }) => id).reverse(),
    )
  })

  it('returns the same cursors after each reset while its clock is stopped, and different ones while it runs', async () => {
    const cursorAt = async (now?: string) => {
      await control('POST', '/reset', { now })
      await createCustomer('Bob')
      return (await call('GET', '/api/customers?limit=1')).json.pagination.next_cursor
    }
    const cursor = await cursorAt('2026-01-01')
    expect(cursor).toMatch(/^\S+$/)
    expect(await cursorAt('2026-01-01T01:00:00.000+01:00')).toBe(cursor)
    expect(await cursorAt('2026-01-01T00:00:00.001Z')).not.toBe(cursor)
    expect(await cursorAt()).not.toBe(await cursorAt())
  })

  it('lists the newest first, even while its clock is stopped or set back', async () => {
    await createCustomer('second')
    await control('PUT', '/clock', { now: '2020-01-01' })
    await createCustomer('third')
    await control('PUT', '/clock', { now: null })
    await createCustomer('fourth')
    expect(await customerNames()).toEqual(['fourth', 'third', 'second', 'Ann'])
  })

  it('restores a seed exactly, without creating it again', async () => {
    const count = 60
    const customers = range(count).map((id) => ({ id, name: `Customer ${id}` }))
    const state = { seed: { customers }, now: '2026-01-01' }
    const lines: string[] = []
    double().service.log = (line) => lines.push(line)
    const pages = async () => {
      await control('POST', '/reset', state)
      const all = await call('GET', '/api/customers?limit=100')
      await createCustomer('Bob')
      await call('PUT', '/api/customers/0')
      // The cursor shows that new records continue where the seed ended.
      return [all.json, (await call('GET', '/api/customers?limit=1')).json]
    }
    const first = await pages()
    expect(first[0].data.customers).toHaveLength(count)
    for (const _ of range(2)) expect(await pages()).toEqual(first)
    expect(lines.filter((line) => JSON.parse(line).route === 'customers.create')).toHaveLength(count + 3)
  })

  it('completes the requests in flight before a reset', async () => {
    const created = Promise.all(range(4).map((number) => createCustomer(`${number}`)))
    await customerNames()
    await double().reset()
    for (const { status } of await created) expect(status).toBe(200)
    // Each customer was recorded either before the reset or completely after it.
    for (const name of await customerNames()) expect(['Ann', '0', '1', '2', '3', '4']).toContain(name)
  })

  it('can be reset, and serves other clients, while a client has sent only half of a request', async () => {
    const socket = connect(Number(new URL(double().access.base_url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    const { app_id, api_key } = double().access
    const head = `host: localhost\r\nauthorization: Bearer ${api_key}\r\nx-app-id: ${app_id}\r\ncontent-length: 9`
    socket.write(`POST /api/customers HTTP/1.1\r\n${head}\r\n\r\n{`)
    await createCustomer('Bob')
    const closed = once(socket, 'close')
    await control('POST', '/reset')
    expect(await customerNames()).toEqual(['Ann'])
    await closed
  })

  it('lists changes after a clock that was stopped in the future is started again', async () => {
    const changesSince = async (since: number) => {
      const { json } = await call('GET', `/api/customers?changed_since=${since}`)
      return json.data.customers as { name: string; changed: number }[]
    }
    await control('PUT', '/clock', { now: '2090-01-01' })
    await createCustomer('future')
    await control('PUT', '/clock', { now: null })
    await createCustomer('after')
    const first = await changesSince(0)
    expect(first.map(({ name }) => name)).toEqual(['Ann', 'future', 'after'])
    await createCustomer('later')
    const next = await changesSince(first.at(-1)!.changed)
    expect(next.map(({ name }) => name)).toContain('later')
  })

  it('keeps one table, however often it is reset', async () => {
    for (const _ of range(2)) await control('POST', '/reset', { seed: {} })
    const client = localClient(double().engine.endpoint)
    expect((await client.send(new ListTablesCommand({}))).TableNames).toHaveLength(1)
    client.destroy()
  })

  it('keeps connections open longer than clients do, and responds to bytes that are not HTTP as the service does', async () => {
    const { headers } = await call('GET', '/api/customers')
    expect(headers.get('keep-alive')).toBe('timeout=75')
    const socket = connect(Number(new URL(double().access.base_url).port), '127.0.0.1')
    socket.write('hello\r\n\r\n')
    const [response] = (await once(socket, 'data')) as [Buffer]
    expect(response.toString()).toMatch(/^HTTP\/1\.1 400 /)
  })
})
describe('two doubles', () => {
  /** Two test doubles in this process. Ann is a customer of the first, Bob of the second. */
  let first: TestDouble
  let second: TestDouble
  const linesOfFirst: string[] = []
  const linesOfSecond: string[] = []

  beforeAll(async () => {
    const address = { port: 0, host: '127.0.0.1' }
    first = await startDouble({
      ...address,
      seed: { customers: [{ id: 'ann', name: 'Ann' }] },
      time: Date.UTC(2026, 0, 1),
      log: (line) => linesOfFirst.push(line),
    })
    second = await startDouble({
      ...address,
      seed: { customers: [{ id: 'bob', name: 'Bob' }] },
      time: Date.UTC(2026, 1, 1),
      log: (line) => linesOfSecond.push(line),
    })
  })
  afterAll(() => Promise.all([first.stop(), second.stop()]))

  const namesIn = async ({ access }: TestDouble): Promise<string[]> => {
    const { json } = await clientAt(access.base_url, access).get('/api/customers')
    return json.data.customers.map(({ name }: { name: string }) => name)
  }

  /** As a double reports it. */
  const recordedAt = async ({ access }: TestDouble, name: string): Promise<number> => {
    const { json } = await clientAt(access.base_url, access).get('/api/customers?changed_since=0')
    return json.data.customers.find((customer: { name: string }) => customer.name === name).changed
  }

  it('keeps the entities of two doubles in one process apart', async () => {
    expect(await namesIn(first)).toEqual(['Ann'])
    expect(await namesIn(second)).toEqual(['Bob'])
  })

  it('gives each double a clock of its own', async () => {
    first.setTime(Date.UTC(2026, 5, 1))
    await clientAt(first.access.base_url, first.access).create('/api/customers', { id: 'zoe', name: 'Zoe' })
    await clientAt(second.access.base_url, second.access).create('/api/customers', { id: 'zoe', name: 'Zoe' })
    first.setTime(Date.UTC(2026, 5, 2))
    second.setTime(Date.UTC(2026, 1, 2))
    expect(await recordedAt(first, 'Zoe')).toBe(Date.UTC(2026, 5, 1) / 1_000)
    expect(await recordedAt(second, 'Zoe')).toBe(Date.UTC(2026, 1, 1) / 1_000)
  })

  it('resets one double and leaves the other as it is', async () => {
    await first.reset()
    expect(await namesIn(first)).toEqual(['Ann'])
    expect(await namesIn(second)).toEqual(['Zoe', 'Bob'])
  })

  it('logs the requests to each double with the log of that double', async () => {
    linesOfFirst.splice(0)
    linesOfSecond.splice(0)
    await namesIn(second)
    expect(linesOfFirst).toEqual([])
    expect(linesOfSecond).toHaveLength(1)
  })
})
