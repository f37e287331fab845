import { customerBody } from '../support/bodies.ts'
import { pass, serveWithFaults } from '../support/fault-proxy.ts'
import { upTo } from '../support/lists.ts'
import { newClient } from '../support/service.ts'
import { wireFault } from '../support/wire-faults.ts'

const proxy = serveWithFaults()

it.each([
  ['is carried out after six others if its first attempt was throttled', 'throttled', 200],
  ['is given up after six others if its first attempt was lost', 'reset before commit', 503],
])('an update %s', async (_, fault, expected) => {
  const client = await newClient()
  await client.create('/api/customers', customerBody({ id: 'me' }))
  let isFirst = true
  proxy.inject(client.credentials.app_id, {
    label: '*',
    calls: Number.POSITIVE_INFINITY,
    fault: async (call) => {
      const isWrite = /PutItem|UpdateItem/.test(String(call.request.headers['x-amz-target']))
      if (!isFirst || !isWrite) return pass(call)
      isFirst = false
      for (const number of upTo(6))
        await client.put('/api/customers/me', { id: 'me', name: `Other ${number}` })
      return wireFault(fault)(call)
    },
  })
  const { status } = await client.put('/api/customers/me', { id: 'me', name: 'Mine' })
  const { json } = await client.get('/api/customers/me')
  expect([status, json.data.customer.name]).toEqual([expected, expected === 200 ? 'Mine' : 'Other 5'])
})
