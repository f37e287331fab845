import { catalogue } from '../../shared/catalogue.ts'
import { warmUp } from '../../shared/cold-start/warm-up.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { Handler } from '../../shared/http/serve.ts'
import { sourceHandlers } from '../../tools/local/server.ts'
import { serveForTests } from '../support/service.ts'

serveForTests()

/** Returns the statuses of the requests of a warm-up, in order. */
const statusesOf = async (endpoint: Endpoint): Promise<number[]> => {
  const handler = await sourceHandlers(endpoint)
  const statuses: number[] = []
  await warmUp((async (...request) => {
    const response = await handler(...request)
    statuses.push(response.statusCode)
    return response
  }) as Handler)
  // The refused request has 300 ms, which a busy machine may exceed.
  return statuses.includes(503) ? statusesOf(endpoint) : statuses.toSorted()
}

it.each(catalogue)(
  'the warm-up of $id processes one request that is refused, and rehearses five',
  async (endpoint) => {
    // Of requests without a body, a read finds an empty item, a create is refused, and an update erases an empty item.
    const rehearsed = { GET: 200, POST: 400, PUT: 200 }[endpoint.method]
    expect(await statusesOf(endpoint)).toEqual([...Array(5).fill(rehearsed), 401].toSorted())
  },
)
