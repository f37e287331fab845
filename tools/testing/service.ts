import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Fault } from './faults.ts'
import type { Command, Reply } from './messages.ts'
import type { Beginning, TestServiceOptions } from './settings.ts'

/** The real service in a process of its own, on an in-memory database. `createClient` takes it as its options. */
export interface TestService {
  readonly baseUrl: string
  readonly appId: string
  readonly apiKey: string
  /** Forgets everything, faults too, and begins anew: as at first, or as said here. */
  reset(beginning?: Beginning): Promise<void>
  /** Sets the service's clock, which stands still then; without a time it goes again. */
  setTime(now?: Date | string): Promise<void>
  readonly faults: {
    /** Scripts something that goes wrong with the next call, or a later one. */
    add(fault: Fault): Promise<void>
    clear(): Promise<void>
    /** What was scripted and has not happened yet. */
    pending(): Promise<Fault[]>
  }
  /** Ends the service; it ends with this process too. */
  stop(): Promise<void>
}

// The build names the program of the package; here it is the one of the source tree.
declare const TEST_SERVICE_PROGRAM: string | undefined
const program = (): string =>
  fileURLToPath(
    new URL(
      typeof TEST_SERVICE_PROGRAM === 'undefined' ? '../../bin/billing-data-api.ts' : TEST_SERVICE_PROGRAM,
      import.meta.url,
    ),
  )

type Waiting = Map<number, { resolve(result: never): void; reject(error: Error): void }>

/** Sends commands to the child; while none is under way, the child does not keep this process alive. */
const commander = (child: ChildProcess) => {
  const waiting: Waiting = new Map()
  let last = 0
  const settle = (id: number) => {
    const one = waiting.get(id)
    waiting.delete(id)
    if (waiting.size === 0) {
      child.unref()
      child.channel?.unref()
    }
    return one
  }
  const fail = (why: string) => {
    for (const id of waiting.keys()) settle(id)?.reject(new Error(`The test service ${why}.`))
  }
  child
    .on('message', ({ id, result, error }: Reply) => {
      const one = settle(id)
      if (error === undefined) one?.resolve(result as never)
      else one?.reject(new Error(error))
    })
    .on('error', ({ message }) => fail(`could not be run: ${message}`))
    .once('exit', (code, signal) => fail(`has ended (${signal ?? `exit code ${code}`})`))
  return <T>(name: Command['name'], argument?: unknown): Promise<T> =>
    new Promise((resolve, reject) => {
      if (!child.connected) return reject(new Error('The test service has ended.'))
      last += 1
      waiting.set(last, { resolve, reject })
      child.ref()
      child.channel?.ref()
      child.send({ id: last, name, argument } satisfies Command)
    })
}

const STOP_MILLIS = 5_000

const stopped = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.ref()
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MILLIS)
    child.once('exit', () => {
      clearTimeout(late)
      resolve()
    })
    if (child.connected) child.disconnect()
  })

const text = (now: Date | string | undefined): string | undefined =>
  now instanceof Date ? now.toISOString() : now

/**
 * Starts a test service and resolves when it answers; rejects when it cannot start or refuses the seed. Several can
 * run at once.
 */
export const createTestService = async ({
  port = 0,
  seed,
  now,
}: TestServiceOptions = {}): Promise<TestService> => {
  const child = fork(program(), ['--ipc'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] })
  const command = commander(child)
  const stop = () => stopped(child)
  try {
    const access = await command<{ base_url: string; app_id: string; api_key: string }>('start', {
      port,
      seed,
      now: text(now),
    })
    return {
      baseUrl: access.base_url,
      appId: access.app_id,
      apiKey: access.api_key,
      reset: async (beginning = {}) => {
        await command('reset', { ...beginning, now: text(beginning.now) })
      },
      setTime: async (time) => {
        await command('setTime', { now: text(time) })
      },
      faults: {
        add: async (fault) => {
          await command('addFault', fault)
        },
        clear: async () => {
          await command('clearFaults')
        },
        pending: async () => (await command<{ faults: Fault[] }>('pendingFaults')).faults,
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
