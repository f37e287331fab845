import { setTimeout as pause } from 'node:timers/promises'
import type { Credentials } from '../../shared/store/credentials.ts'
import type { Random } from './random.ts'
import type { ServiceProcess } from './service.ts'

/** Fixed before the operation runs. */
export interface Intent {
  readonly kind: 'customer' | 'subscription' | 'application' | 'list'
  /** The object whose history it belongs to. */
  readonly key: string
  readonly op: string
  readonly input?: {
    readonly number?: number
    /** How long an index may take to show a write, or a function to look up a key again, in microseconds. */
    readonly delay?: number
    readonly fields?: Readonly<Record<string, string>>
  }
  /** The list and the id by which an entity that the operation creates is listed. */
  readonly list?: string
  readonly id?: string
}

/** The judge compares it. */
interface Outcome {
  readonly outcome: 'ok' | 'absent' | 'conflict' | 'refused' | 'busy' | 'unknown'
  readonly shown?: Readonly<Record<string, string>>
  readonly rows?: readonly { readonly id: string; readonly changed: number }[]
}

/** The outcome is unknown at first. Times are in microseconds since the start of this process. */
export interface Operation extends Intent, Outcome {
  readonly client: string
  readonly process: string
  /** Whether a process of the previous release ran it. */
  readonly released?: boolean
  readonly call: number
  readonly return: number
}

// biome-ignore lint/suspicious/noExplicitAny: the judge decides what a response should be
type Json = any

export interface Request {
  readonly credentials?: Credentials
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly body?: unknown
  /** Of a response with 200. The judge compares them. */
  readonly shown?: (json: Json) => Outcome['shown']
}

/** Processes, credentials and random choices with which clients act, and the history that they record. */
export interface Course {
  readonly history: Operation[]
  readonly random: Random
  readonly credentials: Credentials
  readonly processes: readonly ServiceProcess[]
}

/** Since the start of this process. */
export const micros = (): number => Math.round(performance.now() * 1_000)

const outcomes: Readonly<Record<number, Outcome['outcome']>> = {
  200: 'ok',
  401: 'refused',
  404: 'absent',
  409: 'conflict',
  429: 'busy',
}

/** No process received the request, since it was just being started. */
const isRefused = (error: unknown): boolean =>
  ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED'

/** Sends each request to a random process. Its choices do not depend on other clients. */
export const newClient = ({ history, processes, random: all }: Omit<Course, 'credentials'>, name: string) => {
  const random = all.forTask(name)
  /** Again only if no process received it. Undefined if the connection was lost. */
  const send = async (
    { credentials, method = 'POST', path, body }: Request,
    onSend: (process: ServiceProcess) => void = () => undefined,
  ): Promise<{ status: number; json: Json } | undefined> => {
    const headers = credentials && {
      authorization: `Bearer ${credentials.api_key}`,
      'x-app-id': credentials.app_id,
    }
    const text = body === undefined ? null : JSON.stringify(body)
    const init = { method, body: text, headers: { 'content-type': 'application/json', ...headers } }
    for (;;) {
      const process = random.choose(...processes)
      const url = (await process.url()) + path
      onSend(process)
      try {
        const response = await fetch(url, { ...init, signal: AbortSignal.timeout(20_000) })
        return { status: response.status, json: await response.json() }
      } catch (error) {
        if (!isRefused(error)) return undefined
        await pause(50)
      }
    }
  }
  const record = async (intent: Intent, request: Request): Promise<Outcome['outcome']> => {
    const operation = { ...intent, client: name, outcome: 'unknown', return: Number.MAX_SAFE_INTEGER }
    const change = (values: Partial<Operation>) => Object.assign(operation, values)
    const response = await send(request, ({ name: process, isReleased }) => {
      const released = isReleased && request.method === 'PUT'
      if (!('call' in operation)) history.push(operation as never as Operation)
      change({ call: micros(), process, released })
    })
    change({ return: micros() })
    if (!response || response.status >= 500) return 'unknown'
    const outcome = outcomes[response.status]
    if (!outcome) throw new Error(`A response with ${response.status}: ${JSON.stringify(response.json)}`)
    const shown = outcome === 'ok' ? request.shown?.(response.json) : undefined
    change({ outcome, ...(shown ? { shown } : {}) })
    return outcome
  }
  const insist = async (request: Request): Promise<Json> => {
    for (;;) {
      const response = await send(request)
      if (response?.status === 200) return response.json
      await pause(50)
    }
  }
  return { name, random, send, record, insist }
}

export type Client = ReturnType<typeof newClient>
