import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'

const message = 'Could not load credentials from any providers'

it('tests find no AWS account', async () => {
  const call = new DynamoDBClient({ region: 'eu-west-1' }).send(new ListTablesCommand())
  await expect(call).rejects.toThrow(message)
})

it('the processes that tests start find no AWS account', async () => {
  const program = `import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
await new DynamoDBClient({ region: 'eu-west-1' }).send(new ListTablesCommand())`
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  await expect(run).rejects.toThrow(message)
})
