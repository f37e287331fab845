import { BatchGetCommand, type BatchGetCommandInput, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { budget, withinBudget } from '../../shared/budget.ts'
import { readItems } from '../../shared/store/read.ts'
import { setBudget } from '../support/budgets.ts'
import { upTo } from '../support/lists.ts'

const database = mockClient(DynamoDBDocumentClient)
type Key = { pk: string; sk: string }
const keysOf = (input: BatchGetCommandInput) => input.RequestItems!.billing!.Keys as Key[]

beforeAll(() => {
  Object.assign(process.env, { TABLE_NAME: 'billing' })
  setBudget({ backOff: 1, longestPause: 2 })
})
beforeEach(() => database.reset())
afterAll(() => database.restore())

/** Responds as a busy table does: `share` of the keys now, the others unprocessed. */
const respondInParts = (share: (count: number) => number) =>
  database.on(BatchGetCommand).callsFake((input: BatchGetCommandInput) => {
    const keys = keysOf(input)
    expect(keys.length).toBeLessThanOrEqual(100)
    const [now, later] = [keys.slice(0, share(keys.length)), keys.slice(share(keys.length))]
    return {
      Responses: { billing: now.map((key) => ({ ...key, data: {} })) },
      UnprocessedKeys: later.length > 0 ? { billing: { Keys: later } } : {},
    }
  })

it('a batch of reads requests again what a busy table leaves out, until it has everything', async () => {
  respondInParts((count) => Math.ceil(count / 2))
  const ids = upTo(250).map((number) => `cus_${number}`)
  const items = await withinBudget(undefined, () => readItems('app_1', ids))
  expect([...items.keys()].sort()).toEqual([...ids].sort())
  for (const { args } of database.commandCalls(BatchGetCommand))
    expect((args[0].input as BatchGetCommandInput).RequestItems!.billing!.ConsistentRead).toBe(true)
})

it('a batch of reads requests each id once', async () => {
  respondInParts((count) => count)
  await withinBudget(undefined, () => readItems('app_1', ['cus_1', 'cus_2', 'cus_1']))
  const [call, ...others] = database.commandCalls(BatchGetCommand)
  expect(keysOf(call!.args[0].input as BatchGetCommandInput)).toHaveLength(2)
  expect(others).toEqual([])
})

it('a batch of reads gives up as unavailable if the table stays busy', async () => {
  respondInParts(() => 0)
  const read = withinBudget(budget.early + 150, () => readItems('app_1', ['cus_1']))
  await expect(read).rejects.toMatchObject({ kind: 'unavailable' })
})

it('a batch of reads omits what does not exist, and sends no request for no ids', async () => {
  database.on(BatchGetCommand).resolves({ Responses: { billing: [] }, UnprocessedKeys: {} })
  expect(await withinBudget(undefined, () => readItems('app_1', ['cus_1']))).toEqual(new Map())
  database.resetHistory()
  expect(await withinBudget(undefined, () => readItems('app_1', []))).toEqual(new Map())
  expect(database.calls()).toHaveLength(0)
})
