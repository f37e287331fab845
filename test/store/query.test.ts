import { MAX_QUERIES } from '../../shared/store/query.ts'
import { callsEnded } from '../../shared/store/send.ts'
import { dynamodb } from '../../shared/store/service.ts'
import { setClock } from '../support/clock.ts'
import { scaleAtOnce } from '../support/database/scaling.ts'
import { inParallel } from '../support/in-parallel.ts'
import { range } from '../support/range.ts'
import { clientForTests, serveForTests } from '../support/requests/service.ts'

serveForTests()
afterAll(() => setClock())

const SHARDS = 32

const client = clientForTests()
/** Now and at most so far. */
let inFlight = 0
let mostInFlight = 0
beforeAll(async () => {
  await scaleAtOnce(client, SHARDS)
  dynamodb().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'QueryCommand') return next(args)
        inFlight += 1
        mostInFlight = Math.max(mostInFlight, inFlight)
        try {
          return await next(args)
        } finally {
          inFlight -= 1
        }
      },
    { step: 'initialize' },
  )
})

it(`a process sends at most ${MAX_QUERIES} queries at once, however many pages it reads`, async () => {
  const responses = await inParallel(range(3), () => client.get('/api/products'))
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
  expect({ mostInFlight, inFlight }).toEqual({ mostInFlight: MAX_QUERIES, inFlight: 0 })
})

it('a query that fails frees its place for another one', async () => {
  const table = process.env.TABLE_NAME
  process.env.TABLE_NAME = 'missing'
  expect((await client.get('/api/products')).status).toBe(500)
  process.env.TABLE_NAME = table
  // The first failure ends the request, while other queries may still be in flight.
  while (inFlight > 0) await callsEnded()
  mostInFlight = 0
  expect((await client.get('/api/products')).status).toBe(200)
  expect({ mostInFlight, inFlight }).toEqual({ mostInFlight: MAX_QUERIES, inFlight: 0 })
})
