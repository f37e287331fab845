import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { suggestion } from '../../shared/http/validation/suggest.ts'
import type { TestDoubleAccess } from './control.ts'
import type { Fault, InitialState, TestServiceOptions } from './options.ts'
import { detach, nowText, readFirstLine, startProgram, stopProcess } from './test-process.ts'

/** What a client needs to call a test service: options of `createClient`. */
interface ClientAccess {
  readonly baseUrl: string
  readonly appId: string
  readonly apiKey: string
}

/**
 * The API in a separate process, with an in-memory database. `createClient` accepts it as its options. Only
 * these options are enumerable, so a spread copies nothing else.
 */
export interface TestService extends ClientAccess {
  /** A read-only key of the same application. */
  readonly readOnlyApiKey: string
  /**
   * Deletes everything, including faults, and restores the initial state; `state` replaces parts of it.
   * @example await service.reset()
   */
  reset(state?: InitialState): Promise<void>
  /**
   * Stops the service's clock at a time or, without a time, starts it again.
   * @example await service.setTime('2026-02-01')
   */
  setTime(now?: Date | string): Promise<void>
  readonly faults: {
    /** Injects a fault into the next call, or into a later one. */
    add(fault: Fault): Promise<void>
    /** Removes all faults. */
    clear(): Promise<void>
    /** Returns the faults that have not happened yet. */
    pending(): Promise<Fault[]>
  }
  /** Stops the service. It also stops when this process ends. @example await service.stop() */
  stop(): Promise<void>
}

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

/** Throws Error with the details of an error response. */
type SendToControl = <T>(method: string, path: string, body?: unknown) => Promise<T>

/** With node:http, because test environments may lack or mock `fetch`. */
const controlsAt =
  (controlUrl: string): SendToControl =>
  <T>(method: string, path: string, body?: unknown) =>
    new Promise<T>((resolve, reject) => {
      const outgoing = request(controlUrl + path, { method }, (response) => {
        json(response).then((result) => {
          if (response.statusCode === 200) return resolve(result as T)
          const { errors } = result as { errors: readonly { readonly detail: string }[] }
          reject(new Error(errors.map(({ detail }) => detail).join(' ')))
        }, reject)
      })
      outgoing.once('error', (cause) => reject(new Error('The test service has ended.', { cause })))
      outgoing.end(JSON.stringify(body))
    })

/** Adds properties that are not enumerable: `createClient` refuses options that it does not know. */
const addNonEnumerable = <Target extends object, Added extends object>(
  target: Target,
  properties: Added,
): Target & Added => {
  for (const [name, value] of Object.entries(properties)) Object.defineProperty(target, name, { value })
  return target as Target & Added
}

/**
 * Starts a test service and resolves when it accepts requests. Rejects if an option is invalid, the API
 * refuses the seed, or the port is taken. Several services can run at once.
 * @example const service = await createTestService({ seed: { customers: [{ id: 42 }] }, now: '2026-01-01' })
 */
export const createTestService = async (options: TestServiceOptions = {}): Promise<TestService> => {
  refuseUnknownOptions(options)
  const child = startProgram(options)
  const line = await readFirstLine(child)
  detach(child)
  const access = JSON.parse(line) as TestDoubleAccess
  const clientAccess = { baseUrl: access.base_url, appId: access.app_id, apiKey: access.api_key }
  const send = controlsAt(access.control_url)
  return addNonEnumerable<ClientAccess, Omit<TestService, keyof ClientAccess>>(clientAccess, {
    readOnlyApiKey: access.read_only_api_key,
    reset: ({ now, ...state } = {}) => send('POST', '/reset', { ...state, now: nowText(now) }),
    setTime: (now) => send('PUT', '/clock', { now: nowText(now) }),
    faults: {
      add: (fault) => send('POST', '/faults', fault),
      clear: () => send('DELETE', '/faults'),
      pending: async () => (await send<{ faults: Fault[] }>('GET', '/faults')).faults,
    },
    stop: () => stopProcess(child),
  })
}
