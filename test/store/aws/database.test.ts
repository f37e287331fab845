import dns from 'node:dns'
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { Database } from '../../../shared/store/aws/database.ts'
import { currentService } from '../../../shared/store/service.ts'
import { setBudget } from '../../support/budgets.ts'

const database = new Database({
  endpoint: () => 'http://unreachable.test',
  clock: () => currentService().clock,
  rehearsedResponse: () => undefined,
})
afterEach(() => {
  database.disconnect()
  jest.restoreAllMocks()
})

it('an attempt that finds no connection ends when the time for connecting is over', async () => {
  setBudget({ connect: 20 })
  // The name is never resolved.
  const lookUp = jest.spyOn(dns, 'lookup').mockImplementation()
  const call = database.client.send(new GetCommand({ TableName: 'table', Key: { pk: 'x' } }))
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(lookUp).toHaveBeenCalledTimes(1)
}, 5_000)
