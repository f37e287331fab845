import type { Server } from 'node:http'
import { createLocalServer, listen } from '../../tools/local/http-server.ts'

it.each([
  ['limits the connections of a server that other machines can reach', '0.0.0.0', 1_000],
  ['limits no connections of a server on a loopback address', '127.0.0.1', undefined],
])('%s', async (_, host, limit) => {
  const server: Server = createLocalServer((_request, response) => response.end())
  await listen(server, { host, port: 0 })
  expect(server.maxConnections).toBe(limit)
  server.close()
})
