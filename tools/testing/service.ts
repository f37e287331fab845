import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { InitialState, ScriptedFault, TestServiceOptions } from './settings.ts'

/** The API in a process of its own, with an in-memory database. `createClient` accepts it as its options. */
export interface TestService {
  readonly baseUrl: string
  readonly appId: string
  readonly apiKey: string
  /** Deletes everything, faults too, and restores the initial state, or the parts of it that are given here. */
  reset(state?: InitialState): Promise<void>
  /** Stops the service's clock at a time; without one, lets it run. */
  setTime(now?: Date | string): Promise<void>
  readonly faults: {
    /** Scripts a fault for the next call, or for a later one. */
    add(fault: ScriptedFault): Promise<void>
    clear(): Promise<void>
    /** The faults that are still to happen. */
    pending(): Promise<ScriptedFault[]>
  }
  /** Stops the service. It also stops when this process ends. */
  stop(): Promise<void>
}

// The build of the package defines the path of its program; in the source tree it is this one.
declare const TEST_SERVICE_PROGRAM: string | undefined
const program = (): string =>
  fileURLToPath(
    new URL(
      typeof TEST_SERVICE_PROGRAM === 'undefined' ? '../../bin/billing-data-api.ts' : TEST_SERVICE_PROGRAM,
      import.meta.url,
    ),
  )

/** Throws RangeError for an invalid Date, which JSON would turn into null. */
const textOf = (now: Date | string | undefined): string | undefined =>
  now instanceof Date ? now.toISOString() : now

/** Starts the program; its IPC channel carries no messages, but tells it when this process ends. */
const launch = ({ port = 0, seed = {}, now, corsOrigin }: TestServiceOptions): ChildProcess => {
  const clock = now === undefined ? [] : ['--now', String(textOf(now))]
  const cors = corsOrigin === undefined ? [] : ['--cors-origin', corsOrigin]
  const child = fork(program(), ['--quiet', '--port', String(port), '--seed', '-', ...clock, ...cors], {
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
  })
  child.stdin?.on('error', () => undefined).end(JSON.stringify(seed))
  return child
}

/** The first line that the program prints; throws with its standard error if it ends without one. */
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

/** Lets this process end although the child and its pipes are open. */
const unref = (child: ChildProcess): void => {
  child.unref()
  child.channel?.unref()
  for (const stream of [child.stdout, child.stderr]) (stream as Socket).unref()
}

type Send = <T>(method: string, path: string, body?: unknown) => Promise<T>

/** Sends requests to a control URL with node:http: test environments may lack `fetch`, or put a mock in its place. */
const controls =
  (url: string): Send =>
  (method, path, body) =>
    new Promise((resolve, reject) => {
      const sent = request(url + path, { method }, (response) => {
        json(response).then((answer) => {
          if (response.statusCode === 200) return resolve(answer as never)
          const { errors } = answer as { errors: readonly { readonly detail: string }[] }
          reject(new Error(errors.map(({ detail }) => detail).join(' ')))
        }, reject)
      })
      sent.once('error', (cause) => reject(new Error('The test service has ended.', { cause })))
      sent.end(JSON.stringify(body))
    })

const STOP_TIMEOUT_MILLIS = 5_000

const stopped = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MILLIS)
  const ended = once(child, 'exit')
  if (child.connected) child.disconnect()
  await ended
  clearTimeout(late)
}

/**
 * Starts a test service and resolves when it accepts requests. Rejects when an option is invalid, the API refuses the
 * seed, or the port is taken. Several services can run at once.
 */
export const createTestService = async (options: TestServiceOptions = {}): Promise<TestService> => {
  const child = launch(options)
  const line = await firstLine(child)
  unref(child)
  const access = JSON.parse(line) as Record<'base_url' | 'app_id' | 'api_key' | 'control_url', string>
  const send = controls(access.control_url)
  return {
    baseUrl: access.base_url,
    appId: access.app_id,
    apiKey: access.api_key,
    reset: ({ now, ...state } = {}) => send('POST', '/reset', { ...state, now: textOf(now) }),
    setTime: (now) => send('PUT', '/clock', { now: textOf(now) }),
    faults: {
      add: (fault) => send('POST', '/faults', fault),
      clear: () => send('DELETE', '/faults'),
      pending: async () => (await send<{ faults: ScriptedFault[] }>('GET', '/faults')).faults,
    },
    stop: () => stopped(child),
  }
}
