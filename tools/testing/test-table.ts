import { DeleteTableCommand } from '@aws-sdk/client-dynamodb'
import { apiKeyOf } from '../../shared/store/credentials.ts'
import { createApplication } from '../applications/applications.ts'
import type { Identity } from '../applications/items.ts'
import { localClient, prepareTable } from '../local/database.ts'

/** The application of every test service. It is constant, so that ids and cursors are the same in every run. */
export const identity: Identity = {
  app_id: 'app_TestTestTestTest',
  api_key: apiKeyOf('Test'.repeat(8)),
  cursor_secret: Buffer.alloc(32).toString('base64'),
}

/** The table of a test service on the engine at `endpoint`. `recreate` replaces it by an empty one with the application. */
export const testTable = (endpoint: string) => {
  const client = localClient(endpoint)
  let number = 0
  const recreate = async (): Promise<void> => {
    number += 1
    await prepareTable(endpoint, `test-${number}`)
    await createApplication('Test', { identity })
    if (number > 1) await client.send(new DeleteTableCommand({ TableName: `test-${number - 1}` }))
  }
  return { recreate, close: () => client.destroy() }
}
