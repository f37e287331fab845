import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createServer } from 'node:tls'
import { type ColdTimes, coldProcess } from '../cold.ts'
import { createFixture } from '../fixture.ts'
import { median, takeSamples } from '../interleave.ts'
import type { Measurement, Piece } from '../rows.ts'
import { pairOf, recordCustomers } from '../workload.ts'

interface TlsProxy {
  readonly env: NodeJS.ProcessEnv
  close(): void
}

/** With a self-signed certificate. Throws Error without the program openssl. */
const startTlsProxy = async (engine: string): Promise<TlsProxy> => {
  const { hostname, port } = new URL(engine)
  const options = 'req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -days 1 -keyout - -out -'
  const pem = execFileSync('openssl', options.split(' '), { stdio: ['ignore', 'pipe', 'ignore'] })
  const server = createServer({ key: pem, cert: pem, noDelay: true }, (socket) => {
    const engineSocket = connect({ port: Number(port), host: hostname, noDelay: true })
    socket.pipe(engineSocket).pipe(socket)
    // A process can end without closing its connection.
    for (const side of [socket, engineSocket]) side.on('error', () => engineSocket.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port: proxyPort } = server.address() as { port: number }
  return {
    // Node still loads the certificates of all authorities, as it does for DynamoDB.
    env: {
      AWS_ENDPOINT_URL_DYNAMODB: `https://127.0.0.1:${proxyPort}`,
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      NODE_NO_WARNINGS: '1',
    },
    close: () => void server.close(),
  }
}

const ROUNDS = 11

/** From load to first response in a cold process, over TLS. Our side also looks up the API key. */
export const firstResponse: Piece = async () => {
  const fixture = await createFixture()
  await recordCustomers(fixture, 1)
  const { ours, bare } = await pairOf(fixture, 'retrieve')
  const tls = await startTlsProxy(fixture.endpoint)
  const env = { ...fixture.env, ...tls.env }
  try {
    const samples = { ours: () => coldProcess(ours, env), baseline: () => coldProcess(bare, env) }
    const times = await takeSamples(samples, ROUNDS)
    const row = (label: string, metric: (cold: ColdTimes) => number): Measurement => ({
      label: `${label}: retrieve`,
      unit: 'ms',
      ours: median(times.ours.map(metric)),
      baseline: median(times.baseline.map(metric)),
    })
    return [
      row('first response', ({ first }) => first),
      row('load, warm-up, first response', ({ load, first }) => load + first),
    ]
  } finally {
    tls.close()
  }
}
