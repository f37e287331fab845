import { catalogue } from '../../shared/catalogue.ts'
import { warmUp } from '../../shared/cold-start/warm-up.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { Handler } from '../../shared/http/serve.ts'
import { currentService } from '../../shared/store/service.ts'
import { sourceHandlers } from '../../tools/local/server.ts'
import { serveForTests } from '../support/requests/service.ts'

serveForTests()

const statusesOf = async (endpoint: Endpoint): Promise<number[]> => {
  const handler = await sourceHandlers(endpoint)
  const statuses: number[] = []
  const recordingHandler: Handler = async (...request) => {
    const response = await handler(...request)
    statuses.push(response.statusCode)
    return response
  }
  await warmUp(recordingHandler)
  return statuses
}

it.each(catalogue)(
  'the warm-up of $id processes one request that is refused, and rehearses others that reach the work',
  async (endpoint) => {
    const statuses = await statusesOf(endpoint)
    expect(statuses.filter((status) => status === 401)).toHaveLength(1)
    // Rehearsed requests have no body. A read finds an empty item, a create is refused, and an update erases
    // an empty item.
    const rehearsedStatus = endpoint.operation === 'create' ? 400 : 200
    const others = new Set(statuses.filter((status) => status !== 401))
    expect(others).toEqual(new Set([rehearsedStatus]))
  },
)

it('leaves no rehearsed key in the cache of the service', async () => {
  const [endpoint] = catalogue
  await statusesOf(endpoint!)
  expect(currentService().keyCache.size).toBe(0)
})
