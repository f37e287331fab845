import { connect } from 'node:tls'

/** Whether the server at a URL refuses a client that has nothing newer than TLS 1.1; rejects when it is not reached. */
export const refusesOldTls = (url: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const { hostname: host, port } = new URL(url)
    const socket = connect({
      host,
      port: Number(port || 443),
      servername: host,
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
      // Without this our own side would refuse, before the server is asked.
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
