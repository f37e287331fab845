import { randomInt } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { connect, createServer } from 'node:net'
import getPort from 'get-port'

/** In Node's notation. */
export const isLoopbackAddress = (address = ''): boolean => /^(127\.|::ffff:127\.|::1$)/.test(address)

/** No other site can have these names. */
export const isLoopbackHost = (host = ''): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i.test(host)

/** Matches the part before the path of a request target in absolute form, and captures the host. */
export const ABSOLUTE_FORM = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i

/** A target in absolute form takes precedence over the header (RFC 9112). */
export const hostOf = ({ url = '', headers }: IncomingMessage): string | undefined =>
  ABSOLUTE_FORM.exec(url)?.[1] ?? headers.host

export interface ListenAddress {
  /** An address or a host name. */
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
}

const canListenOn = (host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(0, host, () => server.close(() => resolve(true)))
  })

/**
 * A random address of 127.0.0.0/8 with a random port. If 127.0.0.1 is the only loopback address of the
 * system, as on macOS, only the port is random.
 */
export const unguessableAddress = async (): Promise<ListenAddress> => {
  const random = () => randomInt(1, 255)
  const host = `127.${random()}.${random()}.${random()}`
  // The engine needs a port that is free on all addresses.
  return { host: (await canListenOn(host)) ? host : '127.0.0.1', port: await getPort() }
}

export const isListening = (port: number, host = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host })
    const settle = (listening: boolean) => {
      socket.destroy()
      resolve(listening)
    }
    socket.once('connect', () => settle(true)).on('error', () => settle(false))
  })
