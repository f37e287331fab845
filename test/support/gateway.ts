import { type AddressInfo, connect } from 'node:net'
import { setLogSink } from '../../shared/log.ts'
import { createGateway, type HandlerLoader } from '../../tools/local/server.ts'

/** The first HTTP response on a connection. */
interface SocketResponse {
  readonly status: number
  readonly head: string
  readonly text: string
  /** Undefined for a body that is empty or not JSON. */
  readonly json: ReturnType<typeof JSON.parse>
}

const echo: HandlerLoader = async () => async (event) => ({
  statusCode: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ ...event, body: event.body?.length ?? null }),
})

/** Sends raw text. Returns the first response once the connection has ended. */
const sendTo = (port: number, text: string | Uint8Array): Promise<SocketResponse> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', reject)
    socket.on('end', () => {
      const [head = '', rest = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n')
      // A second response may follow.
      const body = rest.slice(0, Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? rest.length))
      resolve({
        status: Number(head.split(' ')[1]),
        head,
        text: body,
        json: /^content-type: application\/json/im.test(head) && body !== '' ? JSON.parse(body) : undefined,
      })
    })
    socket.write(text)
  })

/** Starts a request and disconnects before it is complete. */
const leaveFrom = (port: number, text: string): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(text, () => {
      socket.destroy()
      resolve()
    })
  })

/** Sends `start`, then `part` until the connection closes or 100 MB are sent. Returns the head of the response and the bytes sent. */
const sendOnTo = async (port: number, start: string, part: Uint8Array) => {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  let head = ''
  socket.on('data', (chunk) => {
    head += chunk
  })
  socket.write(start)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  while (!socket.destroyed && socket.bytesWritten < 100_000_000)
    if (!socket.write(part)) {
      const drained = new Promise<void>((resolve) => socket.once('drain', resolve))
      await Promise.race([drained, closed])
    }
  const sent = socket.bytesWritten
  socket.destroy()
  return { head, sent }
}

/** Starts a gateway whose functions are those of `load`, by default one that responds with its event. */
export const serveEvents = (load: HandlerLoader = echo) => {
  const server = createGateway(load)
  const logLines: string[] = []
  let port = 0
  beforeAll(async () => {
    setLogSink((line) => logLines.push(line))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const sendRaw = (text: string | Uint8Array) => sendTo(port, text)
  const sendOn = (start: string, part: Uint8Array) => sendOnTo(port, start, part)
  const leave = (text: string) => leaveFrom(port, text)
  const call = (target: string, { method = 'GET', headers = [] as string[], body = '' } = {}) =>
    sendRaw(
      [
        `${method} ${target} HTTP/1.1`,
        'host: localhost',
        'connection: close',
        ...(body ? [`content-length: ${Buffer.byteLength(body)}`] : []),
        ...headers,
        '',
        body,
      ].join('\r\n'),
    )
  return { call, sendRaw, sendOn, leave, logLines }
}
