import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { handler } from '../../functions/customers/retrieve.ts'
import { serverIdFor } from '../../shared/ids.ts'
import { setLogSink } from '../../shared/log.ts'
import { entityKey } from '../../shared/store/keys.ts'
import { app_id, caller, context, eventFor } from './example-event.ts'

/** An example of a unit test of a reading function: an event in, a response out, and a mocked database. */

const database = mockClient(DynamoDBDocumentClient)

beforeEach(() => {
  process.env.TABLE_NAME = 'example'
  setLogSink(() => undefined)
  database.reset()
  database.on(GetCommand, { Key: caller.Key }).resolves({ Item: caller.Item })
})

describe('GET /api/customers/{id} with a mocked database', () => {
  it('returns the customer in the table', async () => {
    // The server's id is derived from application, kind and client id.
    const id = serverIdFor(app_id, 'cus', 'ann')
    const key = entityKey(app_id, id)
    database
      .on(GetCommand, { Key: key })
      .resolves({ Item: { ...key, order: '1', data: { name: 'Ann', email: 'ann@example.org' } } })

    const { statusCode, body } = await handler(eventFor({ pathParameters: { id: 'ann' } }), context)

    expect(statusCode).toBe(200)
    expect(JSON.parse(body)).toMatchObject({
      data: { customer: { id, name: 'Ann', email: 'ann@example.org', metadata: {} } },
    })
    expect(database.commandCalls(GetCommand, { Key: key })[0]?.args[0].input.ConsistentRead).toBe(true)
  })

  it('responds with 404 if the table has no such item', async () => {
    database.on(GetCommand, { Key: entityKey(app_id, serverIdFor(app_id, 'cus', 'nobody')) }).resolves({})

    const { statusCode, body } = await handler(eventFor({ pathParameters: { id: 'nobody' } }), context)

    expect(statusCode).toBe(404)
    expect(JSON.parse(body).errors[0].title).toBe('Entity not found')
  })

  it('responds with 401 and reads no customer without credentials', async () => {
    const { statusCode } = await handler(eventFor({ headers: {}, pathParameters: { id: 'ann' } }), context)

    expect(statusCode).toBe(401)
    expect(database.calls()).toHaveLength(0)
  })
})
