import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'

const certificate = (): { key: Buffer; cert: Buffer } => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost']
  try {
    execFileSync('openssl', ['req', ...kind, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    return { key: readFileSync(key), cert: readFileSync(cert) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** An endpoint that speaks TLS, as DynamoDB does. */
export interface TlsProxy {
  /** What a process needs in its environment to reach it. */
  readonly env: NodeJS.ProcessEnv
  close(): void
}

/** Puts TLS before an engine, with a certificate that `openssl` makes. */
export const startTlsProxy = async (engine: string): Promise<TlsProxy> => {
  const { hostname, port } = new URL(engine)
  const server = createServer({ ...certificate(), noDelay: true }, (socket) => {
    const onward = connect({ port: Number(port), host: hostname, noDelay: true })
    socket.pipe(onward).pipe(socket)
    // A process that has answered ends without closing.
    for (const each of [socket, onward]) each.on('error', () => onward.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: own } = server.address() as { port: number }
  return {
    // The certificates of all authorities are read all the same, as they are for DynamoDB's.
    env: {
      AWS_ENDPOINT_URL_DYNAMODB: `https://127.0.0.1:${own}`,
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      NODE_NO_WARNINGS: '1',
    },
    close: () => void server.close(),
  }
}
