/** An answer of the service, whichever way it came. */
export interface Answer {
  /** 0 where no whole answer came. */
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body, or why there is none. */
  readonly text: string
}

/** The service that rows are sent to, for one application. */
export interface Target {
  /** What a person knows it by. */
  readonly name: string
  readonly appId: string
  /** Sends one request, once; never throws for what may pass by itself. */
  send(method: 'GET' | 'POST' | 'PUT', path: string, body?: string): Promise<Answer>
  close(): void | Promise<void>
}
