import { execFileSync } from 'node:child_process'
import { connect } from 'node:net'
import { createServer } from 'node:tls'

interface TlsProxy {
  readonly env: NodeJS.ProcessEnv
  close(): void
}

/** With a self-signed certificate. Throws Error without the program openssl. */
export const startTlsProxy = async (engine: string): Promise<TlsProxy> => {
  const { hostname, port } = new URL(engine)
  const options = 'req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -days 1 -keyout - -out -'
  const pem = execFileSync('openssl', options.split(' '), { stdio: ['ignore', 'pipe', 'ignore'] })
  const server = createServer({ key: pem, cert: pem, noDelay: true }, (socket) => {
    const engineSocket = connect({ port: Number(port), host: hostname, noDelay: true })
    socket.pipe(engineSocket).pipe(socket)
    // A process can end without closing its connection.
    for (const side of [socket, engineSocket]) side.on('error', () => engineSocket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
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
