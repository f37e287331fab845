import { DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { handler } from '../../functions/discounts/list.ts'
import { serverIdFor } from '../../shared/ids.ts'
import { setLogSink } from '../../shared/log.ts'
import { entityKey } from '../../shared/store/keys.ts'
import { app_id, caller, context, eventFor } from './example-event.ts'

/** An example of a unit test of a list: what it queries, and the page that it makes of the items. */

const database = mockClient(DynamoDBDocumentClient)

/** Returns a discount as the index of the lists contains it. */
const item = (number: number) => ({
  ...entityKey(app_id, serverIdFor(app_id, 'disc', `${number}`)),
  list: `${app_id}#discounts`,
  order: `${number}`,
  data: { name: `Discount ${number}`, duration: 'once', percent_off: 10, currency: 'EUR' },
})

beforeEach(() => {
  process.env.TABLE_NAME = 'example'
  setLogSink(() => undefined)
  database.reset()
  database.on(GetCommand, { Key: caller.Key }).resolves({ Item: caller.Item })
})

const listed = async (limit: string) => {
  const { statusCode, body } = await handler(eventFor({ queryStringParameters: { limit } }), context)
  expect(statusCode).toBe(200)
  return JSON.parse(body)
}
const namesIn = (page: { data: { discounts: { name: string }[] } }) =>
  page.data.discounts.map(({ name }) => name)

describe('GET /api/discounts with a mocked database', () => {
  it('queries one entity more than the page contains, newest first', async () => {
    database.on(QueryCommand).resolves({ Items: [item(3), item(2), item(1)] })

    const page = await listed('2')

    expect(namesIn(page)).toEqual(['Discount 3', 'Discount 2'])
    expect(page.pagination).toEqual({
      has_more: true,
      next_cursor: expect.any(String),
      previous_cursor: null,
    })
    const [query] = database.commandCalls(QueryCommand)
    expect(query?.args[0].input).toMatchObject({ Limit: 3, ScanIndexForward: false })
  })

  it('continues if DynamoDB ends a page before the limit', async () => {
    const { pk, sk, list, order } = item(2)
    database
      .on(QueryCommand)
      .resolvesOnce({ Items: [item(2)], LastEvaluatedKey: { pk, sk, list, order } })
      .resolves({ Items: [item(1)] })

    const page = await listed('2')

    expect(namesIn(page)).toEqual(['Discount 2', 'Discount 1'])
    expect(page.pagination.has_more).toBe(false)
    expect(database.commandCalls(QueryCommand)).toHaveLength(2)
  })
})
