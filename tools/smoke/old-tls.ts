import { connect } from 'node:tls'

/** Returns whether the server at a URL refuses a client with TLS 1.1 at most. Rejects if the server cannot be reached. */
export const refusesOldTls = (url: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const { hostname: host, port } = new URL(url)
    const socket = connect({
      host,
      port: Number(port || 443),
      servername: host,
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
      // Without this, our own side would refuse before the server does.
      ciphers: 'DEFAULT:@SECLEVEL=0',
      rejectUnauthorized: false,
    })
    socket.once('secureConnect', () => {
      resolve(false)
      socket.destroy()
    })
    socket.once('error', (error: NodeJS.ErrnoException) =>
      /ALERT|ECONNRESET/.test(error.code ?? '') ? resolve(true) : reject(error),
    )
  })
