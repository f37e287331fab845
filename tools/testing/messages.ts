/** What can be asked of a test service, whichever way. */
export type ControlName = 'reset' | 'setTime' | 'addFault' | 'clearFaults' | 'pendingFaults' | 'access'

/** What the parent asks of the child, one at a time or many at once. */
export interface Command {
  readonly id: number
  readonly name: ControlName | 'start'
  readonly argument?: unknown
}

/** What the child answers; `error` is the message of what went wrong. */
export interface Reply {
  readonly id: number
  readonly result?: unknown
  readonly error?: string
}
