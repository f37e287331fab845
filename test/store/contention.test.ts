import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import { budget } from '../../shared/budget.ts'
import { ApiError } from '../../shared/errors.ts'
import { customer } from '../../shared/resources/customer.ts'
import type { Item } from '../../shared/store/items.ts'
import { updateEntity } from '../../shared/store/updates.ts'
import { randomFrom } from '../../tools/business/random.ts'
import { realBudget, setBudget } from '../support/budgets.ts'
import { interceptCalls } from '../support/database/intercepted-calls.ts'
import { range } from '../support/range.ts'
import { serveForTests } from '../support/requests/service.ts'

/**
 * Concurrent updates of one customer. Time is simulated, so that the results do not depend on the machine: a
 * read takes 5 ms and a write 8 ms, each up to a half more or less. Half of that passes before the database
 * executes the call.
 */

serveForTests()

// Jest's clock does not replace the timers of this module.
jest.mock('node:timers/promises', () => ({
  setTimeout: (millis: number) => new Promise((resolve) => globalThis.setTimeout(resolve, millis)),
}))

beforeEach(() => {
  setBudget(realBudget)
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] })
  jest.spyOn(Math, 'random').mockImplementation(randomFrom(1))
})
afterEach(() => {
  jest.useRealTimers()
  jest.restoreAllMocks()
})

/** The mean of a call. */
const READ_MILLIS = 5
const WRITE_MILLIS = 8
const travel = (millis: number) =>
  new Promise((resolve) => setTimeout(resolve, (millis / 2) * (0.5 + Math.random())))

const app = 'app_contended'
const id = `cus_${'0'.repeat(22)}`

const serveOneItem = () => {
  const start: Item = {
    pk: `${app}#${id}`,
    sk: 'ENTITY',
    list: 'list',
    order: '0',
    external_id: 'me',
    data: {},
  }
  const served = { item: start, writes: 0 }
  interceptCalls(async ({ command, input }) => {
    const millis = command === 'GetItemCommand' ? READ_MILLIS : WRITE_MILLIS
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

/**
 * `interval` is in milliseconds. Returns the share of refused updates, the writes for each update, and the
 * mean and the longest time of an update in milliseconds.
 */
const measureUpdates = async (count: number, interval: number) => {
  const served = serveOneItem()
  const durations: number[] = []
  let refused = 0
  const update = async (number: number): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, number * interval))
    const start = performance.now()
    const field = fields[number % fields.length]!
    try {
      await updateEntity({ app, resource: customer, id, content: { [field]: `${number}` } })
    } catch (error) {
      if (!(error instanceof ApiError && error.kind === 'too_many_requests')) throw error
      refused += 1
    }
    durations.push(performance.now() - start)
  }
  let isDone = false
  const all = Promise.all(range(count).map(update)).finally(() => {
    isDone = true
  })
  while (!isDone) await jest.advanceTimersByTimeAsync(1)
  await all
  const sum = durations.reduce((total, duration) => total + duration, 0)
  return {
    refused: refused / count,
    writes: served.writes / count,
    mean: sum / count,
    longest: Math.max(...durations),
  }
}

it.each([
  { what: 'one update', count: 1, interval: 0, percent: 0, writes: 1, mean: 20 },
  { what: '8 updates at once', count: 8, interval: 0, percent: 0, writes: 2.5, mean: 150 },
  { what: '40 updates at once', count: 40, interval: 0, percent: 0, writes: 3.5, mean: 300 },
  { what: '80 updates at once', count: 80, interval: 0, percent: 5, writes: 4, mean: 500 },
  { what: '150 updates at once', count: 150, interval: 0, percent: 20, writes: 5, mean: 750 },
  {
    what: '300 updates a second for 1 s',
    count: 300,
    interval: 1_000 / 300,
    percent: 20,
    writes: 4.5,
    mean: 560,
  },
])(
  'of $what, at most $percent % are refused, with $writes writes and $mean ms on average',
  async (bounds) => {
    const { refused, writes, mean, longest } = await measureUpdates(bounds.count, bounds.interval)
    expect(100 * refused).toBeLessThanOrEqual(bounds.percent)
    expect(writes).toBeLessThanOrEqual(bounds.writes)
    expect(mean).toBeLessThanOrEqual(bounds.mean)
    expect(longest).toBeLessThanOrEqual(budget.update + 2 * (READ_MILLIS + WRITE_MILLIS))
  },
)
