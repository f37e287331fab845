import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { handler } from '../../functions/products/create.ts'
import { serverIdFor } from '../../shared/ids.ts'
import { setLogSink } from '../../shared/log.ts'
import { entityKey } from '../../shared/store/keys.ts'
import { app_id, caller, context, eventFor } from './example-event.ts'

/** An example of a unit test of a writing function, including faults that only a mock can produce. */

const database = mockClient(DynamoDBDocumentClient)
const logged: string[] = []
const id = serverIdFor(app_id, 'prod', 'basic')
const event = eventFor({ body: JSON.stringify({ id: 'basic', name: 'Basic plan' }) })

/** DynamoDB's error for an item that exists already. */
const alreadyThere = new ConditionalCheckFailedException({
  $metadata: {},
  message: 'The conditional request failed',
  Item: marshall({ ...entityKey(app_id, id), order: '1', data: { name: 'Basic plan' } }),
})

beforeEach(() => {
  process.env.TABLE_NAME = 'example'
  logged.length = 0
  setLogSink((line) => logged.push(line))
  database.reset()
  database.on(GetCommand, { Key: caller.Key }).resolves({ Item: caller.Item })
})

describe('POST /api/products with a mocked database', () => {
  it('writes one item on the condition that it does not exist', async () => {
    database.on(PutCommand).resolves({})

    const { statusCode, body } = await handler(event, context)

    expect(statusCode).toBe(200)
    expect(JSON.parse(body)).toMatchObject({ data: { product: { id, name: 'Basic plan' } } })
    const [put] = database.commandCalls(PutCommand)
    expect(put?.args[0].input).toMatchObject({
      TableName: 'example',
      Item: { ...entityKey(app_id, id), data: { name: 'Basic plan' } },
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    })
  })

  it('responds with 200 if the same product exists already, as after a lost acknowledgement', async () => {
    database.on(PutCommand).rejects(alreadyThere)

    const { statusCode, body } = await handler(event, context)

    expect(statusCode).toBe(200)
    expect(JSON.parse(body)).toMatchObject({ data: { product: { id, name: 'Basic plan' } } })
  })

  it('responds with 500 without the cause, which is logged with its stack', async () => {
    database
      .on(PutCommand)
      .rejects(Object.assign(new Error('denied on table example'), { name: 'AccessDenied' }))

    const { statusCode, body } = await handler(event, context)

    expect(statusCode).toBe(500)
    expect(body).not.toMatch(/denied|example/i)
    const [line] = logged.map((each) => JSON.parse(each))
    expect(line).toMatchObject({
      level: 'error',
      status: 500,
      request_id: 'example',
      route: 'products.create',
    })
    expect(JSON.stringify(line.error)).toMatch(/denied on table example.*at /)
  })
})
