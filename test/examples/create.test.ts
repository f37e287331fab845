import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { handler } from '../../functions/products/create.ts'
import { serverIdFor } from '../../shared/ids.ts'
import { hashOf, newApiKey } from '../../shared/store/credentials.ts'
import { apiKeyKey, entityKey } from '../../shared/store/keys.ts'
import { currentService } from '../../shared/store/service.ts'
import { contextWith, eventWith } from '../support/requests/gateway-events.ts'

/** An example of a unit test of a writing function, including faults that only a mock can produce. */

const database = mockClient(DynamoDBDocumentClient)
const logLines: string[] = []
const app_id = 'app_0123456789abcdef'
const api_key = newApiKey()
const id = serverIdFor(app_id, 'prod', 'basic')
const event = eventWith({
  headers: { Authorization: `Bearer ${api_key}`, 'x-app-id': app_id, 'Content-Type': 'application/json' },
  body: JSON.stringify({ id: 'basic', name: 'Basic plan' }),
  isBase64Encoded: false,
  requestContext: { requestId: 'example' },
})
const context = contextWith(() => 5_000)

const itemExists = new ConditionalCheckFailedException({
  $metadata: {},
  message: 'The conditional request failed',
  Item: marshall({ ...entityKey(app_id, id), order: '1', data: { name: 'Basic plan' } }),
})

beforeEach(() => {
  process.env.TABLE_NAME = 'example'
  logLines.length = 0
  currentService().log = (line) => logLines.push(line)
  database.reset()
  const Key = apiKeyKey(app_id, hashOf(api_key))
  database.on(GetCommand, { Key }).resolves({ Item: { cursor_secret: 'c2VjcmV0' } })
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

  it('responds with 200 if the same product already exists, as after a lost acknowledgement', async () => {
    database.on(PutCommand).rejects(itemExists)

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
    const [line] = logLines.map((text) => JSON.parse(text))
    expect(line).toMatchObject({
      level: 'error',
      status: 500,
      request_id: 'example',
      route: 'products.create',
    })
    expect(JSON.stringify(line.error)).toMatch(/denied on table example.*at /)
  })
})
