import { catalogue } from '../../shared/catalogue.ts'
import type { Handler } from '../../shared/http/serve.ts'
import { warmUp } from '../../shared/http/warm-up.ts'
import { sourceHandlers } from '../../tools/local/server.ts'
import { serveForTests } from '../support/service.ts'

serveForTests()

describe('the warm-up answers one request that is refused, and rehearses five', () => {
  it.each(catalogue.map((endpoint) => [endpoint.id, endpoint]))('of %s', async (_, endpoint) => {
    const handler = await sourceHandlers(endpoint)
    const statuses: number[] = []
    await warmUp((async (...request) => {
      const answer = await handler(...request)
      statuses.push(answer.statusCode)
      return answer
    }) as Handler)
    // Of requests without a body, a read finds an empty item, a create is refused, and an update finds nothing to update.
    const rehearsed = { GET: 200, POST: 400, PUT: 404 }[endpoint.method]
    expect(statuses.toSorted()).toEqual(
      [rehearsed, rehearsed, rehearsed, rehearsed, rehearsed, 401].toSorted(),
    )
  })
})
