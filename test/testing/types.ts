import { createClient } from '../../client/index.ts'
import { createTestService, type Fault, type Seed } from '../../tools/testing/index.ts'

/** What the compiler must accept and refuse; nothing here runs. */

export const services = async (): Promise<void> => {
  const service = await createTestService({ seed: { customers: [{ id: 1 }] }, now: new Date(), port: 4010 })
  createClient(service)
  createClient({ ...service, retries: 0 })
  await service.setTime()
  await service.reset({ now: '2026-01-01' })
  // @ts-expect-error a body of a create, with all that it requires
  await service.reset({ seed: { products: [{ id: 1 }] } })
}

export const seeds: Seed[] = [
  {},
  { products: [{ id: 1, name: 'Basic' }], discounts: [] },
  // @ts-expect-error no endpoint creates a subscription
  { subscriptions: [] },
]

export const faults: Fault[] = [
  { operation: 'invoices.create', call: 2, times: 3, answer: 503, retryAfter: 1 },
  { delay: 10, lose: 'answer' },
  // @ts-expect-error no operation of the API
  { operation: 'invoices.update', answer: 503 },
  // @ts-expect-error a name of the client's alone: it is customers.update
  { operation: 'customers.anonymise', answer: 503 },
  // @ts-expect-error an answer that the service gives for what is in a request
  { answer: 422 },
  // @ts-expect-error nothing else can be lost
  { lose: 'everything' },
]
