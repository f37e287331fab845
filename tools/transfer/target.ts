/** An answer of the service, over HTTP or from the handlers in this process. */
export interface Answer {
  /** 0 if no complete answer came. */
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body, or why no answer came. */
  readonly text: string
}

/** The service that rows are sent to, for one application. */
export interface Target {
  /** For messages. */
  readonly name: string
  readonly appId: string
  /** Sends a request once. A network error is an answer with status 0. */
  send(method: 'GET' | 'POST' | 'PUT', path: string, body?: string): Promise<Answer>
  close(): void | Promise<void>
}
