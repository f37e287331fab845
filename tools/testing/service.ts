import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { suggestion } from '../../shared/http/validation/suggest.ts'
import type { Access } from './control.ts'
import type { Fault, InitialState, TestServiceOptions } from './options.ts'

/** What a client needs to call a test service: options of `createClient`. */
interface ClientAccess {
  readonly baseUrl: string
  readonly appId: string
  readonly apiKey: string
}

/**
 * The API in a separate process, with an in-memory database. `createClient` accepts it as its options. Only those are
 * enumerable, so a spread copies nothing else.
 */
export interface TestService extends ClientAccess {
  /** A key of the same application that only reads. */
  readonly readOnlyApiKey: string
  /** Deletes everything, including faults, and restores the initial state; `state` replaces parts of it. @example await service.reset() */
  reset(state?: InitialState): Promise<void>
  /** Stops the service's clock at a time, or starts it again without one. @example await service.setTime('2026-02-01') */
  setTime(now?: Date | string): Promise<void>
  readonly faults: {
    /** Injects a fault into the next call, or into a later one. */
    add(fault: Fault): Promise<void>
    clear(): Promise<void>
    /** Returns the faults that have not happened yet. */
    pending(): Promise<Fault[]>
  }
  /** Stops the service. It also stops when this process ends. @example await service.stop() */
  stop(): Promise<void>
}

// The build of the package defines the path of its program; it is undefined in the source tree.
declare const TEST_SERVICE_PROGRAM: string | undefined
const program = (): string =>
  fileURLToPath(
    new URL(
      typeof TEST_SERVICE_PROGRAM === 'undefined' ? '../../bin/billing-data-api.ts' : TEST_SERVICE_PROGRAM,
      import.meta.url,
    ),
  )

/** Returns a time as text, also an invalid Date, which JSON would turn into null. */
const timeText = (now: Date | string | undefined): string | undefined =>
  now instanceof Date ? (now.toJSON() ?? String(now)) : now

const optionNames = Object.keys({
  seed: true,
  now: true,
  port: true,
  corsOrigin: true,
} satisfies Record<keyof TestServiceOptions, true>)

const refuseUnknownOptions = (options: TestServiceOptions): void => {
  for (const name of Object.keys(options)) {
    if (!optionNames.includes(name))
      throw new TypeError(`${name} is not an option of createTestService${suggestion(name, optionNames)}`)
  }
}

/** Starts the program. Its IPC channel closes when this process ends. */
const launch = ({ port = 0, seed = {}, now, corsOrigin }: TestServiceOptions): ChildProcess => {
  const clock = now === undefined ? [] : ['--now', String(timeText(now))]
  const cors = corsOrigin === undefined ? [] : ['--cors-origin', corsOrigin]
  // Before the start, since the program would wait forever for a seed that JSON cannot express.
  const body = JSON.stringify(seed)
  const child = fork(program(), ['--quiet', '--port', String(port), '--seed', '-', ...clock, ...cors], {
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
  })
  child.stdin?.on('error', () => undefined).end(body)
  return child
}

/** Returns the first line of the program's output. Throws Error with its standard error if it ends without one. */
const firstLine = async (child: ChildProcess): Promise<string> => {
  let errors = ''
  let started = false
  child.once('error', ({ message }) => {
    errors += message
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    if (started) process.stderr.write(chunk)
    else errors += chunk
  })
  const ended = once(child, 'close')
  for await (const line of createInterface(child.stdout!)) {
    started = true
    return line
  }
  await ended
  throw new Error(errors.trim().replace(/^billing-data-api: /, ''))
}

/** Allows this process to end while the child runs. */
const detach = (child: ChildProcess): void => {
  child.unref()
  // Bun's channel has no unref.
  child.channel?.unref?.()
  for (const stream of [child.stdout, child.stderr]) (stream as Socket).unref()
}

type Send = <T>(method: string, path: string, body?: unknown) => Promise<T>

/** Sends requests to a control URL with node:http, because test environments may lack or mock `fetch`. */
const controls =
  (url: string): Send =>
  (method, path, body) =>
    new Promise((resolve, reject) => {
      const sent = request(url + path, { method }, (response) => {
        json(response).then((body) => {
          if (response.statusCode === 200) return resolve(body as never)
          const { errors } = body as { errors: readonly { readonly detail: string }[] }
          reject(new Error(errors.map(({ detail }) => detail).join(' ')))
        }, reject)
      })
      sent.once('error', (cause) => reject(new Error('The test service has ended.', { cause })))
      sent.end(JSON.stringify(body))
    })

const STOP_TIMEOUT_MILLIS = 5_000

const stopProcess = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MILLIS)
  const ended = once(child, 'exit')
  if (child.connected) child.disconnect()
  await ended
  clearTimeout(late)
}

/** Adds properties that are not enumerable: `createClient` refuses options that it does not know. */
const withHidden = <Shown extends object, Hidden extends object>(
  object: Shown,
  hidden: Hidden,
): Shown & Hidden => {
  for (const [name, value] of Object.entries(hidden)) Object.defineProperty(object, name, { value })
  return object as Shown & Hidden
}

/**
 * Starts a test service and resolves when it accepts requests. Rejects if an option is invalid, the API refuses the seed,
 * or the port is taken. Several services can run at once.
 * @example const service = await createTestService({ seed: { customers: [{ id: 42 }] }, now: '2026-01-01' })
 */
export const createTestService = async (options: TestServiceOptions = {}): Promise<TestService> => {
  refuseUnknownOptions(options)
  const child = launch(options)
  const line = await firstLine(child)
  detach(child)
  const access = JSON.parse(line) as Access
  const clientAccess = { baseUrl: access.base_url, appId: access.app_id, apiKey: access.api_key }
  const send = controls(access.control_url)
  return withHidden<ClientAccess, Omit<TestService, keyof ClientAccess>>(clientAccess, {
    readOnlyApiKey: access.read_only_api_key,
    reset: ({ now, ...state } = {}) => send('POST', '/reset', { ...state, now: timeText(now) }),
    setTime: (now) => send('PUT', '/clock', { now: timeText(now) }),
    faults: {
      add: (fault) => send('POST', '/faults', fault),
      clear: () => send('DELETE', '/faults'),
      pending: async () => (await send<{ faults: Fault[] }>('GET', '/faults')).faults,
    },
    stop: () => stopProcess(child),
  })
}
