import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import { budget } from '../../shared/budget.ts'
import { ApiError } from '../../shared/errors.ts'
import { customer } from '../../shared/resources/customer.ts'
import type { Item } from '../../shared/store/items.ts'
import { updateEntity } from '../../shared/store/updates.ts'
import { realBudget, setBudget } from '../support/budgets.ts'
import { interceptCalls } from '../support/database/intercepted-calls.ts'
import { range } from '../support/range.ts'
import { serveForTests } from '../support/requests/service.ts'

/**
 * Updates of one customer that meet. Time is simulated, so that the results do not depend on the machine: a read takes 5 ms and
 * a write 8 ms, half of it on the way to the database, each up to a half more or less.
 */

serveForTests()

// Jest's clock does not replace the timers of this module.
jest.mock('node:timers/promises', () => ({
  setTimeout: (millis: number) => new Promise((resolve) => globalThis.setTimeout(resolve, millis)),
}))

beforeEach(() => {
  setBudget(realBudget)
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] })
  useSeed(1)
})
afterEach(() => {
  jest.useRealTimers()
  jest.restoreAllMocks()
})

/** Replaces random numbers by those of a seed (mulberry32), so that each run is the same. */
const useSeed = (seed: number): void => {
  let state = seed
  jest.spyOn(Math, 'random').mockImplementation(() => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  })
}

const [READ, WRITE] = [5, 8]
const travel = (millis: number) =>
  new Promise((resolve) => setTimeout(resolve, (millis / 2) * (0.5 + Math.random())))

const app = 'app_contended'
const id = `cus_${'0'.repeat(22)}`

/** Serves reads and conditional writes of one customer's item from memory. Counts the writes. */
const serveOneItem = () => {
  const start = { pk: `${app}#${id}`, sk: 'ENTITY', list: 'list', order: '0', external_id: 'me', data: {} }
  const served = { item: start as Item, writes: 0 }
  interceptCalls(async ({ command, input }) => {
    const millis = command === 'GetItemCommand' ? READ : WRITE
    await travel(millis)
    const { item } = served
    if (command === 'GetItemCommand') {
      await travel(millis)
      return { Item: item }
    }
    served.writes += 1
    const isCurrent = input.ExpressionAttributeValues[':stamp'] === item.stamp
    if (isCurrent) served.item = input.Item
    await travel(millis)
    if (isCurrent) return {}
    const Item = marshall(item, { removeUndefinedValues: true })
    throw new ConditionalCheckFailedException({ message: 'refused', $metadata: {}, Item })
  })
  return served
}

const fields = ['name', 'email', 'description', 'phone'] as const

/** Sends updates `apart` milliseconds from each other. Returns the share that was refused, and the mean of writes and times. */
const updatesOf = async (count: number, apart: number) => {
  const served = serveOneItem()
  const millis: number[] = []
  let refused = 0
  const update = async (number: number): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, number * apart))
    const start = performance.now()
    const field = fields[number % fields.length]!
    try {
      await updateEntity({ app, resource: customer, id, content: { [field]: `${number}` } })
    } catch (error) {
      expect(error).toBeInstanceOf(ApiError)
      expect((error as ApiError).kind).toBe('too_many_requests')
      refused += 1
    }
    millis.push(performance.now() - start)
  }
  let isDone = false
  const all = Promise.all(range(count).map(update)).finally(() => {
    isDone = true
  })
  while (!isDone) await jest.advanceTimersByTimeAsync(1)
  await all
  const sum = millis.reduce((total, each) => total + each, 0)
  return {
    refused: refused / count,
    writes: served.writes / count,
    mean: sum / count,
    longest: Math.max(...millis),
  }
}

it.each([
  { what: 'one update', count: 1, apart: 0, percent: 0, writes: 1, mean: 20 },
  { what: '8 updates at once', count: 8, apart: 0, percent: 0, writes: 2.5, mean: 150 },
  { what: '40 updates at once', count: 40, apart: 0, percent: 0, writes: 3.5, mean: 300 },
  { what: '80 updates at once', count: 80, apart: 0, percent: 5, writes: 4, mean: 500 },
  { what: '150 updates at once', count: 150, apart: 0, percent: 20, writes: 5, mean: 750 },
  { what: '200 updates a second', count: 1_000, apart: 1_000 / 200, percent: 25, writes: 4, mean: 500 },
  { what: '300 updates a second', count: 1_500, apart: 1_000 / 300, percent: 45, writes: 5, mean: 700 },
])(
  'of $what, at most $percent % are refused, after $writes writes and $mean ms on average',
  async (bounds) => {
    const { refused, writes, mean, longest } = await updatesOf(bounds.count, bounds.apart)
    expect(100 * refused).toBeLessThanOrEqual(bounds.percent)
    expect(writes).toBeLessThanOrEqual(bounds.writes)
    expect(mean).toBeLessThanOrEqual(bounds.mean)
    expect(longest).toBeLessThanOrEqual(budget.update + 2 * (READ + WRITE))
  },
)
