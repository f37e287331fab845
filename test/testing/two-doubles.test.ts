import { startDouble, type TestDouble } from '../../tools/testing/double.ts'
import { clientAt } from '../support/requests/service.ts'

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
