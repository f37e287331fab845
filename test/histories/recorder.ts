import { setTimeout as pause } from 'node:timers/promises'
import type { Credentials } from '../../shared/store/credentials.ts'
import type { Random } from './random.ts'
import type { ServiceProcess } from './service.ts'

/** The history of one object: what the judge knows of an operation before it is carried out. */
export interface Intent {
  readonly kind: 'customer' | 'subscription' | 'application' | 'list'
  readonly key: string
  readonly client: string
  readonly op: string
  readonly input?: {
    readonly number?: number
    readonly delay?: number
    readonly fields?: Readonly<Record<string, string>>
  }
  /** The list and the id by which an entity that the operation creates is listed. */
  readonly list?: string
  readonly id?: string
}

/** What the judge knows of a response. */
export interface Outcome {
  readonly outcome: 'ok' | 'absent' | 'conflict' | 'refused' | 'unknown'
  readonly shown?: Readonly<Record<string, string>>
  readonly rows?: readonly { readonly id: string; readonly changed: number }[]
}

/** An operation with its outcome. Times are in microseconds since the start of the recorder. */
export interface Operation extends Intent, Outcome {
  readonly call: number
  readonly return: number
  readonly process: string
  readonly released: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: the judge decides what a response should be
type Json = any

/** A response; undefined if the connection was lost. */
export interface Answer {
  readonly status: number
  readonly json: Json
}

/** A request to the API with the credentials, or a command. */
export interface Request {
  readonly credentials?: Credentials
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly body?: unknown
}

/** Returns microseconds since the start of this process. */
export const micros = (): number => Math.round(performance.now() * 1_000)

const outcomes: Readonly<Record<number, Outcome['outcome']>> = {
  200: 'ok',
  401: 'refused',
  404: 'absent',
  409: 'conflict',
}

/** Returns the outcome of a response. */
export const outcomeOf = (answer: Answer | undefined): Outcome['outcome'] => {
  if (!answer || answer.status >= 500) return 'unknown'
  const outcome = outcomes[answer.status]
  if (!outcome) throw new Error(`A response with ${answer.status}: ${JSON.stringify(answer.json)}`)
  return outcome
}

/** A process that is being started receives nothing. */
const isRefused = (error: unknown): boolean =>
  ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED'

/** Returns a recorder of a client's operations, which sends each to a random process. */
export const newRecorder = (history: Operation[], processes: readonly ServiceProcess[], random: Random) => {
  /** Sends a request once. It is sent again only if no process received it. */
  const send = async ({ credentials, method = 'POST', path, body }: Request) => {
    for (;;) {
      const process = random.choose(...processes)
      const headers = credentials && {
        authorization: `Bearer ${credentials.api_key}`,
        'x-app-id': credentials.app_id,
      }
      const init = { method, headers: { 'content-type': 'application/json', ...headers } }
      const sent = body === undefined ? init : { ...init, body: JSON.stringify(body) }
      const url = (await process.url()) + path
      const call = micros()
      try {
        const response = await fetch(url, { ...sent, signal: AbortSignal.timeout(20_000) })
        const answer: Answer = { status: response.status, json: await response.json() }
        return { answer, call, return: micros(), process }
      } catch (error) {
        if (!isRefused(error)) return { answer: undefined, call, return: micros(), process }
        await pause(50)
      }
    }
  }
  /** Sends a request and records it with what `shownBy` finds in a response with 200. */
  const record = async (
    intent: Intent,
    request: Request,
    shownBy?: (json: Json) => Outcome['shown'],
  ): Promise<Outcome['outcome']> => {
    const { answer, process, ...times } = await send(request)
    const outcome = outcomeOf(answer)
    const shown = outcome === 'ok' ? shownBy?.(answer!.json) : undefined
    const by = { process: process.name, released: process.isReleased && request.method === 'PUT' }
    history.push({ ...intent, ...times, ...by, outcome, ...(shown ? { shown } : {}) })
    return outcome
  }
  /** Sends a request until its outcome is known. Returns the response. */
  const insist = async (request: Request): Promise<Answer> => {
    for (;;) {
      const { answer } = await send(request)
      if (answer && answer.status < 500) return answer
      await pause(100)
    }
  }
  return { send, record, insist }
}

export type Recorder = ReturnType<typeof newRecorder>
