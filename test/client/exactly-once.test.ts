import fc from 'fast-check'
import { createClient } from '../../client/index.ts'
import { createTestService, type Fault, type TestService } from '../../tools/testing/index.ts'
import { runs } from '../support/runs.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

const transient = fc.oneof(
  fc.record({ answer: fc.constantFrom(429, 503), retryAfter: fc.constant(0) }),
  fc.record({ lose: fc.constantFrom('request', 'answer') }),
  fc.record({ delay: fc.integer({ min: 1, max: 50 }) }),
)
const operation = fc.constantFrom('customers.create', 'customers.update', undefined)
const faults: fc.Arbitrary<Fault[]> = fc.array(
  fc
    .tuple(transient, fc.record({ operation, call: fc.integer({ min: 1, max: 6 }) }))
    .map(([what, when]) => ({ ...what, ...when }) as Fault),
  { maxLength: 5 },
)
const numbers = [1, 2, 3, 4]

describe('transient faults in any order', () => {
  it('lose no change and double no entity', async () => {
    await fc.assert(
      fc.asyncProperty(faults, async (script) => {
        await service.reset()
        const { customers } = createClient({ ...service, retries: 8 })
        for (const fault of script) await service.faults.add(fault)
        const recorded = numbers.map(async (id) => {
          const created = await customers.create({ id, name: `${id}`, metadata: { id } })
          const updates = [
            customers.update(id, { name: `changed ${id}` }),
            customers.update(id, { email: `${id}@example.org` }),
          ]
          await Promise.all(updates)
          return { ...created, name: `changed ${id}`, email: `${id}@example.org` }
        })
        const expected = await Promise.all(recorded)
        await service.faults.clear()
        const { items } = await customers.list()
        expect(items).toHaveLength(numbers.length)
        expect(items).toEqual(expect.arrayContaining(expected))
      }),
      { numRuns: runs(5, 300) },
    )
  })
})
