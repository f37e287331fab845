import type { Call } from '../contract/call.ts'
import type { CursorScope } from '../pagination/cursor.ts'
import type { Application } from '../store/authorisation.ts'

/** What the middlewares of one request learn and hand on; each sets one property. */
export interface State {
  requestId: string
  startedAt: number
  /** The gateway's own id of the request. */
  gatewayRequestId?: string
  app?: Application
  /** What `x-app-id` says, where it has the form of an application's id; not proved. */
  claimedAppId?: string
  /** The body's text; empty when no body was sent. */
  text?: string
  /** The first page's request, so that the envelope can cut a page on the right side (L3). */
  call?: Omit<Call, 'related'>
  /** What the list's cursors belong to. */
  scope?: CursorScope
}

/** The state of a request, kept with middy's own. */
export const stateOf = (request: { readonly internal: Record<string, unknown> }): State =>
  request.internal as unknown as State
