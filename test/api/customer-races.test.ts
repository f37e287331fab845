import { customerBody } from '../support/bodies.ts'
import { newCustomerRace } from '../support/customer-race.ts'
import { carryOut, expectLinearizable } from '../support/linearizable.ts'
import { inParallel, upTo } from '../support/lists.ts'
import { runs } from '../support/runs.ts'
import { newClient, serveForTests } from '../support/service.ts'

serveForTests()

it('linearizes concurrent updates, erasures and replays, so that an erased name never comes back', async () => {
  const client = await newClient()
  for (const round of upTo(runs(10, 1_000))) {
    const { start, race, afterwards } = await newCustomerRace(client, `n${round}`)
    const half = Math.floor(Math.random() * race.length)
    const events = [
      ...(await Promise.all(race.slice(0, half).map(carryOut))),
      ...(await Promise.all(race.slice(half).map(carryOut))),
    ]
    for (const operation of afterwards) events.push(await carryOut(operation))
    expectLinearizable(start, events)
    // The name before the erasure, which no update in the history sends again.
    expect(events.at(-2)!.name).not.toBe(start.name)
  }
})

it('carries out eight updates of one customer at the same moment', async () => {
  const client = await newClient()
  for (const id of upTo(2)) {
    await client.create('/api/customers', customerBody({ id }))
    const responses = await inParallel(
      upTo(8),
      (number) => client.put(`/api/customers/${id}`, { id, metadata: { number } }),
      8,
    )
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
  }
})
