import { createClient } from '../../client/index.ts'
import { createTestService, type Fault, type Seed } from '../../tools/testing/index.ts'

/** Code that the compiler must accept or reject. It does not run. */

export const services = async (): Promise<void> => {
  const service = await createTestService({ seed: { customers: [{ id: 1 }] }, now: new Date(), port: 4010 })
  createClient(service)
  createClient({ ...service, retries: 0 })
  await service.setTime()
  await service.reset({ now: '2026-01-01' })
  // @ts-expect-error a product needs a name
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
  // @ts-expect-error not an operation of the API
  { operation: 'invoices.update', answer: 503 },
  // @ts-expect-error an operation of the client only: the API's is customers.update
  { operation: 'customers.anonymise', answer: 503 },
  // @ts-expect-error an operation of the client only: the API's is invoices.list
  { operation: 'invoices.changes', answer: 503 },
  // @ts-expect-error a response that depends on the request
  { answer: 422 },
  // @ts-expect-error only the request or the response can be lost
  { lose: 'everything' },
]
