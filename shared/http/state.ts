import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import type { Call } from '../contract/call.ts'
import type { CursorScope } from '../pagination/page.ts'
import type { Application } from '../store/service.ts'

/** A request body: its text as sent, and the parsed value. */
export interface Body {
  readonly text: string
  readonly value: unknown
}

/** The state that the middlewares of a request share, which middy keeps in `internal`. Each property is set by one of them. */
export type RequestState = {
  /** The client's own id of the request, or the gateway's. */
  requestId: string
  gatewayRequestId?: string
  /** The start of the request by `performance.now()`. */
  startedAt: number
  /** The authenticated application. */
  app?: Application
  /** The value of `x-app-id` if it is well-formed; not authenticated. */
  claimedAppId?: string
  /** The body; absent if none was sent or the endpoint has none. */
  body?: Body
  /** The validated call. The envelope needs its page request to shorten a page at the correct end. */
  call?: Call
  /** The scope of the list's cursors. */
  scope?: CursorScope
}

/** A middleware of the pipeline. */
export type PipelineMiddleware<Result = unknown> = MiddlewareObj<
  APIGatewayProxyEvent,
  Result,
  Error,
  Context,
  RequestState
>
