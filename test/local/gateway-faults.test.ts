import { serveEvents } from '../support/gateway.ts'

const { call, sendRaw, leave, logLines } = serveEvents(async ({ id }) => {
  throw new Error(`${id} does not load`)
})

it('a function that does not load is explained in the log, but not to the client', async () => {
  const { status, json } = await call('/api/products')
  expect([status, json.errors[0].title]).toEqual([500, 'Internal error'])
  expect(JSON.stringify(json)).not.toMatch(/load/)
  expect(logLines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 'error',
      route: 'gateway',
      status: 500,
      error: expect.objectContaining({ message: 'products.list does not load' }),
    }),
  ])
})

it('a client that disconnects within a body is not logged as an error', async () => {
  const before = logLines.length
  await leave('POST /api/products HTTP/1.1\r\nhost: x\r\ncontent-length: 99\r\n\r\n{')
  await sendRaw('GET /nowhere HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  expect(logLines.slice(before).map((line) => JSON.parse(line).status)).toEqual([404])
})
