import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { handler } from '../../functions/invoices/create.ts'
import { serverIdFor } from '../../shared/ids.ts'
import { setLogSink } from '../../shared/log.ts'
import { entityKey } from '../../shared/store/keys.ts'
import { app_id, caller, context, eventFor } from './example-event.ts'

/** An example of a unit test of a function that looks references up and writes two items in one transaction. */

const database = mockClient(DynamoDBDocumentClient)
const [customerId, invoiceId, subscriptionId] = [
  serverIdFor(app_id, 'cus', 'ann'),
  serverIdFor(app_id, 'inv', '1'),
  serverIdFor(app_id, 'sub', 'ann-pro'),
] as const
const event = eventFor({
  body: JSON.stringify({
    id: '1',
    total: 1900,
    created: '2024-03-01',
    period_start: '2024-03-01',
    period_end: '2024-04-01',
    currency: 'EUR',
    customer_id: 'ann',
    subscription_id: 'ann-pro',
  }),
})

/** Lets the table contain these items. */
const tableHas = (...items: object[]) =>
  database.on(BatchGetCommand).resolves({ Responses: { example: items as Record<string, unknown>[] } })

beforeEach(() => {
  process.env.TABLE_NAME = 'example'
  setLogSink(() => undefined)
  database.reset()
  database.on(GetCommand, { Key: caller.Key }).resolves({ Item: caller.Item })
})

describe('POST /api/invoices with a mocked database', () => {
  it('writes the invoice and its subscription in one transaction', async () => {
    tableHas({ ...entityKey(app_id, customerId), order: '1', data: { name: 'Ann' } })
    database.on(TransactWriteCommand).resolves({})

    const { statusCode, body } = await handler(event, context)

    expect(statusCode).toBe(200)
    expect(JSON.parse(body).data.invoice).toMatchObject({
      id: invoiceId,
      customer_id: customerId,
      subscription_id: subscriptionId,
    })
    const [sent] = database.commandCalls(TransactWriteCommand)
    const written = sent?.args[0].input.TransactItems?.map(({ Put }) => Put)
    expect(written).toMatchObject(
      [invoiceId, subscriptionId].map((id) => ({
        Item: entityKey(app_id, id),
        ConditionExpression: 'attribute_not_exists(pk)',
      })),
    )
  })

  it('writes nothing if the customer is unknown', async () => {
    tableHas()

    const { statusCode, body } = await handler(event, context)

    expect(statusCode).toBe(422)
    expect(JSON.parse(body).errors[0].detail).toMatch(/^customer_id must be the id of an existing customer/)
    expect(database.commandCalls(TransactWriteCommand)).toHaveLength(0)
  })
})
