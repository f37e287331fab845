import { anonymous, customerBody } from './bodies.ts'
import type { CustomerState, Operation } from './linearizable.ts'
import type { Client } from './service.ts'

const shuffled = <T>(values: readonly T[]): T[] =>
  values
    .map((value) => ({ value, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value)

/**
 * Creates a customer. Returns its state, requests to send to it at the same time, and a retrieve and a retry of the create
 * to send after them.
 */
export const newCustomerRace = async (client: Client, name: string) => {
  const body = customerBody({ name })
  const { email } = await client.create('/api/customers', body)
  const path = `/api/customers/${body.id}`
  const update = (fields: Partial<CustomerState>): Operation => ({
    what: `update of ${JSON.stringify(fields)}`,
    call: () => client.put(path, { id: body.id, ...fields }),
    effect: (state) => ({ ...state, ...fields }),
  })
  const erase: Operation = {
    what: 'erasure',
    call: () => client.put(path),
    effect: () => ({ ...anonymous, erased: true }),
  }
  const upsert: Operation = {
    what: 'upsert of A',
    call: () => client.post('/api/customers?on_conflict=update', { id: body.id, name: 'A', email }),
    effect: (state) => (state.erased ? state : { ...state, name: 'A', email }),
    conflictsIfErased: true,
  }
  const replay: Operation = {
    what: 'retry of the create',
    call: () => client.post('/api/customers', body),
    conflictsIfErased: true,
  }
  const read: Operation = { what: 'retrieve', call: () => client.get(path) }
  const updates = [update({ name: 'A' }), update({ email: 'B' }), update({ name: 'C', email: null })]
  const start: CustomerState = { name, email, erased: false }
  return {
    start,
    race: shuffled([...updates, erase, erase, upsert, upsert, replay, replay, read]),
    afterwards: [read, replay],
  }
}
